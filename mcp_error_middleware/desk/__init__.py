"""The desk: a page about what failed in the last minutes, served by the process itself.

    desk = Desk()                                    # this process, in memory
    desk = Desk("errors.db", token=os.environ["DESK_TOKEN"])  # all workers, kept over restarts

    app = Starlette(routes=[Mount("/mcp", mcp_app), Mount("/errors", desk)])

`install(server, desk=True)` does the same on a server of one's own. A desk hears of every failure in the
process by itself. Beyond one machine the answer is OpenTelemetry.
"""

from mcp_error_middleware.desk.desk import Desk
from mcp_error_middleware.desk.mount import mount, unmount
from mcp_error_middleware.desk.store import Query, Store

__all__ = ["Desk", "Query", "Store", "mount", "unmount"]

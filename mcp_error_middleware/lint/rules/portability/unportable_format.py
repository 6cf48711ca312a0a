"""Use only formats that every vendor knows.

OpenAI refuses a tool whose arguments have a `format` it does not know; the model never sees the tool. It
knows date-time, time, date, duration, email, hostname, ipv4, ipv6 and uuid. Say others in the description.

Bad:

    from fastmcp import FastMCP
    from pydantic import AnyUrl

    mcp = FastMCP("shop")

    @mcp.tool
    def watch(page: AnyUrl) -> str:
        return str(page)

Good:

    from typing import Annotated

    from fastmcp import FastMCP
    from pydantic import Field

    mcp = FastMCP("shop")

    @mcp.tool
    def watch(page: Annotated[str, Field(description="An absolute URL.")]) -> str:
        return page
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief, input_parts

FORMATS: Final = frozenset("date-time time date duration email hostname ipv4 ipv6 uuid".split())


@rule(Severity.ERROR, "schema-format-portability")
def check(definition: Definition) -> Iterator[Problem]:
    for path, schema in input_parts(definition):
        said = schema.get("format")
        if isinstance(said, str) and said not in FORMATS:
            message = (
                f"OpenAI refuses a tool with the format {brief(said)}; take a plain string and say the "
                "format in its description."
            )
            yield Problem(definition.at(*path, "format"), message)

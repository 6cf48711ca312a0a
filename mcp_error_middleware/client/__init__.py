"""The agent's side: what a server answered in, what to do next out.

outcome = await call_with_recovery(client, "ship", {"order": "ord_1"}, idempotent=True)
if not outcome.ok:
    print(outcome.decision.action, outcome.error.hint)
"""

from mcp_error_middleware.client.decide import Action, Decision, Patience, decide
from mcp_error_middleware.client.parse import parse_error
from mcp_error_middleware.client.recovery import Outcome, call_with_recovery
from mcp_error_middleware.client.remote import RemoteError, Source
from mcp_error_middleware.model import Retry

__all__ = [
    "Action",
    "Decision",
    "Outcome",
    "Patience",
    "RemoteError",
    "Retry",
    "Source",
    "call_with_recovery",
    "decide",
    "parse_error",
]

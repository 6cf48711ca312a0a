"""What a failed call and its surroundings suggest: whether to retry, what was meant, what would be right."""

from mcp_error_middleware.advice.advise import Advice, advise
from mcp_error_middleware.advice.around import NOWHERE, Around, only_looks
from mcp_error_middleware.advice.document import computed, unread
from mcp_error_middleware.advice.example import example_of
from mcp_error_middleware.advice.misfit import looked_up, misfit, quoted
from mcp_error_middleware.advice.nearest import nearest
from mcp_error_middleware.advice.outline import Outline, outline_of
from mcp_error_middleware.advice.repeats import Repeats
from mcp_error_middleware.advice.retry import Effects, outcome_unknown, retry_of
from mcp_error_middleware.advice.sharpen import lacking, sharpened
from mcp_error_middleware.advice.silent import Suspicion, suspicion
from mcp_error_middleware.advice.statement import refused
from mcp_error_middleware.advice.verify import reads, verifier
from mcp_error_middleware.model import Retry

__all__ = [
    "NOWHERE",
    "Advice",
    "Around",
    "Effects",
    "Outline",
    "Repeats",
    "Retry",
    "Suspicion",
    "advise",
    "computed",
    "example_of",
    "lacking",
    "looked_up",
    "misfit",
    "nearest",
    "only_looks",
    "outcome_unknown",
    "outline_of",
    "quoted",
    "reads",
    "refused",
    "retry_of",
    "sharpened",
    "suspicion",
    "unread",
    "verifier",
]

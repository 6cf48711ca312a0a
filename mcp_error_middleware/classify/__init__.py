"""Exception in, verdict out."""

from mcp_error_middleware.classify.chain import (
    Link,
    args_of,
    cause_of,
    is_stop,
    mro_of,
    qualified_name,
    safe_str,
    state_of,
    traceback_of,
    walk,
)
from mcp_error_middleware.classify.engine import Classifier, Explanation
from mcp_error_middleware.classify.evidence import retry_after_from_headers
from mcp_error_middleware.classify.patterns import prepare
from mcp_error_middleware.classify.rules import by_pattern, by_predicate, by_type
from mcp_error_middleware.model import Verdict

__all__ = [
    "Classifier",
    "Explanation",
    "Link",
    "args_of",
    "by_pattern",
    "by_predicate",
    "by_type",
    "cause_of",
    "classify",
    "explain",
    "is_stop",
    "mro_of",
    "prepare",
    "qualified_name",
    "retry_after_from_headers",
    "safe_str",
    "state_of",
    "traceback_of",
    "walk",
]

_DEFAULT = Classifier()


def classify(exc: BaseException) -> Verdict:
    """The verdict of the default classifier."""
    return _DEFAULT(exc)


def explain(exc: BaseException) -> Explanation:
    """The verdict of the default classifier, which evidence decided, and what lost."""
    return _DEFAULT.explain(exc)

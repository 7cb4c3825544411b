"""The errors of pydantic-ai as ours. Nothing of their text is kept: it may quote what was sent."""

from collections.abc import Callable

from pydantic_ai import exceptions as theirs

from almanac.llm.failures import ModelFailure, NotAnswering, RateLimited, Refused, TooLong, Unusable

_Kind = type[Exception] | tuple[type[Exception], ...]
_BUSY = (theirs.ModelServerError, theirs.ModelUnavailableError, theirs.UnexpectedModelBehavior)
_LATE = (theirs.ModelTimeoutError, theirs.ModelRequestTimeout)
_KEY = "its provider refuses the key; check ALMANAC_LLM_API_KEY"
_NAME = "its provider has no model of that name; check ALMANAC_LLM_MODEL and ALMANAC_LLM_STEPS"
_CREDIT = "the account at its provider has no credit left; top it up, then retry the jobs"
_OTHER = "its provider refuses the request; try another model, or another ALMANAC_LLM_OUTPUT"
_SOURCES = "The sources are"

# The first that fits counts, so that a kind stands above the kinds it belongs to.
_FAILURES: list[tuple[_Kind, Callable[[str], ModelFailure]]] = [
    (theirs.ModelContextWindowExceededError, lambda model: TooLong(model, _SOURCES)),
    (theirs.ModelAuthenticationError, lambda model: Unusable(model, _KEY)),
    (theirs.ModelNotFoundError, lambda model: Unusable(model, _NAME)),
    (theirs.ModelQuotaExceededError, lambda model: Unusable(model, _CREDIT)),
    (theirs.ContentFilterError, Refused),
    (_LATE, lambda model: NotAnswering(model, "took too long to answer")),
    (theirs.ModelConnectionError, lambda model: NotAnswering(model, "can't be reached, or broke the connection")),
    (_BUSY, lambda model: NotAnswering(model, "has trouble of its own")),
]


def translated(model: str, error: Exception) -> ModelFailure:
    """Our failure for what a provider raised."""
    if isinstance(error, theirs.ModelRateLimitError):
        return RateLimited(model, error.retry_after)
    for kind, failure in _FAILURES:
        if isinstance(error, kind):
            return failure(model)
    return _by_status(model, error.status_code if isinstance(error, theirs.ModelHTTPError) else 400)


def _by_status(model: str, status: int) -> ModelFailure:
    if status == 413:
        return TooLong(model, _SOURCES)
    if status == 408:
        return NotAnswering(model, "took too long to answer")
    return Unusable(model, _OTHER)

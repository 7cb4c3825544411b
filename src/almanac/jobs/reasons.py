"""Why a job ended as it did, in sentences for people."""

from almanac.errors import AlmanacError

CANCELLED_EARLY = "Cancelled by a person before it started."
CANCELLED = "Cancelled by a person."
ABORTED = "Interrupted by a person."
INTERRUPTED = "The worker stopped; the job goes back to its queue."
LOST = "The worker stopped in the middle of it; another continues."
LOST_TOO_OFTEN = "Every worker that tried it stopped in the middle, so it isn't tried again."
LOST_AND_CANCELLED = "Cancelled; its worker had stopped before."
_LIMIT = 1000


def unknown_task(name: str) -> str:
    return f"This version of Almanac has no task named {name}."


def reason_of(error: Exception) -> str:
    """Our own sentence, or what a foreign error calls itself."""
    if isinstance(error, AlmanacError):
        return error.sentence
    return f"{type(error).__name__}: {error}".rstrip(": ")[:_LIMIT]

"""What every step is given, how its run starts and ends, and how it describes the issue to the writer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.configuration import AUDIENCES, Configuration
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName, idle_status
from almanac.desks.newsletter.model.retrieval_plan import describe_tone
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import steps as step_store
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Retryable
from almanac.jobs import JobCancelled, RunningJob
from almanac.jobs.port import JobLeaseLost
from almanac.kit.progress import Progress
from almanac.llm.sources import StepSource
from almanac.services import Services

DESK = "newsletter"


@dataclass(frozen=True, slots=True)
class StepContext:
    """One run of a step. `report` shows its progress, and raises if it was cancelled.

    If `completes`, a draft without obstacles is completed; otherwise that is left to a person.
    """

    services: Services
    code: str
    run: int
    report: Progress
    completes: bool = True

    async def read(self) -> FullNewsletter:
        """The newsletter as it is now."""
        return await newsletter_store.get_full_newsletter(self.services.tables, self.code, consistent=True)


StepFunction = Callable[[StepContext], Awaitable[None]]


async def run_step(
    job: RunningJob[Services], code: str, step: StepName, run: int, function: StepFunction, *, completes: bool = True
) -> None:
    """Run a step unless this run has already ended. A failure or cancellation is saved as the step's state."""
    services = job.services
    started = await step_store.mark_step_started(
        services.tables, code, step, run=run, job=job.id, now=services.clock.now()
    )
    if not started:
        return
    try:
        await function(StepContext(services, code, run=run, report=job.progress, completes=completes))
    except (JobLeaseLost, Retryable):
        # The run continues in the worker that has the lease, or with the next attempt.
        raise
    except JobCancelled:
        full = await newsletter_store.get_full_newsletter(services.tables, code)
        await step_store.mark_step_ended(services.tables, code, step, run=run, status=idle_status(full, step))
        raise
    except Exception as error:
        # The step must not stay marked as running; the error is raised again for the job.
        reason = str(error.sentence) if isinstance(error, AlmanacError) else str(UNEXPECTED_ERROR)
        await step_store.mark_step_ended(services.tables, code, step, run=run, status="failed", error=reason)
        raise


def to_writer_source(chunk: RetrievedChunk) -> StepSource:
    return StepSource(
        id=chunk.id, text=chunk.content, title=chunk.title, language=chunk.language or None, date=chunk.date
    )


def audience_text(configuration: Configuration) -> str:
    return ", ".join(AUDIENCES.get(name, name).lower() for name in configuration.target_audience)


def tone_text(configuration: Configuration) -> str:
    return str(describe_tone(configuration.tone))

"""The job that removes what a deletion left of a newsletter when it was cut off."""

from almanac.desks.newsletter import store
from almanac.desks.newsletter.indexing import forget_newsletter
from almanac.desks.newsletter.objects import export_prefix
from almanac.errors import NotFound
from almanac.jobs import JobType, RunningJob
from almanac.services import Services

QUEUE = "newsletter"


async def _sweep(job: RunningJob[Services], code: str) -> None:
    """Only after a deletion: a newsletter that is still there keeps its files."""
    services = job.services
    try:
        await store.get_newsletter(services.tables, code)
    except NotFound:
        await store.delete_newsletter(services.tables, code)
        await forget_newsletter(services, code)
        await services.objects.delete_prefix(export_prefix(code))


SWEEP = JobType("newsletter.sweep", _sweep, queue=QUEUE, title="Remove what is left of a deleted newsletter")

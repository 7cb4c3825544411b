"""The job of search: rebuild the index, in steps that can be watched, cancelled and gone on with."""

from typing import Protocol

from almanac.jobs import JobType, RunningJob
from almanac.search.rebuild import Rebuilds


class SearchServices(Protocol):
    """What a worker must hold to run this job."""

    @property
    def rebuilds(self) -> Rebuilds: ...


async def _rebuild(job: RunningJob[SearchServices], kinds: list[str] | None = None, anew: bool = False) -> None:
    begin_anew = anew and job.attempt == 1
    await job.services.rebuilds.rebuild(kinds or [], anew=begin_anew, progress=job.progress, units=job.unit)


REBUILD = JobType("search.rebuild", _rebuild, queue="search", lock="search.rebuild", title="Rebuild the search index")

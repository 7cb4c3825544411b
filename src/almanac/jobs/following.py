"""Following the jobs of one thing, such as a newsletter or an import, among all that change."""

from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import aclosing

from almanac.errors import NotFound
from almanac.jobs.port import JobsPort
from almanac.jobs.views import JobDetail


async def follow_jobs(
    jobs: JobsPort, tasks: Collection[str], args: Mapping[str, object], *, first: Collection[int] = ()
) -> AsyncGenerator[JobDetail, None]:
    """Jobs of these tasks with these arguments: those in `first` as they stand, then each change of any.

    Whoever shows jobs as under way names them in `first`: one that ended before anybody listened is told too.
    Close it when done, as `contextlib.aclosing` does.
    """
    foreign: set[int] = set()
    async with aclosing(jobs.watch(first=first)) as changes:
        async for job in changes:
            if job.task not in tasks or job.id in foreign:
                continue
            try:
                detail = await jobs.job(job.id)
            except NotFound:
                continue
            if all(detail.args.get(name) == value for name, value in args.items()):
                yield detail
            else:
                foreign.add(job.id)

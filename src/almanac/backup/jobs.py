"""The daily backup: a schedule that writes an archive into the data folder and removes those past their time."""

import asyncio
from pathlib import Path

from almanac.backup.service import Installation, make_backup, remove_old_backups
from almanac.jobs import CatchUp, JobType, RunningJob, Schedule


def daily_backup(installation: Installation, folder: Path, *, keep_days: int, time_zone: str) -> Schedule:
    """Every night at a quarter past two; one that was missed is made up for once."""

    async def back_up(job: RunningJob[object]) -> None:
        await job.progress(doing="Writing the archive")
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        await make_backup(installation, folder)
        await asyncio.to_thread(remove_old_backups, folder, clock=installation.clock, keep_days=keep_days)

    job_type = JobType("backup.daily", back_up, queue="housekeeping", lock="backup", title="Back up everything")
    return Schedule("backup.daily", job_type, cron="15 2 * * *", time_zone=time_zone, catch_up=CatchUp.ONCE)

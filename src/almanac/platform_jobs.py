"""The platform's own background work, gathered in one list: mail, accounts, old jobs and backups."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from almanac.accounts.port import Accounts
from almanac.accounts.service import delete_expired_credentials
from almanac.backup import Installation, make_backup, remove_old_backups
from almanac.config import Settings
from almanac.jobs import CatchUp, JobType, RunningJob, Schedule
from almanac.jobs.scheduler import cleanup_schedule


def platform_schedules(settings: Settings, accounts: Accounts, installation: Installation) -> Iterator[Schedule]:
    """Every schedule that no desk owns, but for mail's own."""
    yield cleanup_schedule(accounts.clock)
    yield _account_sweep(accounts)
    if settings.backup_keep_days:
        yield daily_backup(
            installation,
            settings.data / "backups",
            keep_days=settings.backup_keep_days,
            time_zone=settings.time_zone,
        )


def _account_sweep(accounts: Accounts) -> Schedule:
    async def sweep(_job: RunningJob[object]) -> None:
        await delete_expired_credentials(accounts)

    job_type = JobType("accounts.sweep", sweep, queue="housekeeping", title="Remove expired sessions and links")
    return Schedule("accounts.sweep", job_type, cron="20 * * * *")


def daily_backup(installation: Installation, folder: Path, *, keep_days: int, time_zone: str) -> Schedule:
    """Every night at a quarter past two; one that was missed is made up for once."""

    async def back_up(job: RunningJob[object]) -> None:
        await job.progress(doing="Writing the archive")
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        await make_backup(installation, folder)
        await asyncio.to_thread(remove_old_backups, folder, clock=installation.clock, keep_days=keep_days)

    job_type = JobType("backup.daily", back_up, queue="housekeeping", lock="backup", title="Back up everything")
    return Schedule("backup.daily", job_type, cron="15 2 * * *", time_zone=time_zone, catch_up=CatchUp.ONCE)

"""The platform's own background work, gathered in one list: mail, accounts, old jobs and backups."""

from collections.abc import Iterator

from almanac.accounts.port import Accounts
from almanac.accounts.service import delete_expired_credentials
from almanac.backup import Backups
from almanac.config import Settings
from almanac.jobs import CatchUp, JobType, RunningJob, Schedule
from almanac.jobs.scheduler import cleanup_schedule
from almanac.kit.messages import gettext


def platform_schedules(settings: Settings, accounts: Accounts, backups: Backups) -> Iterator[Schedule]:
    """Every schedule that no desk owns, but for mail's own."""
    yield cleanup_schedule(accounts.clock)
    yield _account_sweep(accounts)
    if settings.backup_keep_days:
        yield daily_backup(backups, time_zone=settings.time_zone)


def _account_sweep(accounts: Accounts) -> Schedule:
    async def sweep(_job: RunningJob[object]) -> None:
        await delete_expired_credentials(accounts)

    job_type = JobType(
        "accounts.sweep",
        sweep,
        queue="housekeeping",
        title=gettext("Remove expired sessions and links"),
    )
    return Schedule("accounts.sweep", job_type, cron="20 * * * *")


def daily_backup(backups: Backups, *, time_zone: str) -> Schedule:
    """Every night at a quarter past two; one that was missed is made up for once."""

    async def back_up(job: RunningJob[object]) -> None:
        await job.progress(doing=gettext("Writing the archive and restoring it on trial"))
        await backups.make("daily")
        await backups.remove_old()

    job_type = JobType(
        "backup.daily",
        back_up,
        queue="housekeeping",
        lock="backup",
        title=gettext("Back up everything"),
    )
    return Schedule("backup.daily", job_type, cron="15 2 * * *", time_zone=time_zone, catch_up=CatchUp.ONCE)

"""The platform's own background work, gathered in one list: mail, accounts, old jobs and backups."""

from collections.abc import Iterator

from almanac.accounts.port import Accounts
from almanac.accounts.service import delete_expired_credentials
from almanac.backup import Installation
from almanac.backup.jobs import daily_backup
from almanac.config import Settings
from almanac.jobs import JobType, RunningJob, Schedule
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

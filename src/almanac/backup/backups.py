"""The backups of an installation: made, tried, kept where the settings say, recorded, and removed when they are old."""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from almanac.backup.names import BAD, DAILY, StoredBackup, archive_name
from almanac.backup.places import BackupPlace, FolderPlace, ObjectPlace
from almanac.backup.port import Installation, MemberListener
from almanac.backup.retention import RetentionPolicy, choose_removed
from almanac.backup.service import BackupReport, make_backup
from almanac.backup.status import OLDEST, BackupKind, BackupResult, BackupRun, BackupStatus, read_status, record_run
from almanac.backup.trial import TrialFailed
from almanac.errors import AlmanacError, InputError
from almanac.kit.messages import gettext
from almanac.relational import Database

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backups:
    """What makes backups of one installation."""

    installation: Installation
    database: Database
    place: BackupPlace
    policy: RetentionPolicy
    passphrase: str | None = None

    async def make(
        self, kind: BackupKind, target: Path | None = None, seen: MemberListener | None = None
    ) -> BackupReport:
        """Make a backup where the settings say, or at `target`, and record what became of it (but no wrong target)."""
        started = self.installation.clock.now()
        label = _absolute(target) if target else self.place.label
        try:
            report = await (self._make_in_place(started, seen) if target is None else self._make_at(target, seen))
        except AlmanacError as error:
            if target is not None and isinstance(error, InputError):
                raise
            result: BackupResult = "bad" if isinstance(error, TrialFailed) else "failed"
            await self._record(self._run(kind, result, label, started, reason=str(error.sentence)))
            if kind == "daily":
                _log.error("The backup to %s failed: %s", label, error.sentence)
            raise
        await self._record(self._run(kind, "good", label, started, report=report))
        return report

    async def list_stored(self) -> list[StoredBackup]:
        """The backups in their place, the newest first."""
        return await self.place.list_stored()

    async def status(self) -> BackupStatus:
        """When the last backup succeeded, and what became of the last attempt."""
        return await read_status(self.database)

    async def find_problem(self) -> str | None:
        """What is wrong with the backups, and what to do; None if all is well, or if they are switched off."""
        return self.describe_problem(await self.status()) if self.policy.days else None

    def describe_problem(self, status: BackupStatus) -> str | None:
        """What is wrong with backups that stand like this."""
        if not self.policy.days:
            return None
        if problem := status.problem(self.installation.clock.now()):
            return problem
        if isinstance(self.place, ObjectPlace) and self.passphrase is None:
            return gettext(
                "Backups go to %(label)s without encryption; set ALMANAC_BACKUP_PASSPHRASE.", label=self.place.label
            )
        return None

    async def find_absence(self) -> str | None:
        """What is wrong with the place itself: whether the last good backup is really there. None if it is.

        A place that isn't there or doesn't answer raises what it says.
        """
        stored = await self.list_stored()
        last = (await self.status()).last_good
        if last is None or not self.policy.days or any(backup.name == last.name for backup in stored):
            return None
        if last.place != self.place.label:
            oldest = self.installation.clock.now() - OLDEST
            has_recent = any(backup.created_at > oldest and not backup.bad for backup in stored)
            if has_recent or await asyncio.to_thread(_is_at, last):
                return None
        return gettext(
            "The last good backup (%(name)s, %(finished_at)s UTC) isn't in %(label)s; make a new one with "
            "`almanac backup`.",
            name=last.name,
            finished_at=f"{last.finished_at:%-d %B %Y at %H:%M}",
            label=self.place.label,
        )

    async def remove_old(self) -> list[StoredBackup]:
        """Remove the backups that the policy no longer keeps."""
        removed = choose_removed(await self.place.list_stored(), self.policy, self.installation.clock.now())
        for backup in removed:
            await self.place.delete(backup.name)
        if isinstance(self.place, FolderPlace):
            self.place.remove_unfinished()
        return removed

    async def _make_at(self, target: Path, seen: MemberListener | None) -> BackupReport:
        return await make_backup(self.installation, target, seen, passphrase=self.passphrase)

    async def _make_in_place(self, moment: datetime, seen: MemberListener | None) -> BackupReport:
        name = archive_name(DAILY, moment, encrypted=self.passphrase is not None)
        if isinstance(self.place, FolderPlace):
            return await self._make_at(self.place.prepare() / name, seen)
        with self.installation.scratch() as scratch:
            try:
                report = await self._make_at(scratch / name, seen)
            except TrialFailed:
                await self.place.keep(scratch / f"{BAD}{name}")
                raise
            await self.place.keep(report.path)
        return report

    def _run(
        self,
        kind: BackupKind,
        result: BackupResult,
        place: str,
        started: datetime,
        *,
        reason: str | None = None,
        report: BackupReport | None = None,
    ) -> BackupRun:
        return BackupRun(
            kind=kind,
            result=result,
            place=place,
            encrypted=self.passphrase is not None,
            started_at=started,
            finished_at=self.installation.clock.now(),
            reason=reason,
            name=report.path.name if report else None,
            bytes=report.bytes if report else 0,
            row_count=report.rows if report else 0,
            item_count=report.items if report else 0,
        )

    async def _record(self, run: BackupRun) -> None:
        async with self.database.unit() as unit:
            await record_run(unit, run)


def _is_at(run: BackupRun) -> bool:
    """Whether the archive is at the path that somebody named for it: a file, or a folder with it."""
    path = Path(run.place)
    return path.is_file() or (path / (run.name or "")).is_file()


def _absolute(path: Path) -> str:
    return str(path.absolute())

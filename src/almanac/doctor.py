"""Health checks of every part; each failed check says what to do."""

import asyncio
import logging
import os
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from almanac.accounts.passkey_site import is_loopback
from almanac.audit.service import verify_chain
from almanac.backup import DAMAGED, FolderPlace, describe_damage
from almanac.config import CHOICES_FILE, choices_path, describe_unknown_variables
from almanac.errors import AlmanacError, NotFound
from almanac.identity import (
    MARKER,
    find_installation,
    find_missing_objects,
    fingerprint,
    read_clock,
    read_marker,
)
from almanac.kit.ids import new_id
from almanac.kit.private_files import list_exposed
from almanac.kit.text import counted
from almanac.objects.memory import MemoryObjectStore
from almanac.relational import list_pending_migrations
from almanac.search.embeddings import EmbeddingIndex
from almanac.services import Services
from almanac.tables import check_tables_writable, find_table_problems
from tablature.engine.history import HistoryArchive
from tablature.errors import TablatureError

LEAST_FREE_BYTES = 500 * 1024 * 1024
LARGEST_CLOCK_DIFFERENCE = 30
LONGEST_HISTORY_DELAY = 300
LONGEST_WAIT_FOR_WORKER = timedelta(minutes=1)

logger = logging.getLogger(__name__)

Check = Callable[[Services], Awaitable[str]]


class CheckFailed(Exception):
    """A check failed; the text says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found."""

    name: str
    well: bool
    about: str


async def run_checks(services: Services) -> list[CheckResult]:
    """Run every check; one that fails doesn't keep the others from running."""
    return [await _examine_one(name, check, services) for name, check in CHECKS.items()]


async def _examine_one(name: str, check: Check, services: Services) -> CheckResult:
    try:
        return CheckResult(name, True, await check(services))
    except CheckFailed as found:
        return CheckResult(name, False, str(found))
    except AlmanacError as error:
        return CheckResult(name, False, error.sentence)
    except TablatureError as error:
        return CheckResult(name, False, str(error))
    except OSError as error:
        return CheckResult(
            name, False, f"{error.filename or name} can't be used ({error.strerror or error}); check it."
        )
    except Exception as error:  # A fault of a check must not hide what the others find.
        logger.debug("a check failed unexpectedly", exc_info=True)
        return CheckResult(name, False, f"The check itself failed ({type(error).__name__}: {error}).")


async def data_folder(services: Services) -> str:
    """The data folder can be written, has room, and is closed to other accounts."""
    folder = services.settings.data
    if not os.access(folder, os.W_OK):
        raise CheckFailed(f"{folder} can't be written; give this account the right to.")
    exposed = await asyncio.to_thread(lambda: list(list_exposed(folder)))
    if exposed:
        others = f" and {counted(len(exposed) - 1, 'other')}" if len(exposed) > 1 else ""
        raise CheckFailed(f"{exposed[0]} can be read by other accounts{others}; run: chmod -R go= {folder}")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE_BYTES:
        raise CheckFailed(f"Only {free // 1024**2:,} MB are free at {folder}; free some space.")
    return f"{folder} can be written, {free // 1024**3:,} GB free"


async def settings(services: Services) -> str:
    """Every variable with our prefix is a setting."""
    if unknown := describe_unknown_variables(os.environ):
        raise CheckFailed(" ".join(unknown))
    chosen = "" if not choices_path(services.settings).exists() else f", some chosen in {CHOICES_FILE}"
    return f"all variables are settings{chosen}"


async def database(services: Services) -> str:
    """PostgreSQL answers and every migration is applied."""
    version = await services.database.check()
    pending = await list_pending_migrations(services.database.url)
    if pending:
        raise CheckFailed(f"{counted(len(pending), 'migration')} not applied; run `almanac migrate`.")
    return f"{version}, all migrations applied"


async def objects(services: Services) -> str:
    """Object storage takes, returns and removes an object, and holds the objects of this installation."""
    await services.objects.check()
    installation, marker = await find_installation(services.database), await read_marker(services.objects)
    if installation and marker and marker != installation.id:
        raise CheckFailed(
            "The object storage belongs to another installation; correct ALMANAC_OBJECTS_URL. If the database was "
            f"copied on purpose, copy the objects too and remove {MARKER}."
        )
    sample = await find_missing_objects(services.database, services.objects)
    if sample.missing:
        raise CheckFailed(
            f"The object storage lacks {sample.missing} of {counted(sample.sampled, 'object')} that the database "
            "names; correct ALMANAC_OBJECTS_URL, or restore a backup."
        )
    usage = await services.objects.usage()
    return f"{counted(usage.objects, 'object')}, {usage.bytes:,} bytes"


async def mail(services: Services) -> str:
    """Mail could leave now."""
    await services.mail_transport.check()
    if not services.mail_leaves:
        return "mail isn't set up: mails are kept here and reach nobody; `almanac setup` changes that"
    return f"mail is sent by {services.mail_transport.name}"


async def tables(services: Services) -> str:
    """The tables are as declared and can be written; the table engine's file is sound."""
    try:
        return await _examine_tables(services)
    except (sqlite3.DatabaseError, TablatureError) as error:
        if sentence := describe_damage(error):
            raise CheckFailed(sentence) from error
        raise


async def _examine_tables(services: Services) -> str:
    differences = await find_table_problems(services.table_service, services.settings)
    if differences:
        raise CheckFailed(" ".join(differences))
    if services.engine is None:
        await check_tables_writable(services.table_service, services.settings)
        return "all tables are as declared and can be written"
    storage = services.engine.storage
    try:
        await asyncio.to_thread(storage.check_writable)
    except sqlite3.Error as error:
        sentence = describe_damage(error)
        raise CheckFailed(
            sentence or f"The table file {storage.path} can't be written ({error}); check its owner and the disk."
        ) from error
    problems = await asyncio.to_thread(storage.check)
    if problems:
        raise CheckFailed(DAMAGED.format(problems[0]))
    delay = await asyncio.to_thread(lambda: HistoryArchive(storage).delay)
    if delay > LONGEST_HISTORY_DELAY:
        raise CheckFailed(
            f"Changes of the tables haven't been archived for {delay / 60:,.0f} minutes, so recent moments can't be "
            "restored if the file is lost; see why in the log, and check the disk."
        )
    return "no damage found in the table file"


async def clocks(services: Services) -> str:
    """This machine, PostgreSQL and the object storage agree on the time."""
    now = datetime.now(UTC)
    others = {"the database": await read_clock(services.database)}
    if not isinstance(services.objects, MemoryObjectStore):
        # One that doesn't answer is named by its own check.
        with suppress(AlmanacError):
            key = f"check/{new_id()}"
            others["the object storage"] = (await services.objects.put(key, b"")).modified_at
            await services.objects.delete(key)
    for name, moment in others.items():
        behind = (now - moment).total_seconds()
        if abs(behind) > LARGEST_CLOCK_DIFFERENCE:
            how = "behind" if behind > 0 else "ahead of"
            raise CheckFailed(
                f"The clock of {name} is {abs(behind):,.0f} seconds {how} this machine's; set both by a time server."
            )
    return "all clocks agree"


async def secret_key(services: Services) -> str:
    """Every machine has the same secret key."""
    installation = await find_installation(services.database)
    if installation and installation.secret_fingerprint != fingerprint(services.secret):
        raise CheckFailed(
            "The secret key of this machine differs from the one that this installation was started with, so sessions, "
            "links and webhooks of others don't hold here; set the same ALMANAC_SECRET_KEY on every machine. If it was "
            "changed on purpose, run `almanac doctor --accept-secret-key` once."
        )
    return "the same as at the first start" if installation else "Almanac hasn't been started yet"


async def audit_log(services: Services) -> str:
    """Nobody has altered the audit log."""
    report = await verify_chain(services.database)
    if not report.intact:
        raise CheckFailed(f"The audit log was altered at entry {report.broken_at}: {report.reason}")
    return f"{counted(report.entries, 'entry', 'entries')}, unaltered"


async def models(services: Services) -> str:
    """Whoever writes may go on, and what it costs is known. Nothing is asked of a model: that would cost."""
    month = await services.models.month()
    if month.paused_until:
        raise CheckFailed(
            f"This month's cap for models is used up (${month.spent:,.2f}); work that needs one waits until "
            f"{month.paused_until:%-d %B %Y}, or until ALMANAC_LLM_MONTHLY_CAP is raised."
        )
    if month.cap is not None and month.unpriced:
        raise CheckFailed(
            f"{counted(month.unpriced, 'use')} had no known price, so the cap can't hold: set ALMANAC_LLM_PRICES."
        )
    return ", ".join(f"{line.what}: {line.model}" for line in services.models.assignments())


async def search(services: Services) -> str:
    """The search index answers; documents too long to be found whole are counted."""
    if services.embedder and not await EmbeddingIndex(services.database, services.embedder).usable():
        raise CheckFailed(
            "ALMANAC_LLM_EMBEDDING_MODEL is set, and this PostgreSQL offers no vectors; let its administrator run "
            "CREATE EXTENSION vector, or search goes by words alone."
        )
    rebuilding = await _describe_rebuild(services)
    size = await services.rebuilds.size()
    cut = f", {size.cut:,} of them too long to be found whole" if size.cut else ""
    return f"{counted(size.documents, 'document')} can be found{cut}{rebuilding}"


async def _describe_rebuild(services: Services) -> str:
    """What is being rebuilt for this version; fails if nothing does it."""
    stale = await services.rebuilds.list_stale()
    size = await services.rebuilds.size()
    if not stale or (not size.documents and all(kind.job_id is None for kind in stale)):
        return ""
    names = ", ".join(kind.name for kind in stale)
    for job_id in {kind.job_id for kind in stale if kind.job_id is not None}:
        with suppress(NotFound):
            job = (await services.jobs.job(job_id)).job
            if not job.status.final:
                return f"; rebuilding {names} for this version in job {job_id}"
    raise CheckFailed(f"Another version indexed {names}; start Almanac to rebuild it, or run `almanac reindex`.")


async def jobs(services: Services) -> str:
    """No job waits for a person, or for a worker that isn't there."""
    backlog = await services.jobs.backlog()
    if backlog.waiting and not backlog.workers and backlog.oldest is not None:
        waits = datetime.now(UTC) - backlog.oldest
        if waits > LONGEST_WAIT_FOR_WORKER:
            raise CheckFailed(
                f"No worker is running for {counted(backlog.waiting, 'waiting job')}; "
                "start `almanac serve` or `almanac worker`."
            )
    failures = await services.jobs.failures()
    faults = [failure for failure in failures if not failure.by_input]
    if faults:
        names = ", ".join(sorted({failure.task for failure in faults}))
        raise CheckFailed(
            f"{counted(len(faults), 'failure')} of {names}; see the failures page or `almanac jobs failures`."
        )
    by_input = len(failures) - len(faults)
    return f"no failures, {by_input} caused by what people gave" if by_input else "no failures"


async def backups(services: Services) -> str:
    """The last backup is recent, in its place, was restored on trial, and is encrypted where others could read it."""
    if isinstance(services.backups.place, FolderPlace):
        await asyncio.to_thread(services.backups.place.prepare)
    absence = await services.backups.find_absence()
    if problem := await services.backups.find_problem() or absence:
        raise CheckFailed(problem)
    if not services.settings.backup_keep_days:
        return "scheduled backups are off (ALMANAC_BACKUP_KEEP_DAYS is 0)"
    last = (await services.backups.status()).last_good
    if last is None:
        return "none yet; the first is made at a quarter past two at night"
    sealed = ", encrypted" if last.encrypted else ""
    return f"the last was made on {last.finished_at:%-d %B %Y at %H:%M} UTC and restored on trial{sealed}"


async def public_side(services: Services) -> str:
    """What anyone may read, and whether they could reach it."""
    settings = services.settings
    if not settings.public_parts:
        return "nothing can be read without an account"
    listed = f"anyone may read {', '.join(settings.public_parts)} at {settings.public_side_url}"
    if is_loopback(urlsplit(settings.public_side_url).hostname or ""):
        return f"{listed}, which others can't reach; set ALMANAC_BASE_URL or ALMANAC_PUBLIC_BASE_URL"
    return listed


CHECKS: dict[str, Check] = {
    "settings": settings,
    "data folder": data_folder,
    "database": database,
    "objects": objects,
    "mail": mail,
    "clocks": clocks,
    "secret key": secret_key,
    "tables": tables,
    "models": models,
    "search": search,
    "audit log": audit_log,
    "jobs": jobs,
    "backups": backups,
    "public side": public_side,
}

"""Exports: starting one, and opening the file it left."""

from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter.completion import try_to_complete
from almanac.desks.newsletter.exports.model import MEDIA_TYPES, Format
from almanac.desks.newsletter.jobs import EXPORT
from almanac.desks.newsletter.model.newsletter import STEPS, ExportRecord
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.generation import Started
from almanac.errors import Conflict, NotFound
from almanac.jobs import RunningJob
from almanac.jobs.port import RunLedger
from almanac.objects import OpenObject
from almanac.services import Services

_OTHER_NAMES = {"md": Format.MARKDOWN, "txt": Format.TEXT, "word": Format.DOCX}


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An exported file, opened for reading."""

    record: ExportRecord
    name: str
    media_type: str
    content: OpenObject


def format_named(name: str) -> Format:
    """The format that a person or a path names."""
    found = _OTHER_NAMES.get(name.lower()) or next((one for one in Format if one.value == name.lower()), None)
    if found is None:
        raise NotFound(f"There is no format {name[:40]}; choose one of {', '.join(Format)}.")
    return found


async def start_export(services: Services, principal: Principal, code: str, name: str) -> Started:
    """Write the issue in a format, in a job. A draft that can be completed is; one that can't is told why."""
    wanted = format_named(name)
    await _ready(services, principal, code)
    lock = f"newsletter:{code}:export:{wanted}"
    job_id = await services.jobs.defer(EXPORT, {"code": code, "wanted": wanted.value}, queueing_lock=lock)
    return Started(job_id, joined=False)


async def export_here(
    services: Services, principal: Principal, code: str, name: str, ledger: RunLedger
) -> ExportRecord:
    """The same without a worker, for a command that waits for the file."""
    wanted = format_named(name)
    await _ready(services, principal, code)
    job: RunningJob[Services] = RunningJob(0, EXPORT.name, 1, services, ledger)
    await EXPORT.run(job, code=code, wanted=wanted.value)
    return (await open_newsletter(services, principal, code, consistent=True)).draft.exports[wanted.value]


async def _ready(services: Services, principal: Principal, code: str) -> None:
    """Only a completed issue leaves the desk."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if any(full.state_of(step).status == "processing" for step in STEPS):
        raise Conflict("A step is still being worked on; wait for it or cancel it first.")
    if full.newsletter.status == "draft":
        _, standing = await try_to_complete(services, full, principal.actor)
        if standing:
            raise Conflict(" ".join(one.sentence for one in standing[:3]), sections=[one.section for one in standing])


async def open_export(services: Services, principal: Principal, code: str, name: str) -> ExportedFile:
    """The file of a format as it was last exported."""
    wanted = format_named(name)
    full = await open_newsletter(services, principal, code)
    record = full.draft.exports.get(wanted.value)
    if record is None:
        raise NotFound(f"This newsletter was not exported as {wanted} yet; start the export first.")
    content = await services.objects.open(record.key)
    ending = record.key.rsplit("export.", 1)[-1]
    return ExportedFile(record, f"{code}.{ending}", MEDIA_TYPES[wanted], content)

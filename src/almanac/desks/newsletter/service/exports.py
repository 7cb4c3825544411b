"""Export an issue, open an exported file, and send a test mail to oneself."""

import asyncio
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter.formats.export_file import MEDIA_TYPES, ExportFormat
from almanac.desks.newsletter.formats.html import render_issue_mail
from almanac.desks.newsletter.formats.publication_builder import build_issue
from almanac.desks.newsletter.jobs import EXPORT
from almanac.desks.newsletter.model.newsletter import STEPS, ExportRecord
from almanac.desks.newsletter.pipeline.export import complete_if_ready
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.steps import StartedStepJob
from almanac.errors import Conflict, NotFound
from almanac.jobs import RunningJob
from almanac.jobs.port import RunLedger
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext, translate
from almanac.kit.text import shorten
from almanac.mail.message import MAX_SUBJECT_LENGTH, Address, Message
from almanac.objects import OpenObject
from almanac.services import Services

_OTHER_NAMES = {"md": ExportFormat.MARKDOWN, "txt": ExportFormat.TEXT, "word": ExportFormat.DOCX}
TOPIC = "newsletter-test"


@dataclass(frozen=True, slots=True)
class OpenedExport:
    """An exported file, opened for reading."""

    record: ExportRecord
    name: str
    media_type: str
    content: OpenObject


def parse_format(name: str) -> ExportFormat:
    """The format with this name or alias. Raises NotFound."""
    export_format = _OTHER_NAMES.get(name.lower()) or next(
        (candidate for candidate in ExportFormat if candidate.value == name.lower()), None
    )
    if export_format is None:
        raise NotFound(
            gettext(
                "There is no format %(name)s; choose one of %(choices)s.",
                name=name[:40],
                choices=", ".join(ExportFormat),
            )
        )
    return export_format


async def start_export(services: Services, principal: Principal, code: str, name: str) -> StartedStepJob:
    """Start an export job. A draft is completed first. Raises Conflict if something blocks that."""
    export_format = parse_format(name)
    await _ensure_completed(services, principal, code)
    lock = f"newsletter:{code}:export:{export_format}"
    job_id = await services.jobs.defer(EXPORT, {"code": code, "wanted": export_format.value}, queueing_lock=lock)
    return StartedStepJob(job_id, joined=False)


async def export_now(services: Services, principal: Principal, code: str, name: str, ledger: RunLedger) -> ExportRecord:
    """Export without a worker, for a command that waits for the file."""
    export_format = parse_format(name)
    await _ensure_completed(services, principal, code)
    job: RunningJob[Services] = RunningJob(0, EXPORT.name, 1, services, ledger)
    await EXPORT.run(job, code=code, wanted=export_format.value)
    return (await open_newsletter(services, principal, code, consistent=True)).draft.exports[export_format.value]


async def _ensure_completed(services: Services, principal: Principal, code: str) -> None:
    """Complete a draft; only a completed issue is exported."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if any(full.step_state(step).status == "processing" for step in STEPS):
        raise Conflict(gettext("A step is still running; wait for it or cancel it first."))
    if full.newsletter.is_draft:
        _, obstacles = await complete_if_ready(services, full, principal.actor)
        if obstacles:
            raise Conflict(
                " ".join(obstacle.sentence for obstacle in obstacles[:3]),
                sections=[obstacle.section for obstacle in obstacles],
            )


async def open_export(services: Services, principal: Principal, code: str, name: str) -> OpenedExport:
    """The latest exported file of a format. Raises NotFound if there is none."""
    export_format = parse_format(name)
    full = await open_newsletter(services, principal, code)
    record = full.draft.exports.get(export_format.value)
    if record is None:
        raise NotFound(
            gettext(
                "This newsletter hasn't been exported as %(format)s yet; start the export first.",
                format=export_format,
            )
        )
    content = await services.objects.open(record.key)
    ending = record.key.rsplit("export.", 1)[-1]
    return OpenedExport(record, f"{code}.{ending}", MEDIA_TYPES[export_format], content)


def mark_as_test(subject: str, language: str) -> str:
    """The subject of a test mail, in the language of the issue."""
    return translate(gettext("Test: %(subject)s", subject=subject), language)


async def send_test_mail(services: Services, principal: Principal, code: str) -> str:
    """Queue a mail with the draft to the principal; returns the mail's id. Every call sends another mail."""
    full = await open_newsletter(services, principal, code)
    if not full.draft.draft.word_count:
        raise Conflict(gettext("Nothing to send yet; write the draft first."))
    today = services.clock.now().date()
    publication = await asyncio.to_thread(build_issue, full, today)
    mail = await asyncio.to_thread(render_issue_mail, publication)
    message = Message(
        to=(Address(principal.email, principal.name),),
        subject=shorten(mark_as_test(mail.subject, publication.front.language), MAX_SUBJECT_LENGTH),
        text=mail.text,
        html=mail.html,
        topic=TOPIC,
    )
    async with services.database.unit() as unit:
        queued = await services.mailer.queue(message, key=f"newsletter-test:{code}:{new_id()}", unit=unit)
    return queued.id

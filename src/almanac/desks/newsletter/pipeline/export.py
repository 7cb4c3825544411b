"""Writes an issue in one format and keeps the file under its documented key, with the revision it came from."""

import asyncio

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter import store
from almanac.desks.newsletter.completion import try_to_complete
from almanac.desks.newsletter.exports.model import Export, Format
from almanac.desks.newsletter.exports.writers import export_issue
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.issue import issue_of
from almanac.desks.newsletter.model.newsletter import ExportRecord, FullNewsletter
from almanac.desks.newsletter.objects import export_key
from almanac.desks.newsletter.pipeline.running import StageRun
from almanac.errors import Conflict

ENDINGS = {
    Format.PDF: "pdf",
    Format.DOCX: "docx",
    Format.HTML: "html",
    Format.WEB: "web.html",
    Format.MARKDOWN: "md",
    Format.TEXT: "txt",
}


async def export(stage: StageRun, wanted: Format) -> ExportRecord:
    """Only a completed issue leaves the desk; one that could be completed is, on the way."""
    full = await stage.read()
    if full.newsletter.status == "draft":
        full, standing = await try_to_complete(stage.services, full, SYSTEM)
        if standing:
            raise Conflict(" ".join(one.sentence for one in standing[:3]))
    await stage.report(0, 1, f"Writing {wanted}")
    written = await written_issue(stage, full, wanted)
    key = export_key(stage.code, ENDINGS[wanted])
    await stage.services.objects.put(key, written.content, content_type=written.media_type)
    record = ExportRecord(
        key=key,
        generated_at=stage.services.clock.now(),
        size=len(written.content),
        revision=full.draft.draft.revision or None,
    )
    await store.save_export(stage.services.tables, await stage.read(), wanted.value, record)
    await index_newsletter(stage.services, await stage.read())
    await stage.report(1, 1, " ".join(written.notes) or f"{written.file_name} is ready")
    return record


async def written_issue(stage: StageRun, full: FullNewsletter, wanted: Format) -> Export:
    """The file itself, made off the loop."""
    today = stage.services.clock.now().date()
    return await asyncio.to_thread(lambda: export_issue(issue_of(full, today), wanted))

"""Completes a draft whose sentences are all supported, confirmed or the editor's own, and exports the issue.

The file is kept under its documented key, with the revision it was made from.
"""

import asyncio
from dataclasses import replace

from almanac.audit.model import SYSTEM, Actor
from almanac.citations.store import replace_citations
from almanac.desks.newsletter.events import COMPLETED, publish_event
from almanac.desks.newsletter.formats.export_file import ExportFile, ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication_builder import build_issue
from almanac.desks.newsletter.indexing import index_newsletter
from almanac.desks.newsletter.model.newsletter import ExportRecord, FullNewsletter
from almanac.desks.newsletter.model.verification import (
    CompletionObstacle,
    list_citation_uses,
    list_cited_chunks,
    list_obstacles,
    open_cache,
    trace_sentences,
)
from almanac.desks.newsletter.pipeline.context import StepContext
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store.objects import export_key
from almanac.errors import Conflict
from almanac.services import Services

ENDINGS = {
    ExportFormat.PDF: "pdf",
    ExportFormat.DOCX: "docx",
    ExportFormat.HTML: "html",
    ExportFormat.WEB: "web.html",
    ExportFormat.MARKDOWN: "md",
    ExportFormat.TEXT: "txt",
}


async def complete_if_ready(
    services: Services, full: FullNewsletter, by: Actor
) -> tuple[FullNewsletter, list[CompletionObstacle]]:
    """Complete the newsletter, or return it unchanged with everything that blocks completion."""
    cache = open_cache(full)
    checked = await check_draft(services, full, cache)
    obstacles = list_obstacles(full, checked)
    if obstacles or not full.newsletter.is_draft:
        return full, obstacles
    now = services.clock.now()
    draft, covered = full.draft.draft, list_cited_chunks(checked)
    traced = await asyncio.to_thread(trace_sentences, checked, full.topics.chunks, cache)
    async with services.database.unit() as unit:
        await publish_event(
            unit, services, by, COMPLETED, full.newsletter, revision=draft.revision, words=draft.word_count
        )
        await replace_citations(unit, full.code, list_citation_uses(full.newsletter, traced, now))
        await newsletter_store.complete_newsletter(
            services.tables, full.code, covered=covered, version=draft.version, now=now
        )
    newsletter = replace(full.newsletter, status="completed", completed_at=now, covered_chunks=covered)
    completed = replace(full, newsletter=newsletter)
    await index_newsletter(services, completed)
    return completed, []


async def export_newsletter(ctx: StepContext, export_format: ExportFormat) -> ExportRecord:
    """Export a completed issue; a draft that can be completed is completed first. Raises Conflict if it can't."""
    full = await ctx.read()
    if full.newsletter.is_draft:
        full, obstacles = await complete_if_ready(ctx.services, full, SYSTEM)
        if obstacles:
            raise Conflict(" ".join(obstacle.sentence for obstacle in obstacles[:3]))
    await ctx.report(0, 1, f"Writing {export_format}")
    written = await render_issue(ctx, full, export_format)
    key = export_key(ctx.code, ENDINGS[export_format])
    await ctx.services.objects.put(key, written.content, content_type=written.media_type)
    record = ExportRecord(
        key=key,
        generated_at=ctx.services.clock.now(),
        size=len(written.content),
        revision=full.draft.draft.revision or None,
    )
    await draft_store.save_export(ctx.services.tables, await ctx.read(), export_format.value, record)
    await index_newsletter(ctx.services, await ctx.read())
    await ctx.report(1, 1, " ".join(written.notes) or f"{written.file_name} is ready")
    return record


async def render_issue(ctx: StepContext, full: FullNewsletter, export_format: ExportFormat) -> ExportFile:
    """The file, rendered in a thread."""
    today = ctx.services.clock.now().date()
    return await asyncio.to_thread(lambda: export_issue(build_issue(full, today), export_format))

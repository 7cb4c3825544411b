"""Publish a recap: an article with all its thin items, a permanent version, and its entries in the indexes.

The order makes it safe to be killed anywhere: objects, then the version, then the article in one write, then the
indexes. Until the article is written the old one stays complete; publishing again resumes from whatever was done.
An article that is held or withdrawn gets its version and stays where it is; a sitting that doesn't reconcile is held.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.audit.model import SYSTEM, Actor
from almanac.desks.recap.events import PUBLISHED, REMADE, record_event
from almanac.desks.recap.indexing import index_article, search_document, unindex_article
from almanac.desks.recap.model.editorial import CorrectionStatus, ReconciliationFinding, apply_corrections
from almanac.desks.recap.model.identity import article_id_for, task_pk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.model.reconciliation import find_contradictions
from almanac.desks.recap.pipeline.alert_matches import announce_speeches
from almanac.desks.recap.pipeline.status import settle_status
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import editorial, tasks
from almanac.desks.recap.store.article_mapping import article_from_recap
from almanac.desks.recap.store.articles import ArticleWriteConflict
from almanac.desks.recap.store.objects import article_prefix, content_digest, save_asset, task_prefixes
from almanac.desks.recap.store.speech_mapping import build_speech_entries
from almanac.desks.recap.store.table import Article, ArticleCorrection, EditorialStatus, Version
from almanac.errors import StaleEdit, Unavailable
from almanac.kit.messages import gettext
from almanac.services import Services
from tablature import replace

_ATTEMPTS = 5
_FINAL_RECORD = "The final record took the place of the preliminary one."


@dataclass(frozen=True, slots=True)
class PublishedArticle:
    """The id and version of a published article, and whether the version is new.

    `is_shown` is False where the article is held or withdrawn, so that no reader sees the version.
    """

    article_id: str
    version: int
    is_new: bool
    is_shown: bool = True


@dataclass(frozen=True, slots=True)
class _Draft:
    """A recap on its way, as `written` and with its corrections, what doesn't reconcile, and where the article is."""

    meeting: Meeting
    written: Recap
    recap: Recap
    record_url: str
    reason: str
    findings: Sequence[ReconciliationFinding]
    status: EditorialStatus | None
    existing: Article | None
    current: Article | None
    """The article as it is, published or not."""

    @property
    def is_shown(self) -> bool:
        if self.status is not None and self.status.state != "published":
            return False
        accepted = self.status.accepted if self.status else ""
        return not self.findings or accepted == editorial.findings_digest(self.findings)


async def publish_recap(
    services: Services, meeting: Meeting, recap: Recap, *, record_url: str, reason: str = "", by: Actor = SYSTEM
) -> PublishedArticle:
    """Publish a recap with the corrections that still apply; the same content makes no new version."""
    for _ in range(_ATTEMPTS):
        try:
            draft = await _draft(services, meeting, recap, record_url, reason)
            article, is_new = await _put_version(services, draft)
        except (ArticleWriteConflict, StaleEdit):
            continue
        if draft.is_shown:
            await _index_and_announce(services, article, draft.recap, meeting, by)
        status = await editorial.find_status(services.tables, article.id)
        if status is not None and status.state != "published":
            # Also if somebody held or withdrew it while it was being indexed.
            await settle_status(services, status, by=by)
        return PublishedArticle(article.id, article.version or 1, is_new, draft.is_shown)
    raise Unavailable(gettext("This article is being published elsewhere at the same time; try again in a moment."))


async def withdraw_meeting(services: Services, meeting: Meeting) -> None:
    """Remove a meeting's article with everything that belongs to it, and its task."""
    article_id, pk = article_id_for(meeting), task_pk(meeting)
    await store.remove_article(services.tables, article_id)
    await editorial.remove_decisions(services.tables, article_id)
    await tasks.delete_task(services.tables, pk)
    async with services.database.unit() as unit:
        await unindex_article(unit, services, article_id)
    for prefix in (article_prefix(article_id), *task_prefixes(pk)):
        await services.objects.delete_prefix(prefix)


async def _draft(services: Services, meeting: Meeting, recap: Recap, record_url: str, reason: str) -> _Draft:
    tables, article_id = services.tables, article_id_for(meeting)
    status = await editorial.find_status(tables, article_id)
    corrections = await editorial.list_corrections(tables, article_id)
    standing = [each for each in corrections if each.status != "undone" and each.kind != "withdrawn"]
    corrected, unmatched = apply_corrections(recap, [editorial.recap_correction(each) for each in standing])
    await _mark_unmatched(services, standing, unmatched)
    existing = await store.find_article(tables, article_id, consistent=True)
    current = existing
    if existing is None and status is not None:
        current = await editorial.load_item(services, status.item_url)
    if current is not None and current.record_stage == "preliminary" and not meeting.is_preliminary:
        reason = _FINAL_RECORD
    findings = find_contradictions(corrected)
    return _Draft(meeting, recap, corrected, record_url, reason, findings, status, existing, current)


async def _mark_unmatched(
    services: Services, corrections: Sequence[ArticleCorrection], unmatched: frozenset[str]
) -> None:
    """Note which corrections no longer match, and which match again, for editors to look at."""
    for correction in corrections:
        now: CorrectionStatus = "unmatched" if correction.correction_id in unmatched else "applied"
        if correction.status != now:
            await editorial.set_correction_status(services.tables, correction.id, correction.correction_id, now)


async def _put_version(services: Services, draft: _Draft) -> tuple[Article, bool]:
    """The article as it is now, and whether it has a new version."""
    current, digest = draft.current, content_digest(draft.recap)
    is_same = current is not None and current.version is not None and current.content_digest == digest
    if is_same and current is not None and (draft.is_shown or draft.existing is None):
        if draft.existing is not None:
            await store.repair_article(services.tables, current.id)
        return current, False
    number = ((current.version or 0) if current else 0) + 1
    asset_url = await save_asset(services, article_id_for(draft.meeting), draft.recap, draft.record_url)
    now = services.clock.now()
    article = article_from_recap(
        draft.meeting,
        draft.recap,
        asset_url=asset_url,
        version=number,
        now=now,
        published_at=current.published_at if current else None,
    )
    base_url = asset_url
    if draft.written != draft.recap:
        base_url = await save_asset(services, article.id, draft.written, draft.record_url)
    version = _version(article, draft, digest, base_url, now)
    if draft.is_shown:
        await store.put_article(
            services.tables, article, version, replaces=draft.existing.version if draft.existing else None
        )
    else:
        await store.put_version(services.tables, version)
        await _hold(services, draft, article, now)
    return article, True


def _version(article: Article, draft: _Draft, digest: str, base_url: str, now: datetime) -> Version:
    provenance = draft.recap.provenance
    # What was written before the version in place is published again, such as with a correction.
    last = draft.current.updated_at if draft.current else None
    is_written_before = last is not None and provenance.made_at.replace(microsecond=0) <= last
    return Version(
        id=article.id,
        number=article.version or 1,
        asset_url=article.asset_url or "",
        base_url=base_url,
        record_url=draft.record_url,
        content_digest=digest,
        record_digest=draft.meeting.digest,
        title=draft.recap.title,
        made_at=now if is_written_before else provenance.made_at,
        model=provenance.model,
        prompt_version=provenance.prompt_version,
        reason=draft.reason,
    )


async def _hold(services: Services, draft: _Draft, article: Article, now: datetime) -> None:
    """Keep a version that readers don't see: of an article that is held or withdrawn, or of one to be held now."""
    status, item_url = draft.status, await editorial.save_item(services, article)
    findings = editorial.stored_findings(draft.findings)
    if status is not None and status.state != "published":
        # The decision stays as it is; only what would be published changes.
        kept = replace(status, item_url=item_url, title=article.title, findings=findings)
        await editorial.put_status(services.tables, kept, replaces=status.revision)
        return
    revision = status.revision if status else 0
    held = EditorialStatus(
        id=article.id,
        state="held",
        revision=revision + 1,
        since=now,
        item_url=item_url,
        title=article.title,
        date=article.date,
        name_of_house=article.name_of_house,
        name_of_meeting=article.name_of_meeting,
        findings=findings,
        accepted=status.accepted if status else "",
    )
    await editorial.put_status(services.tables, held, replaces=revision)


async def _index_and_announce(services: Services, article: Article, recap: Recap, meeting: Meeting, by: Actor) -> None:
    """Index the article, and record an event unless this version was indexed before."""
    document = search_document(article, recap, meeting)
    entries = await asyncio.to_thread(build_speech_entries, article, recap, meeting)
    async with services.database.unit() as unit:
        if await index_article(unit, services, article, document, entries):
            await record_event(
                unit,
                services,
                by,
                PUBLISHED if article.version == 1 else REMADE,
                article.id,
                title=article.title,
                version=article.version or 1,
                issue_id=meeting.issue_id,
            )
            if article.version == 1:
                await announce_speeches(unit, services, article.id)

"""One article: its texts with the official record, its versions and their differences, timelines across meetings."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from almanac.desks.recap.model.foreign import parse_participants
from almanac.desks.recap.model.items import ArticleCard, LegislativeItem, LegislativeItemCard
from almanac.desks.recap.model.recap import Dialog, Recap
from almanac.desks.recap.model.views import (
    ArticleVersionView,
    ForeignArticle,
    FullArticle,
    MeetingTimeline,
    MeetingTimelineEntry,
    RecapPart,
    VersionDifference,
)
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import editorial
from almanac.desks.recap.store.article_mapping import card_from_article, facet_values
from almanac.desks.recap.store.foreign_assets import copy_texts, load_texts
from almanac.desks.recap.store.objects import load_asset, load_record
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import Article
from almanac.errors import Gone, InputError, NotFound
from almanac.kit.messages import gettext
from almanac.services import Services


async def get_published(services: RecapReads, article_id: str) -> Article:
    """The item of a published article. Gone with the reason if it was withdrawn, NotFound if there is none."""
    article = await store.find_article(services.tables, article_id)
    if article is not None:
        return article
    status = await editorial.find_status(services.tables, article_id)
    if status is not None and status.state == "withdrawn":
        raise Gone(gettext("This article was withdrawn: %(reason)s", reason=status.reason))
    if status is not None and status.state == "held":
        raise NotFound(gettext("This article isn't published at present: an editor is checking it."))
    raise NotFound(gettext("There is no article with this id."))


async def open_article(services: RecapReads, article_id: str, version: int | None = None) -> FullArticle:
    """An article with its texts and official record, in the given version or the latest.

    NotFound if there is no such article or version, or if its texts can't be read here.
    """
    return await _open_item(services, await get_published(services, article_id), version)


async def _open_item(services: RecapReads, article: Article, version: int | None = None) -> FullArticle:
    latest = article.version or 1
    url = article.asset_url or ""
    if version is not None and version != latest:
        url = (await store.get_version(services.tables, article, version)).asset_url
    asset = await load_asset(services, url)
    return FullArticle(
        card=card_from_article(article),
        recap=asset.recap,
        meeting=await load_record(services, asset.record_url),
        version=version or latest,
        latest=latest,
        updated_at=article.updated_at,
        bills=article.bills or (),
        agenda=article.agenda or (),
    )


async def show_article(
    services: RecapReads, article_id: str, version: int | None = None
) -> FullArticle | ForeignArticle:
    """The article for a reader; a ForeignArticle where another program wrote it, as far as its texts are here."""
    return await read_item(services, await get_published(services, article_id), version)


async def read_item(services: RecapReads, article: Article, version: int | None = None) -> FullArticle | ForeignArticle:
    """The same for an article item that may not be published."""
    try:
        return await _open_item(services, article, version)
    except NotFound as unreadable:
        if version not in (None, article.version):
            raise
        return await _foreign_article(services, article, unreadable.sentence)


async def read_article(services: Services, article_id: str, version: int | None = None) -> FullArticle | ForeignArticle:
    """The same in the workspace, which gets the texts of another program from where they are."""
    article = await get_published(services, article_id)
    try:
        return await _open_item(services, article, version)
    except NotFound as unreadable:
        if version not in (None, article.version):
            raise
        problem = unreadable.sentence if article.version else (await copy_texts(services, article)).problem
        return await _foreign_article(services, article, problem)


async def _foreign_article(services: RecapReads, article: Article, problem: str) -> ForeignArticle:
    texts = await load_texts(services, article)
    return ForeignArticle(
        card=card_from_article(article),
        description=article.description or "",
        problem="" if texts else problem,
        issue_id=article.issue_id or "",
        participants=parse_participants(article.participants),
        keywords=facet_values(article)["keyword"],
        terms=[term for term in article.terms if _is_explained(term)],
        texts=texts,
        updated_at=article.updated_at,
    )


def _is_explained(term: object) -> bool:
    return isinstance(term, dict) and bool(term.get("term")) and bool(term.get("definition"))


async def list_versions(services: RecapReads, article_id: str) -> list[ArticleVersionView]:
    """Every published version, the latest first; one that is still being published is left out."""
    article = await get_published(services, article_id)
    stored = [
        version
        async for version in store.iterate_versions(services.tables, article_id)
        if version.number <= (article.version or 0)
    ]
    bases = {version.number: version.base_url or version.asset_url for version in stored}
    return [
        ArticleVersionView(
            number=version.number,
            title=version.title,
            made_at=version.made_at,
            model=version.model,
            prompt_version=version.prompt_version,
            record_digest=version.record_digest,
            reason=version.reason,
            is_edited=bases[version.number] == bases.get(version.number - 1),
        )
        for version in stored
    ]


async def compare_versions(services: RecapReads, article_id: str, older: int, newer: int) -> list[VersionDifference]:
    """The lines that only the older or only the newer version has, part by part."""
    if older >= newer:
        raise InputError(gettext("Compare an older version with a newer one, such as 1 with 2."))
    article = await get_published(services, article_id)
    versions = [await store.get_version(services.tables, article, number) for number in (older, newer)]
    before, after = [(await load_asset(services, version.asset_url)).recap for version in versions]
    differences = list(diff_recaps(before, after))
    if versions[0].record_digest != versions[1].record_digest:
        differences.append(VersionDifference("record", "added", "The official record itself was changed."))
    return differences


def diff_recaps(before: Recap, after: Recap) -> Iterator[VersionDifference]:
    """Lines of each part that the other recap doesn't have."""
    old, new = _recap_lines(before), _recap_lines(after)
    for part in old:
        yield from _diff_part(part, old[part], new[part])


def _diff_part(part: RecapPart, old: Sequence[str], new: Sequence[str]) -> Iterator[VersionDifference]:
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (VersionDifference(part, "removed", line) for line in old[first:last])
            yield from (VersionDifference(part, "added", line) for line in new[start:end])


def _recap_lines(recap: Recap) -> Mapping[RecapPart, list[str]]:
    return {
        "title": [recap.title],
        "description": [recap.description],
        "categories": list(recap.categories),
        "key_points": [point.text for point in recap.key_points],
        "summary": [sentence.text for sentence in recap.summary],
        "soft_language_summary": [sentence.text for sentence in recap.soft_language_summary],
        "middle_summary": [
            line
            for section in recap.middle_summary
            for line in (section.title, *(sentence.text for sentence in section.sentences))
        ],
        "dialogs": [_dialog_line(dialog) for dialog in recap.dialogs],
        "participants": [
            " ".join(filter(None, (person.name, person.group, person.position))) for person in recap.participants
        ],
        "keywords": [keyword.keyword for keyword in recap.keywords],
        "terms": [f"{term.term}: {term.definition}" for term in recap.terms],
    }


def _dialog_line(dialog: Dialog) -> str:
    bullets = [bullet for section in dialog.summary_sections for bullet in section.bullets]
    return " ".join([f"{dialog.order} {dialog.speaker} [{dialog.reaction}]", dialog.summary, *bullets]).strip()


async def get_issue_timeline(services: RecapReads, issue_id: str) -> MeetingTimeline:
    """The articles about one record."""
    cards = await store.list_issue_history(services.tables, issue_id)
    if not cards:
        raise NotFound(gettext("There is no article about this record."))
    entries = [MeetingTimelineEntry(card=card, title=card.title) for card in cards]
    return MeetingTimeline(key=issue_id, title=cards[-1].title, entries=entries)


async def get_bill_timeline(services: RecapReads, key: str) -> MeetingTimeline:
    """The sittings that dealt with a bill, in both houses and all committees."""
    cards = await store.list_bill_history(services.tables, key)
    return _timeline(key, [(card, card.bills or ()) for card in cards], "There is no article about this bill.")


async def get_agenda_timeline(services: RecapReads, key: str) -> MeetingTimeline:
    """The sittings that had an item on their agenda."""
    cards = await store.list_agenda_history(services.tables, key)
    return _timeline(key, [(card, card.agenda or ()) for card in cards], "No article has this item on its agenda.")


def _timeline(
    key: str, cards: Sequence[tuple[LegislativeItemCard, Sequence[LegislativeItem]]], missing: str
) -> MeetingTimeline:
    if not cards:
        raise NotFound(missing)
    entries = [_timeline_entry(key, card, items) for card, items in cards]
    return MeetingTimeline(key=key, title=entries[-1].title, entries=entries)


def _timeline_entry(key: str, card: ArticleCard, items: Sequence[LegislativeItem]) -> MeetingTimelineEntry:
    item = next((item for item in items if item["key"] == key), LegislativeItem(key=key, title=key))
    return MeetingTimelineEntry(
        card=card, title=item["title"], outcome=item.get("outcome", ""), orders=item.get("orders", [])
    )

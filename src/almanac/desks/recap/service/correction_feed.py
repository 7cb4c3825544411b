"""Corrections and withdrawals as a feed, and withdrawals in the feeds of articles."""

from datetime import date

from almanac.desks.recap.model.editorial import CorrectionView
from almanac.desks.recap.model.houses import HOUSES
from almanac.desks.recap.service.corrections import list_corrections
from almanac.desks.recap.store import editorial
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import EditorialStatus
from almanac.desks.recap.urls import WORKSPACE, RecapUrls
from almanac.feeds.model import Feed, FeedItem
from almanac.kit.messages import gettext, join_texts, pgettext, translate

_LANGUAGE, _ITEMS, _WITHDRAWALS = "ja", 50, 20


async def build_corrections_feed(
    services: RecapReads, *, base: str, self_link: str, to: RecapUrls = WORKSPACE, language: str = _LANGUAGE
) -> Feed:
    """The latest corrections of all articles; `to` says where on `base` their pages are."""
    listed = await list_corrections(services, limit=_ITEMS)
    return Feed(
        title=translate(gettext("Corrections"), language),
        link=base + to.corrections(),
        self_link=self_link,
        description=translate(gettext("What was corrected or withdrawn, and why."), language),
        items=tuple(_item(correction, base, to, language) for correction in listed.items),
        language=language,
    )


def _item(correction: CorrectionView, base: str, to: RecapUrls, language: str) -> FeedItem:
    words = (
        pgettext("article", "Withdrawn: %(meeting)s", meeting=_name(correction.house, correction.meeting))
        if correction.kind == "withdrawn"
        else pgettext("article", "Corrected: %(meeting)s", meeting=_name(correction.house, correction.meeting))
    )
    lines = [correction.note]
    if correction.before:
        lines.append(translate(gettext("Before: %(text)s", text=correction.before), language))
    if correction.after:
        lines.append(translate(gettext("Now: %(text)s", text=correction.after), language))
    return FeedItem(
        id=f"urn:almanac:recap:correction:{correction.correction_id}",
        title=translate(words, language),
        link=base + to.article_corrections(correction.article_id),
        published=correction.created_at,
        summary="\n".join(lines),
        language=_LANGUAGE,
        event_day=_day(correction.date),
    )


async def list_withdrawals(services: RecapReads, *, base: str, to: RecapUrls, language: str) -> list[FeedItem]:
    """The latest withdrawals under the ids of their articles, so that a reader's program replaces what it has."""
    page = await editorial.list_statuses(services.tables, "withdrawn", limit=_WITHDRAWALS)
    return [_withdrawal(status, base, to, language) for status in page.items]


def _withdrawal(status: EditorialStatus, base: str, to: RecapUrls, language: str) -> FeedItem:
    name = _name(status.name_of_house or "", status.name_of_meeting or "")
    return FeedItem(
        id=f"urn:almanac:recap:{status.id}",
        title=translate(pgettext("article", "Withdrawn: %(meeting)s", meeting=name), language),
        link=base + to.article(status.id),
        published=status.since,
        updated=status.since,
        summary=status.reason,
        language=_LANGUAGE,
        event_day=_day(status.date),
    )


def _name(house: str, meeting: str) -> str:
    """House and committee; the title isn't repeated, since it may be what was wrong."""
    return join_texts([name for name in (HOUSES.get(house, house), meeting) if name], " ")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None

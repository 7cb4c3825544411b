"""Articles and speeches within other sites: small pages that may be framed, and what oEmbed says of them."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from almanac.desks.recap.model.facts.speech_text import spoken_text
from almanac.desks.recap.model.facts.weights import weight_of_decision
from almanac.desks.recap.model.office_lines import join_offices
from almanac.desks.recap.model.record_names import language_of
from almanac.desks.recap.published.cards import article_preview, describe_count, describe_sitting
from almanac.desks.recap.published.labels import LABELS
from almanac.desks.recap.published.layout import urls
from almanac.desks.recap.service.articles import get_published, open_article
from almanac.desks.recap.store import articles as article_store
from almanac.desks.recap.store.article_mapping import card_from_article
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.public import Embed, PublicPage, PublicRequest
from almanac.public.links import join_path
from almanac.public.model import ValuesLoader

ARTICLE_HEIGHT, SPEECH_HEIGHT = 380, 320
_MOST_DECISIONS = 3
_LONGEST_EXCERPT = 400
_PAGE = re.compile(r"/recap/articles/(?P<id>[^/]{1,600})(?:/speeches/(?P<order>\d{1,7}))?")


async def find_embed(request: PublicRequest) -> Embed | None:
    """What an address is embedded as: an article, or the speech that it names; None for any other page."""
    match = _PAGE.fullmatch(request.path)
    if match is None:
        return None
    stored = await article_store.find_article(request.ports.tables, unquote(match["id"])[:200])
    if stored is None:
        return None
    card = card_from_article(stored)
    asked = request.query.get("speech", "")
    order = match["order"] or (asked if asked.isascii() and asked.isdecimal() and len(asked) < 8 else "")
    page = f"/recap{join_path('articles', card.id)}"
    if not order:
        image = article_preview(card, request.language)
        return Embed(title=card.title, frame=f"{page}/embed", height=ARTICLE_HEIGHT, image=image)
    meeting = (await open_article(request.ports, card.id)).meeting
    if int(order) not in meeting.by_order:
        return None
    title = f"{meeting.by_order[int(order)].speaker}: {card.title}"
    return Embed(title=title, frame=f"{page}/speeches/{int(order)}/embed", height=SPEECH_HEIGHT)


async def show_article_embed(request: PublicRequest) -> PublicPage:
    """An article in small, for frames of other sites."""
    stored = await get_published(request.ports, request.params["article_id"][:200])
    card, to = card_from_article(stored), urls(request, whole=True)

    async def load() -> Mapping[str, object]:
        try:
            decisions = (await open_article(request.ports, card.id)).recap.facts.decisions
        except NotFound:
            decisions = ()
        ranked = sorted((decision for decision in decisions if decision.subject), key=weight_of_decision)
        shown = [(decision, describe_count(decision)) for decision in ranked[:_MOST_DECISIONS]]
        return {
            "card": card,
            "place": describe_sitting(card, request.language),
            "shown": shown,
            "more": len(decisions) - len(shown),
            "href": to.article(card.id),
            "labels": LABELS,
            "lang_of": language_of,
        }

    stamp = (stored.version, stored.updated_at, stored.asset_url)
    return _frame(card.title, "embed", f"/recap{join_path('articles', card.id)}", stamp, load)


async def show_speech_embed(request: PublicRequest) -> PublicPage:
    """A speech in the record's own words, for frames of other sites."""
    order = request.params["order"]
    article = await open_article(request.ports, request.params["article_id"][:200])
    speech = article.meeting.by_order.get(int(order)) if order.isascii() and order.isdecimal() else None
    if speech is None or len(order) > 7:
        raise NotFound(gettext("This speech doesn't exist."))
    card, to = article.card, urls(request, whole=True)

    async def load() -> Mapping[str, object]:
        text = spoken_text(speech)
        return {
            "card": card,
            "place": describe_sitting(card, request.language),
            "speech": speech,
            "excerpt": text[:_LONGEST_EXCERPT],
            "is_cut": len(text) > _LONGEST_EXCERPT,
            "href": to.speech(card.id, speech.order),
            "lang_of": language_of,
            "join_offices": join_offices,
        }

    path = f"/recap{join_path('articles', card.id)}"
    return _frame(card.title, "embed_speech", path, (article.version, article.updated_at, order), load)


def _frame(title: str, template: str, canonical: str, stamp: object, load: ValuesLoader) -> PublicPage:
    return PublicPage(
        template=f"recap/{template}.html",
        title=title,
        stamp=stamp,
        load=load,
        canonical=canonical,
        is_listed=False,
        may_be_framed=True,
    )

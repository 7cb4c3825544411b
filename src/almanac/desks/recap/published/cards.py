"""Pictures of the desk's pages for link previews: articles with their weightiest decision, people, bills."""

from almanac.desks.recap.model.facts.weights import find_weightiest
from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.model.record_names import format_day, house_name, record_language
from almanac.desks.recap.published.labels import OUTCOMES
from almanac.desks.recap.service import articles, people
from almanac.desks.recap.store.article_mapping import card_from_article
from almanac.desks.recap.store.objects import load_asset
from almanac.errors import NotFound
from almanac.kit.messages import gettext, ngettext, translate
from almanac.public import CardText, PreviewImage, PublicPicture, PublicRequest
from almanac.public.links import join_path

_LONGEST_KEY = 400


def preview(path: str, *words: str, query: str = "") -> PreviewImage:
    """The picture of the page at a path."""
    return PreviewImage(f"{path}/card.png{query}", ". ".join(filter(None, words)))


def article_preview(card: ArticleCard, language: str) -> PreviewImage:
    """The picture of an article."""
    return preview(f"/recap{join_path('articles', card.id)}", card.title, describe_sitting(card, language))


def describe_sitting(card: ArticleCard, language: str) -> str:
    """Day, house and meeting of an article in one line."""
    parts = (format_day(card.date), house_name(card.name_of_house), card.name_of_meeting or "")
    return " · ".join(translate(part, language) for part in parts if part)


def describe_count(decision: HouseDecision) -> str:
    """The votes for and against; empty where the record counts none."""
    vote = decision.vote
    if vote is not None and vote.total is not None and decision.votes_won is not None:
        return gettext("%(votes)s of %(total)s votes", votes=decision.votes_won, total=vote.total)
    if vote is None or vote.in_favour is None or vote.against is None:
        return ""
    return gettext("%(in_favour)s for, %(against)s against", in_favour=vote.in_favour, against=vote.against)


async def show_article_card(request: PublicRequest) -> PublicPicture:
    """The picture of an article for link previews (PNG, 1200 by 630)."""
    stored = await articles.get_published(request.ports, request.params["article_id"][:200])
    card, language = card_from_article(stored), request.language

    async def load() -> CardText:
        try:
            decisions = (await load_asset(request.ports, stored.asset_url or "")).recap.facts.decisions
        except NotFound:
            decisions = ()
        first = find_weightiest(decisions)
        outcome = translate(OUTCOMES[first.outcome], language) if first else ""
        return CardText(
            title=card.title,
            line=f"{outcome}　{first.subject}" if first else "",
            figure=translate(describe_count(first), language) or first.manner if first else "",
            foot=describe_sitting(card, language),
            language=record_language(card.name_of_house),
        )

    return PublicPicture(stamp=(stored.version, stored.updated_at, stored.asset_url), load=load)


async def show_person_card(request: PublicRequest) -> PublicPicture:
    """The picture of a person for link previews."""
    name = request.params["name"][:_LONGEST_KEY]
    person = await people.get_person(request.ports, name, key=request.text("key") or None, limit=1)
    office = max(person.offices, key=lambda each: each.day, default=None)
    words = (office.position, office.role, office.group) if office else ()
    text = CardText(
        title=person.identity.name,
        line="・".join(filter(None, words)),
        foot=translate(ngettext("%(num)s meeting", "%(num)s meetings", person.identity.articles), request.language),
        language=record_language(next((row.card.name_of_house for row in person.articles.items), None)),
    )
    return _picture(text)


async def show_bill_card(request: PublicRequest) -> PublicPicture:
    """The picture of a bill for link previews."""
    timeline = await articles.get_bill_timeline(request.ports, request.params["key"][:_LONGEST_KEY])
    last = timeline.entries[-1]
    outcome = OUTCOMES.get(last.outcome, last.outcome)
    text = CardText(
        title=timeline.title,
        line=translate(outcome, request.language),
        foot=describe_sitting(last.card, request.language),
        language=record_language(last.card.name_of_house),
    )
    return _picture(text)


def _picture(text: CardText) -> PublicPicture:
    async def load() -> CardText:
        return text

    return PublicPicture(stamp=text, load=load)

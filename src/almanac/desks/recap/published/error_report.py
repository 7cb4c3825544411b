"""The form by which anybody reports an error in an article or in one of its speeches, and the page after it."""

from collections.abc import Mapping

from almanac.desks.recap.model.facts.speech_text import spoken_lines
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.record_names import record_language
from almanac.desks.recap.published.layout import build_page, urls
from almanac.desks.recap.service.articles import get_published, open_article
from almanac.desks.recap.store.article_mapping import card_from_article
from almanac.errors import InputError, NotFound
from almanac.kit.messages import gettext, translate
from almanac.public import PublicField, PublicForm, PublicPage, PublicRequest

LONGEST_TEXT = 2000
_LEAST_TEXT = 5
_TITLE = gettext("Report an error")


async def show_report_form(request: PublicRequest) -> PublicPage:
    """The form to report an error in an article or, with `order`, in a speech."""
    stored = await get_published(request.ports, request.params["article_id"][:200])
    order = parse_order(request.text("order"))
    to = urls(request)

    async def load() -> Mapping[str, object]:
        speech = await _find_speech(request, stored.id, order)
        return {
            "card": (card := card_from_article(stored)),
            "text_language": record_language(card.name_of_house),
            "order": order,
            "speech": speech,
            "excerpt": " ".join(spoken_lines(speech)) if speech else "",
            "longest": LONGEST_TEXT,
        }

    return build_page(
        request,
        "articles",
        "public_report",
        load,
        to=to,
        title=translate(_TITLE, request.language),
        stamp=(stored.version, order),
        is_listed=False,
    )


async def show_thanks(request: PublicRequest) -> PublicPage:
    """What happens with a report that was sent."""

    async def load() -> Mapping[str, object]:
        return {}

    title = translate(gettext("Thank you"), request.language)
    return build_page(
        request, "articles", "reported", load, to=urls(request), title=title, stamp="reported", is_listed=False
    )


def parse_order(text: str) -> int | None:
    """The number of a speech; None where there is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


async def _find_speech(request: PublicRequest, article_id: str, order: int | None) -> Speech | None:
    if order is None:
        return None
    try:
        return (await open_article(request.ports, article_id)).meeting.by_order.get(order)
    except NotFound:
        return None


def _check_text(text: str) -> None:
    if len(text) < _LEAST_TEXT:
        raise InputError(gettext("Say in a few words what is wrong and what the record says instead."))


def _check_order(text: str) -> None:
    if parse_order(text) is None:
        raise InputError(gettext("This speech doesn't exist."))


REPORT_FORM = PublicForm(
    name="recap.report",
    path="/recap/articles/{article_id}/report",
    about="Report an error in an article or in one of its speeches.",
    done="/recap/reported",
    fields=(
        PublicField(name="text", most=LONGEST_TEXT, many_lines=True, check=_check_text),
        PublicField(name="order", most=7, required=False, check=_check_order),
    ),
    per_hour=6,
    in_all=120,
)

"""The public list of speeches."""

from collections.abc import Mapping

from almanac.desks.recap.model.speech_filters import meetings_of
from almanac.desks.recap.published.feed_links import MeetingFeed
from almanac.desks.recap.published.labels import SECTIONS
from almanac.desks.recap.published.layout import build_page, urls
from almanac.desks.recap.published.list_view import query_values
from almanac.desks.recap.published.speech_view import load_speeches
from almanac.kit.messages import gettext, translate
from almanac.public import PublicPage, PublicRequest


async def show_speeches(request: PublicRequest) -> PublicPage:
    """Speeches by words and filters, in the words of the record."""
    to = urls(request)
    values = await load_speeches(request.ports, query_values(request.query), request.cursor, to)

    async def load() -> Mapping[str, object]:
        return values

    return build_page(
        request,
        "speeches",
        "speeches",
        load,
        to=to,
        title=translate(SECTIONS["speeches"], request.language),
        description=translate(gettext("Who said what, in the words of the official record."), request.language),
        stamp=(values["results"], values["problem"]),
        is_listed=not values["has_filters"] and request.cursor is None,
        feed=MeetingFeed(meetings_of(values["wanted"])),
    )

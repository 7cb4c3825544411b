"""What the desk's public pages share: words, links, the parts of the desk, and the frame."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from almanac.desks.recap.model.left_out import left_out_words
from almanac.desks.recap.model.office_lines import join_offices
from almanac.desks.recap.model.record_names import category_name, format_day, house_name, language_of
from almanac.desks.recap.published.feed_links import MeetingFeed
from almanac.desks.recap.published.labels import LABELS, SECTIONS
from almanac.desks.recap.urls import RecapUrls
from almanac.kit.messages import gettext
from almanac.public import PreviewImage, PublicPage, PublicRequest

_SECTIONS = (
    ("articles", "/articles"),
    ("speeches", "/speeches"),
    ("people", "/people"),
    ("bills", "/bills"),
    ("corrections", "/corrections"),
)
_RECORD_LANGUAGE = "ja"
METHOD_TITLE = gettext("How these pages are made, and their errors")
DATA_TITLE = gettext("Data")
_LATEST = MeetingFeed()


def urls(request: PublicRequest, *, whole: bool = False) -> RecapUrls:
    """The links of the desk on the public side."""
    links = request.links
    return RecapUrls(links.whole(request.language, "/recap") if whole else links.page(request.language, "/recap"))


def build_page(
    request: PublicRequest,
    section: str,
    template: str,
    load: Callable[[], Awaitable[Mapping[str, object]]],
    *,
    to: RecapUrls,
    title: str,
    stamp: object,
    description: str = "",
    kind: str = "website",
    is_listed: bool = True,
    status: int = 200,
    is_kept: bool = True,
    schema: Mapping[str, object] | None = None,
    canonical: str = "",
    image: PreviewImage | None = None,
    is_embeddable: bool = False,
    modified: datetime | None = None,
    feed: MeetingFeed = _LATEST,
) -> PublicPage:
    """A page of the desk in the public layout."""

    async def load_all() -> Mapping[str, object]:
        around = {
            "frame": "recap/public_frame.html",
            "is_public": True,
            "to": to,
            "house": house_name,
            "category_name": category_name,
            "lang_of": language_of,
            "join_offices": join_offices,
            "day": format_day,
            "labels": LABELS,
            "left_out_words": left_out_words,
            "zone": request.ports.settings.time_zone,
            "sections": [(SECTIONS[name], to.root + path, name == section) for name, path in _SECTIONS],
        }
        return {**around, **await load()}

    return PublicPage(
        template=f"recap/{template}.html",
        title=title,
        description=description,
        stamp=stamp,
        load=load_all,
        feed=feed.path(),
        feed_title=feed.title(request.language),
        kind=kind,
        content_language=_RECORD_LANGUAGE,
        is_listed=is_listed,
        status=status,
        is_kept=is_kept,
        schema=schema or {},
        canonical=canonical,
        image=image,
        is_embeddable=is_embeddable,
        modified=modified,
    )

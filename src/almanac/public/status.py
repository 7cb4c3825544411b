"""The status page: that Almanac answers, and when each desk last collected. Nothing about anybody."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from almanac.feeds.model import rfc3339
from almanac.kit.json_text import encode_json
from almanac.kit.locale_formats import format_exact
from almanac.kit.messages import gettext, translate
from almanac.public import store
from almanac.public.model import PublicFile, PublicPage, PublicPart, PublicRequest, PublicRoute

_TITLE = gettext("Status")


@dataclass(frozen=True, slots=True)
class DeskCollection:
    """What a desk collects from outside, and when it last did."""

    desk: str
    title: str
    last: datetime | None
    words: str


async def show_status(request: PublicRequest) -> PublicPage:
    """Whether it works, and when it last collected."""
    collections = await _list_collections(request)

    async def load() -> Mapping[str, object]:
        return {"collections": collections}

    return PublicPage(
        template="public/status.html",
        title=translate(_TITLE, request.language),
        stamp=collections,
        load=load,
        is_listed=False,
    )


async def show_status_file(request: PublicRequest) -> PublicFile:
    """The same as JSON, for monitoring."""
    collections = await _list_collections(request)
    last = {row.desk: rfc3339(row.last) if row.last else None for row in collections}
    body = {"status": "ok", "last_collected": last}
    return PublicFile(content=encode_json(body), media_type="application/json")


async def _list_collections(request: PublicRequest) -> list[DeskCollection]:
    collectors = request.ports.settings.collectors
    last = await store.list_last_collections(request.ports.database, [row.task for row in collectors])
    zone = request.ports.settings.time_zone
    return [
        DeskCollection(row.desk, row.title, at, format_exact(at, zone, request.language) if at else "")
        for row in collectors
        for at in [last.get(row.task)]
    ]


STATUS_PART = PublicPart(
    name="status",
    title=_TITLE,
    home="/status",
    routes=(PublicRoute("/status", show_status), PublicRoute("/status.json", show_status_file)),
)

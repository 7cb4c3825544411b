"""Files of whole sessions: the page that lists them, the files themselves and their checksums."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from almanac.desks.recap.model.bulk import MEDIA_TYPES
from almanac.desks.recap.published import store
from almanac.desks.recap.published.layout import DATA_TITLE, build_page, urls
from almanac.desks.recap.published.store import BulkFileRow
from almanac.errors import NotFound
from almanac.kit.locale_formats import format_day, format_figure
from almanac.kit.messages import gettext, translate
from almanac.public import PublicDownload, PublicFile, PublicPage, PublicRequest

FILES = "/files/recap"
_LONGEST_NAME = 80
_STEP = 1024


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file in the list: its address, its size in words, and the day it was made."""

    file: BulkFileRow
    url: str
    size: str
    day: str


async def show_data(request: PublicRequest) -> PublicPage:
    """The files of every session, how to read them by a program, and where the words come from."""
    files = await store.list_bulk_files(request.ports.database)
    origins = await store.list_origins(request.ports.database)

    async def load() -> Mapping[str, object]:
        shown = [_show(request, file) for file in files]
        return {
            "file_sessions": [(session, list(rows)) for session, rows in groupby(shown, lambda row: row.file.session)],
            "origins": origins,
            "checksums": request.links.file(f"{FILES}/SHA256SUMS"),
            "api": f"{request.links.base}/data/v1/recap",
            "oembed": f"{request.links.base}/oembed",
        }

    return build_page(
        request,
        "data",
        "data",
        load,
        to=urls(request),
        title=translate(DATA_TITLE, request.language),
        description=translate(_ABOUT, request.language),
        stamp=(files, origins),
    )


_ABOUT = gettext("Articles and speeches as files and by an API, for programs and research.")


async def download_file(request: PublicRequest) -> PublicDownload:
    """A file of a whole session: JSON lines or CSV, articles or speeches."""
    file = await store.get_bulk_file(request.ports.database, request.params["name"][:_LONGEST_NAME])
    if file is None:
        raise NotFound(gettext("This file doesn't exist."))

    async def open_content() -> AsyncIterator[bytes]:
        return (await request.ports.objects.open(file.key)).chunks

    return PublicDownload(
        name=file.name,
        digest=file.digest,
        size=file.size,
        media_type=MEDIA_TYPES["csv" if file.name.endswith(".csv") else "jsonl"],
        modified=file.made_at,
        open=open_content,
    )


async def show_checksums(request: PublicRequest) -> PublicFile:
    """The SHA-256 of every file, as `sha256sum --check` reads it."""
    files = await store.list_bulk_files(request.ports.database)
    lines = "".join(f"{file.digest}  {file.name}\n" for file in files)
    return PublicFile(content=lines.encode(), media_type="text/plain; charset=utf-8")


def _show(request: PublicRequest, file: BulkFileRow) -> ShownFile:
    day = format_day(file.made_at.date(), request.language)
    return ShownFile(file, request.links.file(f"{FILES}/{file.name}"), _size_words(file.size, request.language), day)


def _size_words(size: int, language: str) -> str:
    """A size as people read it: 3.4 MB."""
    amount, unit = float(size), "B"
    for larger in ("KB", "MB", "GB"):
        if amount < _STEP:
            break
        amount, unit = amount / _STEP, larger
    decimals = 0 if unit == "B" else 1
    return f"{format_figure(Decimal(f'{amount:.{decimals}f}'), language)} {unit}"

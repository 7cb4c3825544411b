"""The source reader's page: the sentences of a document beside the words that support them, and people's verdicts.

Desks load their documents and call these functions; the page is the same for all of them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Query
from fastapi.params import Depends as Dependency
from starlette.requests import Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.errors import Conflict, NotFound
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.pages import is_htmx_request, redirect, render_page
from almanac.reader import service
from almanac.reader.highlights import highlight_sources
from almanac.reader.model import (
    KEY_LENGTH,
    HighlightedSource,
    ReadableDocument,
    ReadableSentence,
    ReadingProgress,
    SentenceVerdict,
)
from almanac.verify import Verdict

SentenceKey = Annotated[str, Path(min_length=KEY_LENGTH, max_length=KEY_LENGTH, pattern="^[0-9a-f]+$")]
SentenceNumber = Annotated[int, Query(ge=0, le=100_000)]
PartName = Annotated[str, Query(max_length=40)]
SourceNotes = Callable[[Sequence[HighlightedSource]], Awaitable[tuple[HighlightedSource, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRow:
    """A sentence in the reader's list; `own` is the verdict of whoever reads, `opens_group` where a heading is due."""

    number: int
    sentence: ReadableSentence
    verdicts: Sequence[SentenceVerdict]
    own: SentenceVerdict | None
    href: str
    opens_group: bool

    @property
    def state(self) -> str:
        """Such as `is-checked`, for the rail and the list."""
        if self.verdicts:
            return "checked"
        if self.sentence.refusal:
            return "refused"
        return "doubt" if self.sentence.verdict is not Verdict.SUPPORTED else "open"


async def show_reader(
    request: Request,
    principal: Principal,
    document: ReadableDocument,
    number: int,
    crumbs: Sequence[tuple[str, str]],
    *,
    note_sources: SourceNotes | None = None,
) -> Response:
    """The reader at a sentence, counted from 1; without one at the first that nobody checked."""
    services = get_state(request).services
    progress = await service.get_progress(services.database, document)
    base = request.url.path
    rows = build_rows(progress, principal, base)
    current = rows[min(number or progress.first_unchecked + 1, len(rows)) - 1] if rows else None
    highlighted = await asyncio.to_thread(highlight_sources, current.sentence) if current else ()
    if note_sources is not None:
        highlighted = await note_sources(highlighted)
    return await render_page(
        request,
        "reader.html",
        document=document,
        progress=progress,
        rows=rows,
        current=current,
        sources=highlighted,
        best_source=next((at for at, each in enumerate(highlighted) if each.precision in ("words", "part")), 0),
        is_chosen=bool(number),
        base=base,
        crumbs=crumbs,
        may_check=principal.may(desk_permission(document.desk, "write")),
        part_links=[(part.label, reader_url(base, part.name), part.name == document.part) for part in document.parts],
    )


def build_rows(progress: ReadingProgress, principal: Principal, base: str) -> list[SentenceRow]:
    """The sentences of a document in order, each with who checked it."""
    document, group = progress.document, ""
    rows: list[SentenceRow] = []
    for number, sentence in enumerate(document.sentences, 1):
        rows.append(
            SentenceRow(
                number=number,
                sentence=sentence,
                verdicts=progress.verdicts.get(sentence.key, ()),
                own=progress.find_own(sentence.key, principal.user_id),
                href=reader_url(base, document.part, number),
                opens_group=bool(sentence.group) and sentence.group != group,
            )
        )
        group = sentence.group
    return rows


def reader_url(base: str, part: str = "", sentence: int = 0) -> str:
    """The address of the reader, at a part and a sentence."""
    query = urlencode({name: value for name, value in (("part", part), ("sentence", sentence)) if value})
    return f"{base}?{query}" if query else base


def add_verdict_routes(
    router: APIRouter, open_document: Callable[..., Awaitable[ReadableDocument]], writer: Dependency
) -> None:
    """Checking a sentence and taking that back, below the page of a document that anybody with the desk's right reads.

    `open_document` is a dependency that takes the document's id from the path; who asks is checked before it.
    """
    opened = Depends(open_document)

    @router.post("/sentences/{key}/check")
    async def check_sentence(
        request: Request,
        key: SentenceKey,
        principal: Annotated[Principal, writer],
        document: Annotated[ReadableDocument, opened],
    ) -> Response:
        """Keep that the person checked a sentence beside its source."""
        services = get_state(request).services
        change = service.check_sentence(services.database, services.clock, principal, document, key)
        return await answer_verdict(request, document, key, _page_path(request), change)

    @router.post("/sentences/{key}/withdraw")
    async def withdraw_verdict(
        request: Request,
        key: SentenceKey,
        principal: Annotated[Principal, writer],
        document: Annotated[ReadableDocument, opened],
    ) -> Response:
        """Take the verdict on a sentence back."""
        services = get_state(request).services
        change = service.withdraw_verdict(services.database, services.clock, principal, document, key)
        return await answer_verdict(request, document, key, _page_path(request), change)


def _page_path(request: Request) -> str:
    """The path of the reader's page, from that of a sentence's action below it."""
    return request.url.path.rsplit("/sentences/", 1)[0]


async def answer_verdict(
    request: Request, document: ReadableDocument, key: str, base: str, change: Awaitable[object]
) -> Response:
    """Make the change of a verdict and go back to the sentence. What can't be done is said there."""
    try:
        await change
    except (Conflict, NotFound) as error:
        if is_htmx_request(request):
            raise
        return redirect(request, reader_url(base, document.part), Flash(error.sentence, "failed"))
    numbers = (number for number, sentence in enumerate(document.sentences, 1) if sentence.key == key)
    return redirect(request, reader_url(base, document.part, next(numbers, 0)))

"""The National Diet's interface (`meeting`, JSON): week by week, halved while an answer is cut short, then paged."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

import msgspec

from almanac.desks.recap.sources.diet_record import UnreadableRecord, parse_meeting
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, SkippedRecord, SourceRefused
from almanac.errors import Unavailable
from almanac.fetch import Fetcher, FetchFailed
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.text import shorten

WINDOW_DAYS = 7
MOST_RECORDS = 10
# Ten sittings of a budget committee, each of some hundred speeches.
MOST_BYTES = 60_000_000
_SECONDS = 120.0
Sleep = Callable[[float], Awaitable[None]]


class RequestPacer:
    """Lets its caller go on when the last request is long enough ago."""

    def __init__(self, clock: Clock, seconds: float, *, sleep: Sleep = asyncio.sleep) -> None:
        self._clock = clock
        self._pause = timedelta(seconds=seconds)
        self._sleep = sleep
        self._last: datetime | None = None

    async def wait(self) -> None:
        """Wait for the pause to be over; a clock that was set back costs one pause at the most."""
        if self._last is not None:
            wait = (self._last + self._pause - self._clock.now()).total_seconds()
            if wait > 0:
                await self._sleep(min(wait, self._pause.total_seconds()))
        self._last = self._clock.now()

    def finish(self) -> None:
        """The pause begins now: an answer that took long was work for the source all the while."""
        self._last = self._clock.now()


class _DietAnswer(msgspec.Struct, rename="camel", kw_only=True):
    next_record_position: int | None = None
    meeting_record: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"null"))
    message: str | None = None
    details: list[str] | str | None = None


class _RecordName(msgspec.Struct, kw_only=True):
    issue_id: str | None = msgspec.field(default=None, name="issueID")


@dataclass(frozen=True, slots=True)
class NationalDiet:
    """Asks one question after the other, with a pause in between."""

    fetcher: Fetcher
    base_url: str
    pacer: RequestPacer

    def spans(self, since: date, until: date) -> Sequence[DaySpan]:
        """Weeks, so that most answers are whole and an interruption costs little."""
        starts = range(0, (until - since).days + 1, WINDOW_DAYS)
        firsts = (since + timedelta(days=start) for start in starts)
        return [DaySpan(first, min(first + timedelta(days=WINDOW_DAYS - 1), until)) for first in firsts]

    async def collect(self, span: DaySpan) -> AsyncIterator[CollectedRecord | SkippedRecord]:
        """Halves the span while its answer is cut short; the answers for a single day are read page by page."""
        answer = await self._ask(span, 1)
        if answer.next_record_position is not None and span.days > 1:
            for half in span.halves():
                async for record in self.collect(half):
                    yield record
            return
        while True:
            for raw in _records(answer):
                yield _parse_record(raw)
            position = answer.next_record_position
            if position is None:
                return
            answer = await self._ask(span, position)
            if not _records(answer) or answer.next_record_position == position:
                raise Unavailable(
                    gettext(
                        "The National Diet's interface gave nothing from record %(position)s on; try later.",
                        position=position,
                    )
                )

    async def _ask(self, span: DaySpan, start: int) -> _DietAnswer:
        question = {
            "from": span.first.isoformat(),
            "until": span.last.isoformat(),
            "startRecord": start,
            "maximumRecords": MOST_RECORDS,
            "recordPacking": "json",
        }
        await self.pacer.wait()
        try:
            fetched = await self.fetcher.get(
                f"{self.base_url.rstrip('/')}/meeting?{urlencode(question)}",
                accept="application/json",
                max_bytes=MOST_BYTES,
                seconds=_SECONDS,
            )
        except FetchFailed as failure:
            raise _refusal(_answer(failure.body), failure.sentence) from failure
        finally:
            self.pacer.finish()
        answer = _answer(fetched.body)
        if answer is None:
            raise Unavailable(gettext("The National Diet's interface didn't answer in JSON; try later."))
        if answer.message:
            raise _refusal(answer, "")
        return answer


def _answer(body: bytes) -> _DietAnswer | None:
    try:
        return msgspec.json.decode(body, type=_DietAnswer, strict=False)
    except msgspec.MsgspecError:
        return None


def _refusal(answer: _DietAnswer | None, otherwise: str) -> SourceRefused:
    """What the interface says about the question, in its own words."""
    if answer is None or not answer.message:
        return SourceRefused(otherwise)
    details = [answer.details] if isinstance(answer.details, str) else answer.details or []
    explanation = shorten(" ".join([answer.message, *details]), 400)
    return SourceRefused(f"The National Diet's interface refused the request: {explanation}")


def _records(answer: _DietAnswer) -> list[msgspec.Raw]:
    """What the answer holds; a single record comes without a list around it."""
    content = bytes(answer.meeting_record).strip()
    if content.startswith(b"["):
        return msgspec.json.decode(content, type=list[msgspec.Raw])
    return [] if content == b"null" else [answer.meeting_record]


def _parse_record(raw: msgspec.Raw) -> CollectedRecord | SkippedRecord:
    record = bytes(raw)
    try:
        return CollectedRecord(record, parse_meeting(record))
    except UnreadableRecord as error:
        return SkippedRecord(_name(record), str(error))


def _name(record: bytes) -> str:
    try:
        return msgspec.json.decode(record, type=_RecordName).issue_id or "a record without a name"
    except msgspec.MsgspecError:
        return "a record without a name"

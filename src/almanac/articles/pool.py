"""The port for reading pages and feeds, and its adapters: processes that may be lost, and a thread for the small."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol, Self, TypeVar

import msgspec

from almanac.articles.feed import ParsedFeed, parse_feed
from almanac.articles.page import NoArticle, NoArticleCause, PageRequest, ParsedPage, parse_page
from almanac.articles.protocol import LENGTH, PageResponse, frame_message
from almanac.documents.sandbox import reader_environment
from almanac.kit.messages import gettext

T = TypeVar("T")
SECONDS, KEPT_FOR = 30.0, 60.0
_COMMAND = (sys.executable, "-m", "almanac.articles")
_BROKEN = {
    "page": gettext("The page crashes the program that reads it, so it is not read."),
    "feed": gettext("The feed crashes the program that reads it, so it is not read."),
}


class PageReader(Protocol):
    """Reads pages and feeds. NoArticle says why there is nothing to be had from one; no feed at all is None."""

    async def read(self, request: PageRequest) -> ParsedPage: ...

    async def read_feed(self, request: PageRequest) -> ParsedFeed | None: ...


class ThreadReader:
    """Reads in a thread of this process, one page at a time: for trials, where nothing hostile is expected."""

    def __init__(self) -> None:
        # The libraries that read pages load at their first use, which only one thread may begin.
        self._turn = Lock()

    async def read(self, request: PageRequest) -> ParsedPage:
        return await asyncio.to_thread(self._alone, parse_page, request)

    async def read_feed(self, request: PageRequest) -> ParsedFeed | None:
        return await asyncio.to_thread(self._alone, parse_feed, request)

    def _alone(self, read: Callable[[PageRequest], T], request: PageRequest) -> T:
        with self._turn:
            return read(request)


@dataclass(slots=True)
class ReaderPool:
    """Up to `size` processes, started when they are needed and kept for a while for the pages that come next.

    One that crashes or stalls costs its page, no other.
    """

    size: int = 2
    seconds: float = SECONDS
    kept_for: float = KEPT_FOR
    _idle: list[asyncio.subprocess.Process] = field(default_factory=list)
    _all: set[asyncio.subprocess.Process] = field(default_factory=set)
    _places: asyncio.Semaphore = field(init=False)
    _dismissal: asyncio.TimerHandle | None = None
    _leaving: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.size)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._dismissal is not None:
            self._dismissal.cancel()
        for process in list(self._all):
            await self._end(process)
        await asyncio.gather(*self._leaving)

    @property
    def processes(self) -> int:
        """How many readers there are at the moment."""
        return len(self._all)

    async def read(self, request: PageRequest) -> ParsedPage:
        answer = await self._answer_to(request)
        if answer.page is None:
            raise _refusal(answer, request)
        return answer.page

    async def read_feed(self, request: PageRequest) -> ParsedFeed | None:
        request = msgspec.structs.replace(request, wanted="feed")
        answer = await self._answer_to(request)
        if answer.refused:
            raise _refusal(answer, request)
        return answer.feed

    async def _answer_to(self, request: PageRequest) -> PageResponse:
        async with self._places:
            process = self._waiting() or await self._start()
            done = False
            try:
                async with asyncio.timeout(self.seconds):
                    answer = await _ask(process, request)
                done = True
            except TimeoutError as error:
                seconds = f"{self.seconds:g}"
                sentence = (
                    gettext(
                        "Reading the feed takes longer than %(seconds)s seconds, so it is not read.", seconds=seconds
                    )
                    if request.wanted == "feed"
                    else gettext(
                        "Reading the page takes longer than %(seconds)s seconds, so it is not read.", seconds=seconds
                    )
                )
                raise NoArticle(sentence, NoArticleCause.UNREADABLE) from error
            except (asyncio.IncompleteReadError, ConnectionError, msgspec.MsgspecError) as error:
                raise NoArticle(_BROKEN[request.wanted], NoArticleCause.UNREADABLE) from error
            finally:
                if done:
                    self._rest(process)
                else:
                    await self._end(process)
        return answer

    def _waiting(self) -> asyncio.subprocess.Process | None:
        """A reader that waits; one that was lost meanwhile is forgotten, as the next page has no part in that."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)
        return None

    def _rest(self, process: asyncio.subprocess.Process) -> None:
        """Let a reader wait for the next page; all that wait leave when none has come for a while."""
        self._idle.append(process)
        if self._dismissal is not None:
            self._dismissal.cancel()
        self._dismissal = asyncio.get_running_loop().call_later(self.kept_for, self._dismiss)

    def _dismiss(self) -> None:
        while self._idle:
            leaving = asyncio.create_task(self._end(self._idle.pop()))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def _start(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=reader_environment(),
        )
        self._all.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


def _refusal(answer: PageResponse, request: PageRequest) -> NoArticle:
    cause = NoArticleCause(answer.cause or NoArticleCause.UNREADABLE)
    return NoArticle(answer.refused or _BROKEN[request.wanted], cause, leads_to=answer.leads_to)


async def _ask(process: asyncio.subprocess.Process, request: PageRequest) -> PageResponse:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frame_message(msgspec.msgpack.encode(request)))
    await process.stdin.drain()
    (size,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
    return msgspec.msgpack.decode(await process.stdout.readexactly(size), type=PageResponse)

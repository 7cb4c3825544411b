"""What a part of the public side offers, what its routes are asked, and what they answer. Data only."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from starlette.datastructures import QueryParams

from almanac.public.card_image import CardText
from almanac.public.forms import PublicForm, ShownForm
from almanac.public.links import PublicLinks
from almanac.read_ports import ReadPorts


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRequest:
    """All that a route learns of a request: no header and no cookie.

    `path` is escaped and begins below the language.
    """

    language: str
    path: str
    params: Mapping[str, str]
    query: QueryParams
    links: PublicLinks
    ports: ReadPorts
    form: ShownForm = field(default=ShownForm())

    def text(self, name: str, most: int = 200) -> str:
        """A value of the query, cut to a length."""
        return self.query.get(name, "")[:most]

    def number(self, name: str, default: int, *, most: int) -> int:
        """A whole number of the query between 1 and `most`; anything else is the default."""
        text = self.query.get(name, "")
        value = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else default
        return value if 1 <= value <= most else default

    @property
    def cursor(self) -> str | None:
        return self.query.get("cursor", "")[:600] or None


ValuesLoader = Callable[[], Awaitable[Mapping[str, object]]]


@dataclass(frozen=True, slots=True)
class PreviewImage:
    """The picture by which other sites show a link: its path below the language, and what it says."""

    path: str
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPage:
    """A page to render. `stamp` changes whenever its content does, and is known before the content is loaded.

    `feed` is the path of a feed with the same content, called `feed_title`, or as the page where that is empty.
    A page whose address is a secret isn't kept by any cache.
    `schema` is what the page is, in the words of schema.org.
    `canonical` is its one address below the language where several show the same; by default the path asked for.
    `is_embeddable` says that oEmbed answers for it, `may_be_framed` that other sites may show it in a frame.
    """

    template: str
    title: str
    stamp: object
    load: ValuesLoader
    description: str = ""
    modified: datetime | None = None
    feed: str = ""
    feed_title: str = ""
    kind: str = "website"
    content_language: str = ""
    is_listed: bool = True
    status: int = 200
    is_kept: bool = True
    schema: Mapping[str, object] = field(default_factory=dict)
    canonical: str = ""
    image: PreviewImage | None = None
    is_embeddable: bool = False
    may_be_framed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFile:
    """A document that isn't a page, such as a feed; `next_url` is the whole address of what follows."""

    content: bytes
    media_type: str
    modified: datetime | None = None
    next_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicDocument:
    """A file that is made only for a client that doesn't have it: `stamp` is everything that it follows from."""

    stamp: object
    load: Callable[[], Coroutine[Any, Any, bytes]]
    media_type: str
    modified: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPicture:
    """The picture of a page for link previews, drawn only for a client that doesn't have it."""

    stamp: object
    load: Callable[[], Coroutine[Any, Any, CardText]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicDownload:
    """A stored file of any size, sent in pieces; `digest` is the SHA-256 of its content."""

    name: str
    digest: str
    size: int
    media_type: str
    modified: datetime
    open: Callable[[], Awaitable[AsyncIterator[bytes]]]


@dataclass(frozen=True, slots=True)
class PublicRedirect:
    """Another address on the public side, with its anchor."""

    url: str


PublicAnswer = PublicPage | PublicFile | PublicDocument | PublicPicture | PublicDownload | PublicRedirect
RouteHandler = Callable[[PublicRequest], Awaitable[PublicAnswer]]


@dataclass(frozen=True, slots=True)
class PublicRoute:
    """A path below the language, such as `/recap/articles/{article_id}`, and what answers it.

    `is_costly` lets a process give the same answer again for some seconds: for searches and the like, where nothing can
    be withdrawn. What is for programs has no language: its path begins at the root of the public side.
    """

    path: str
    answer: RouteHandler
    is_costly: bool = False
    has_language: bool = True

    @property
    def about(self) -> str:
        return inspect.cleandoc(self.answer.__doc__ or "").split("\n")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaser:
    """A line of the front page."""

    title: str
    path: str
    day: str = ""
    text: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page for search engines: its path below the language, and when it last changed, where that is known."""

    path: str
    modified: datetime | None = None


TeaserLoader = Callable[[PublicRequest], Awaitable[Sequence[Teaser]]]
SitemapLoader = Callable[[ReadPorts, int, int], Awaitable[Sequence[SitemapEntry]]]


async def no_teasers(_request: PublicRequest) -> Sequence[Teaser]:
    """The teasers of a part that has none."""
    return ()


async def count_nothing_listed(_ports: ReadPorts) -> int:
    """The number of pages of a part without a sitemap."""
    return 0


async def no_pages(_ports: ReadPorts, _offset: int, _limit: int) -> Sequence[SitemapEntry]:
    """The sitemap of a part whose pages nobody searches for."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Embed:
    """How a page looks within another site: the path of its frame below the language, and how high that is."""

    title: str
    frame: str
    height: int
    image: PreviewImage | None = None


EmbedFinder = Callable[[PublicRequest], Awaitable[Embed | None]]


async def find_no_embed(_request: PublicRequest) -> Embed | None:
    """The embeds of a part that has none."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPart:
    """One thing that `ALMANAC_PUBLIC` can list.

    Below the language, `home` is its first page, `feed` its feed and `search` its list that takes words as `q`.
    `forms` are all that anybody may send to it.
    `tables` and `prefixes` are all that it reads of tables and of objects. `sitemap` lists its pages from an offset on,
    in an order that new pages don't change much. `notes` are pages about the part, named at the foot of every page, as
    (title, path below the language). `embed` answers what an address of its pages is embedded as; None if it can't be.
    """

    name: str
    title: str
    home: str
    routes: tuple[PublicRoute, ...]
    forms: tuple[PublicForm, ...] = ()
    feed: str = ""
    search: str = ""
    tables: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    teasers: TeaserLoader = field(default=no_teasers)
    count_pages: Callable[[ReadPorts], Awaitable[int]] = field(default=count_nothing_listed)
    sitemap: SitemapLoader = field(default=no_pages)
    notes: tuple[tuple[str, str], ...] = ()
    embed: EmbedFinder = field(default=find_no_embed)

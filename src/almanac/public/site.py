"""The application of the public side: finds the route, limits the rate, and answers in a way that caches may keep."""

import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from urllib.parse import quote

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send

from almanac.errors import AlmanacError, InputError, NotFound, TooMany
from almanac.kit.single_flight import SingleFlight
from almanac.kit.ttl_cache import TtlCache
from almanac.public import cache
from almanac.public.card_image import CARD_TYPE, CardPainter
from almanac.public.downloads import send_download
from almanac.public.form_door import FormDoor, WrongForm
from almanac.public.forms import ShownForm
from almanac.public.links import PublicLinks
from almanac.public.model import (
    PublicAnswer,
    PublicDocument,
    PublicDownload,
    PublicFile,
    PublicPage,
    PublicPart,
    PublicPicture,
    PublicRedirect,
    PublicRequest,
)
from almanac.public.program_errors import PROGRAM_PATHS, explain_input, explain_to_programs
from almanac.public.renderer import PublicRenderer
from almanac.public.site_files import list_site_files
from almanac.public.site_routes import SiteRoute, list_routes
from almanac.read_ports import ReadPorts

RETRY_SECONDS = 30
_LONGEST_QUERY = 2000
_RECENT_SECONDS = 20
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_READING = frozenset({"GET", "HEAD"})
_HEADERS = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
# What a reader may be told of an error: anything else is that the page isn't available now.
_TOLD = frozenset({403, 404, 405, 410, 413, 429, 501})
log = logging.getLogger(__name__)


class Spending(Protocol):
    """What a rate limiter says of a request."""

    @property
    def wait_seconds(self) -> int: ...


class Limiter(Protocol):
    """Counts requests by caller, over all processes."""

    async def spend(self, caller: str) -> Spending: ...


StaticFile = Callable[[Request, str], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _CompiledRoute:
    route: SiteRoute
    pattern: re.Pattern[str]


class PublicSite:
    """An ASGI application without session, cookie or principal. Paths begin below its root."""

    def __init__(
        self,
        *,
        parts: Sequence[PublicPart],
        ports: ReadPorts,
        links: PublicLinks,
        renderer: PublicRenderer,
        limiter: Limiter,
        caller_of: Callable[[Request], str],
        choose_language: Callable[[str], str],
        static: StaticFile,
        door: FormDoor,
    ) -> None:
        self._ports = ports
        self._links = links
        self._renderer = renderer
        self._limiter = limiter
        self._caller_of = caller_of
        self._choose_language = choose_language
        self._static = static
        self._door = door
        self._files = list_site_files(parts, links, ports, renderer.languages)
        self._routes = [_CompiledRoute(route, compile_path(route.path)[0]) for route in list_routes(parts)]
        self._rendered = cache.RenderedPages()
        self._pictures = cache.RenderedPages()
        self._painter = CardPainter(renderer.organisation)
        self._making: SingleFlight[bytes] = SingleFlight()
        self._recent: TtlCache[PublicAnswer] = TtlCache(_RECENT_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        request = Request(scope, receive)
        response = await self._respond(request)
        response.headers.update(_HEADERS)
        response.headers.setdefault("Content-Security-Policy", self._renderer.policy)
        await cache.compress(request, response)(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        path = request.scope["path"]
        language = self._renderer.language_of(path)
        try:
            posted = None if request.method in _READING else self._find_form(path)
            if request.method not in _READING and (posted is None or request.method != "POST"):
                allowed = "GET, HEAD, POST" if posted else "GET, HEAD"
                return self._error(request, language, 405, {"Allow": allowed})
            await self._limit(request)
            if posted is not None:
                return await self._post(request, *posted)
            return await self._find(request, path)
        except AlmanacError as error:
            return self._explain(request, language, error)
        except Exception:
            log.exception("unexpected error on the public side")
            return self._error(request, language, 503, {"Retry-After": str(RETRY_SECONDS)})

    async def _limit(self, request: Request) -> None:
        if wait := (await self._limiter.spend(self._caller_of(request))).wait_seconds:
            raise TooMany("Too many requests at once.", wait)

    def _explain(self, request: Request, language: str, error: AlmanacError) -> Response:
        if isinstance(error, InputError):
            is_program = request.scope["path"].startswith(PROGRAM_PATHS)
            return explain_input(error) if is_program else self._error(request, language, 404, {})
        if error.status not in _TOLD:
            log.warning("public request failed", extra={"code": error.code, "reason": error.sentence})
            return self._error(request, language, 503, {"Retry-After": str(RETRY_SECONDS)})
        if isinstance(error, TooMany):
            return self._error(request, language, 429, {"Retry-After": str(error.retry_after)})
        return self._error(request, language, error.status, {})

    def _error(self, request: Request, language: str, status: int, headers: Mapping[str, str]) -> Response:
        headers = {"Cache-Control": cache.BRIEFLY if status in (404, 410) else cache.NEVER, **headers}
        if request.scope["path"].startswith(PROGRAM_PATHS):
            return explain_to_programs(status, headers)
        return Response(self._renderer.render_error(language, status), status, headers=headers, media_type="text/html")

    async def _find(self, request: Request, path: str) -> Response:
        if len(request.scope["query_string"]) > _LONGEST_QUERY or _CONTROLS.search(path):
            raise NotFound("This page doesn't exist.")
        if path in ("", "/"):
            return self._to_language(request)
        if path.startswith("/static/"):
            request.scope["route"] = NamedPath("/public/static/{path}")
            return await self._static(request, path.removeprefix("/static/"))
        for pattern, answer_file in self._files:
            if match := pattern.fullmatch(path):
                request.scope["route"] = NamedPath("/public/sitemap")
                return self._file(request, await answer_file(match.groupdict()))
        for compiled in self._routes:
            if match := compiled.pattern.fullmatch(path):
                return await self._page(request, compiled.route, match.groupdict())
        if any(compiled.pattern.fullmatch(path.removesuffix("/")) for compiled in self._routes):
            return self._shortened(path.removesuffix("/"))
        raise NotFound("This page doesn't exist.")

    async def _page(self, request: Request, route: SiteRoute, params: Mapping[str, str]) -> Response:
        asked = self._asked(request, route, params)
        if not route.is_costly:
            return await self._send(request, asked, await route.answer(asked))
        key = (request.scope["path"], tuple(sorted(asked.query.multi_items())))
        return await self._send(request, asked, await self._recent.get(lambda: route.answer(asked), key=key))

    def _asked(self, request: Request, route: SiteRoute, params: Mapping[str, str]) -> PublicRequest:
        language = params["language"] if route.has_language else self._renderer.languages[0]
        if language not in self._renderer.languages:
            raise NotFound("This page doesn't exist.")
        request.scope["route"] = NamedPath(f"/public{route.path}")
        return PublicRequest(
            language=language,
            path=quote(request.scope["path"].removeprefix(f"/{language}" if route.has_language else ""), safe="/"),
            params={name: value for name, value in params.items() if name != "language"},
            query=QueryParams(request.scope["query_string"].decode("latin-1")),
            links=self._links,
            ports=self._ports,
        )

    def _find_form(self, path: str) -> tuple[SiteRoute, dict[str, str]] | None:
        """The route whose form can be sent to a path."""
        for compiled in self._routes:
            if compiled.route.form is not None and (match := compiled.pattern.fullmatch(path)):
                params = match.groupdict()
                return (compiled.route, params) if params["language"] in self._renderer.languages else None
        return None

    async def _post(self, request: Request, route: SiteRoute, params: Mapping[str, str]) -> Response:
        """Take a form and go on to a page, or show the form again with what was typed."""
        assert route.form is not None
        asked = self._asked(request, route, params)
        try:
            path = await self._door.take(request, route.form, asked.language, asked.params)
        except WrongForm as wrong:
            shown = replace(asked, query=QueryParams(wrong.values), form=ShownForm(wrong.values, wrong.errors))
            page = await route.answer(shown)
            assert isinstance(page, PublicPage)
            body = self._renderer.render(shown, page, await page.load())
            return Response(body, 422, headers={"Cache-Control": cache.NEVER}, media_type="text/html")
        return RedirectResponse(self._links.page(asked.language, path), 303, headers={"Cache-Control": cache.NEVER})

    async def _send(self, request: Request, asked: PublicRequest, answer: PublicAnswer) -> Response:
        match answer:
            case PublicRedirect(url):
                return RedirectResponse(url, 302, headers={"Cache-Control": cache.CACHED})
            case PublicFile():
                return self._file(request, answer)
            case PublicDocument():
                return await self._document(request, answer)
            case PublicPicture():
                return await self._document(request, self._picture(answer))
            case PublicDownload():
                return await send_download(request, answer)
            case PublicPage():
                return await self._render(request, asked, answer)

    async def _render(self, request: Request, asked: PublicRequest, page: PublicPage) -> Response:
        if not page.is_kept:
            return self._secret(asked, page, await page.load())
        tag = cache.weak_tag(
            self._renderer.version, asked.language, asked.path, sorted(asked.query.multi_items()), page.stamp
        )
        headers = {**cache.cacheable_headers(tag, page.modified), "Content-Language": asked.language}
        if not page.is_listed:
            headers["X-Robots-Tag"] = "noindex"
        if page.may_be_framed:
            # Empty: the header that forbids frames, which every other answer has, isn't sent.
            headers |= {"Content-Security-Policy": self._renderer.frame_policy, "X-Frame-Options": ""}
        if cache.is_cached(request, tag):
            return Response(status_code=cache.NOT_MODIFIED, headers=headers)

        async def render() -> bytes:
            return self._renderer.render(asked, page, await page.load())

        body = await self._make(tag, render, self._rendered)
        return Response(body, page.status, headers=headers, media_type="text/html")

    async def _document(self, request: Request, document: PublicDocument) -> Response:
        tag = cache.weak_tag(self._renderer.version, request.scope["path"], document.media_type, document.stamp)
        headers = {**cache.cacheable_headers(tag, document.modified), **cache.READABLE_ANYWHERE}
        if cache.is_cached(request, tag):
            return Response(status_code=cache.NOT_MODIFIED, headers=headers)
        # Pictures have a place of their own, so that a crowd looking at many of them displaces no page.
        kept = self._pictures if document.media_type == CARD_TYPE else self._rendered
        body = await self._make(tag, document.load, kept)
        return Response(body, headers=headers, media_type=document.media_type)

    def _picture(self, picture: PublicPicture) -> PublicDocument:
        async def paint() -> bytes:
            return await self._painter.paint(await picture.load())

        return PublicDocument(stamp=picture.stamp, load=paint, media_type=CARD_TYPE)

    async def _make(self, tag: str, load: Callable[[], Coroutine[Any, Any, bytes]], kept: cache.RenderedPages) -> bytes:
        """The body with this tag; whoever asks while it is being made gets the same."""
        if (body := kept.get(tag)) is not None:
            return body
        body, _ = await self._making.join(tag, load)
        kept.put(tag, body)
        return body

    def _secret(self, asked: PublicRequest, page: PublicPage, values: Mapping[str, object]) -> Response:
        """A page for whoever has its address, which no cache and no search engine keeps."""
        headers = {"Cache-Control": cache.NEVER, "Content-Language": asked.language, "X-Robots-Tag": "noindex"}
        return Response(self._renderer.render(asked, page, values), headers=headers, media_type="text/html")

    def _file(self, request: Request, file: PublicFile) -> Response:
        tag = cache.weak_tag(file.content)
        headers = {**cache.cacheable_headers(tag, file.modified), **cache.READABLE_ANYWHERE}
        if file.next_url:
            headers["Link"] = f'<{file.next_url}>; rel="next"'
        if cache.is_cached(request, tag):
            return Response(status_code=cache.NOT_MODIFIED, headers=headers)
        return Response(file.content, headers=headers, media_type=file.media_type)

    def _to_language(self, request: Request) -> Response:
        """The only answer that depends on the reader's language; everything else has it in its address."""
        language = self._choose_language(request.headers.get("Accept-Language", ""))
        headers = {"Cache-Control": cache.CACHED, "Vary": "Accept-Language"}
        return RedirectResponse(self._links.page(language), 302, headers=headers)

    def _shortened(self, path: str) -> Response:
        """The same page without a trailing slash."""
        return RedirectResponse(self._links.file(quote(path, safe="/")), 308, headers={"Cache-Control": cache.CACHED})


@dataclass(frozen=True, slots=True)
class NamedPath:
    """What metrics and logs call a request."""

    path: str


def robots_text(links: PublicLinks | None, path: str) -> PlainTextResponse:
    """The robots.txt of a host: everything is closed but the public side below `path`; None closes that as well.

    Files for programs are as large as everything else together, and search engines have no use for them.
    """
    programs = "".join(f"Disallow: {path}{part}\n" for part in PROGRAM_PATHS)
    allowed = f"Allow: {path or '/'}\n{programs}Sitemap: {links.base}/sitemap.xml\n" if links else ""
    closed = "" if links and not path else "Disallow: /\n"
    return PlainTextResponse(f"User-agent: *\n{allowed}{closed}", headers={"Cache-Control": "public, max-age=3600"})

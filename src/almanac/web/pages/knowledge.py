"""Knowledge sources: the list, adding files, pages and feeds, and one source with its passages."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext, ngettext
from almanac.knowledge import KnowledgeSource, SourceFilter, SourceKind, SourceStatus, Visibility
from almanac.services import Services
from almanac.web.labels import SOURCE_KIND_LABELS, SOURCE_TONES, VISIBILITY_LABELS, knowledge_viewer, record_change

pages = APIRouter(prefix="/knowledge")

Reader = Annotated[Principal, require("desk.newsletter.read")]
Writer = Annotated[Principal, require("desk.newsletter.write")]


@pages.get("")
async def show_sources(
    request: Request, principal: Reader, q: str = "", kind: str = "", status: str = "", cursor: Cursor = None
) -> Response:
    """List the sources that the person may use, newest first."""
    filters = SourceFilter(
        kind=next((option for option in SourceKind if option == kind), None),
        status=next((option for option in SourceStatus if option == status), None),
        text=q.replace("\x00", "") or None,
    )
    listed = await get_state(request).services.knowledge.list(knowledge_viewer(principal), filters, cursor=cursor)
    return await render_page(
        request,
        "knowledge/list.html",
        sources=listed.items,
        q=q,
        kind=kind,
        status=status,
        tones=SOURCE_TONES,
        kinds=SOURCE_KIND_LABELS,
        visibilities=VISIBILITY_LABELS,
        statuses=list(SourceStatus),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/add")
async def show_add(request: Request, _principal: Writer) -> Response:
    """Show the form to add files, pages and feeds."""
    return await _render_form(request, {}, {"url": "", "kind": "url", "visibility": Visibility.MINE})


@pages.post("")
async def add_sources(request: Request, principal: Writer) -> Response:
    """Add all sources of the form; errors are shown beside their fields, and the rest is added.

    The form is parsed by hand, because browsers send a nameless empty file for each unused file input.
    """
    async with request.form() as form:
        values = {name: str(form.get(name, "")) for name in ("url", "kind", "visibility")}
        shared = Visibility.EVERYONE if values["visibility"] == Visibility.EVERYONE else Visibility.MINE
        adding = _SourceForm(get_state(request).services, principal, shared)
        await adding.add_files(_uploads(form, "files"))
        for upload in _uploads(form, "opml"):
            await adding.add_opml(await upload.read())
    if values["url"].strip():
        await adding.add_address(values["url"], values["kind"])
    if not adding.added and not adding.errors:
        adding.errors["files"] = gettext("Choose a file, or give an address.")
    if adding.errors:
        return await _render_form(request, adding.errors, values | {"visibility": shared}, adding.added)
    target = f"/knowledge/{adding.added[0].id}" if len(adding.added) == 1 else "/knowledge"
    return redirect(
        request,
        target,
        Flash(
            ngettext(
                "Added %(num)s source; reading has started.",
                "Added %(num)s sources; reading has started.",
                len(adding.added),
            )
        ),
    )


def _uploads(form: FormData, name: str) -> list[UploadFile]:
    return [part for part in form.getlist(name) if isinstance(part, UploadFile) and part.filename]


@pages.get("/{source_id}")
async def show_source(
    request: Request, source_id: str, principal: Reader, chunk: str = "", cursor: Cursor = None
) -> Response:
    """Show a source with its status, problems and passages."""
    services, viewer = get_state(request).services, knowledge_viewer(principal)
    detail = await services.knowledge.get(viewer, source_id)
    listed = await services.knowledge.list_chunks(viewer, source_id, cursor=cursor, limit=30)
    chunks_by_id = await services.knowledge.find_chunks(viewer, [chunk.replace("\x00", "")]) if chunk else {}
    return await render_page(
        request,
        "knowledge/source.html",
        source=detail.source,
        documents=detail.documents,
        chunks=listed.items,
        sought=[match for match in chunks_by_id.values() if match.source_id == source_id],
        tones=SOURCE_TONES,
        kinds=SOURCE_KIND_LABELS,
        visibilities=VISIBILITY_LABELS,
        may_change=viewer.may_change(detail.source),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.post("/{source_id}/refresh")
async def refresh_source(request: Request, source_id: str, principal: Writer) -> Response:
    """Read a source again."""
    await get_state(request).services.knowledge.refresh(knowledge_viewer(principal), source_id)
    return redirect(request, f"/knowledge/{source_id}", Flash(gettext("Reading the source again.")))


@pages.post("/{source_id}/share")
async def share_source(request: Request, source_id: str, principal: Writer, visibility: FormText = "") -> Response:
    """Set who may use a source."""
    services = get_state(request).services
    shared = Visibility.EVERYONE if visibility == Visibility.EVERYONE else Visibility.MINE
    source = await services.knowledge.share(knowledge_viewer(principal), source_id, shared)
    await record_change(services, principal, "knowledge.shared", source)
    words = (
        gettext("Everyone here may use it now.")
        if shared is Visibility.EVERYONE
        else gettext("Only you may use it now.")
    )
    return redirect(request, f"/knowledge/{source_id}", Flash(words))


@pages.post("/{source_id}/remove")
async def remove_source(request: Request, source_id: str, principal: Writer) -> Response:
    """Remove a source; the message offers to undo it."""
    services = get_state(request).services
    source = await services.knowledge.remove(knowledge_viewer(principal), source_id)
    await record_change(services, principal, "knowledge.removed", source)
    return redirect(request, "/knowledge", Flash(f"{source.title} is removed.", undo=f"/knowledge/{source_id}/restore"))


@pages.post("/{source_id}/restore")
async def restore_source(request: Request, source_id: str, principal: Writer) -> Response:
    """Restore a removed source."""
    services = get_state(request).services
    source = await services.knowledge.restore(knowledge_viewer(principal), source_id)
    await record_change(services, principal, "knowledge.restored", source)
    return redirect(request, f"/knowledge/{source_id}", Flash(f"{source.title} is back."))


class _SourceForm:
    """Adds the sources of one form, and collects errors by field."""

    def __init__(self, services: Services, principal: Principal, visibility: Visibility) -> None:
        self._services = services
        self._principal = principal
        self._visibility = visibility
        self.added: list[KnowledgeSource] = []
        self.errors: dict[str, str] = {}

    async def add_files(self, uploads: list[UploadFile]) -> None:
        for upload in uploads:
            try:
                source = await self._services.knowledge.add_file(
                    knowledge_viewer(self._principal),
                    upload.filename or "",
                    await upload.read(),
                    visibility=self._visibility,
                )
            except AlmanacError as error:
                self._add_error("files", f"{upload.filename}: {error.sentence}")
            else:
                await self._note(source)

    async def add_address(self, url: str, kind: str) -> None:
        knowledge = self._services.knowledge
        add = knowledge.add_feed if kind == SourceKind.FEED else knowledge.add_url
        try:
            await self._note(await add(knowledge_viewer(self._principal), url, visibility=self._visibility))
        except AlmanacError as error:
            self._add_error("url", error.sentence)

    async def add_opml(self, content: bytes) -> None:
        knowledge = self._services.knowledge
        try:
            imported = await knowledge.import_opml(
                knowledge_viewer(self._principal), content, visibility=self._visibility
            )
        except AlmanacError as error:
            self._add_error("opml", error.sentence)
            return
        for source in imported.added:
            await self._note(source)
        self.added += imported.existing
        for url, reason in imported.refused:
            self._add_error("opml", f"{url}: {reason}")

    def _add_error(self, field: str, sentence: str) -> None:
        self.errors[field] = f"{self.errors[field]} {sentence}" if field in self.errors else sentence

    async def _note(self, source: KnowledgeSource) -> None:
        self.added.append(source)
        await record_change(self._services, self._principal, "knowledge.added", source)


async def _render_form(
    request: Request, errors: dict[str, str], values: dict[str, str], added: list[KnowledgeSource] | None = None
) -> Response:
    return await render_page(
        request,
        "knowledge/add.html",
        status_code=400 if errors else 200,
        errors=errors,
        values=values,
        added=added or [],
        visibilities=[(Visibility.MINE, gettext("Only me")), (Visibility.EVERYONE, gettext("Everyone here"))],
    )

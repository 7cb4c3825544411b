"""Responses for people: full pages in the frame, fragments, redirects with a message, error pages, and forms."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from fastapi import Form
from pydantic import AfterValidator
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.errors import InputError
from almanac.http.app_state import AppState, get_state
from almanac.http.auth import Identity, identify
from almanac.http.cookies import FLASH, THEME, Flash
from almanac.http.counts import list_desk_links, recent_job_counts
from almanac.http.desk import desk_path
from almanac.http.help_links import help_for
from almanac.http.language_choice import choose_language, list_language_links, named_language
from almanac.http.problems import Problem
from almanac.http.shortcuts import place_keys
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.logs import request_id
from almanac.kit.messages import gettext, translate
from almanac.kit.time_zones import resolve_zone

THEMES = ("light", "dark", "system")
TOOLS = (
    ("saved.read", "/saved", "saved", gettext("Saved queries")),
    ("desk.newsletter.read", "/knowledge", "book", gettext("Knowledge")),
    ("jobs.read", "/jobs", "jobs", gettext("Jobs")),
    ("mail.read", "/mail", "mail", gettext("Mail")),
    ("users.manage", "/people", "people", gettext("People")),
    ("setup.manage", "/organisation", "settings", gettext("Organisation")),
    ("webhooks.manage", "/webhooks", "webhook", gettext("Webhooks")),
    ("models.read", "/models", "screen", gettext("Models")),
    ("audit.read", "/audit", "audit", gettext("Audit log")),
)


async def render_page(request: Request, template: str, /, *, status_code: int = 200, **values: object) -> HTMLResponse:
    """A full page. Templates find the person, theme, zone, CSRF token and flash message beside their own values.

    It is in the reader's language unless a page passes its own `language`.
    """
    state = get_state(request)
    identity = await identify(request)
    frame = await _frame(request, state, identity)
    everything = {"language": choose_language(request), **frame, **values}
    response = HTMLResponse(state.templates.render(template, **everything), status_code)
    if identity.principal is None and (language := named_language(request)):
        state.cookies.set_language(response, language)
    if FLASH in request.cookies:
        state.cookies.clear_flash(response)
    return response


def render_fragment(request: Request, template: str, /, **values: object) -> str:
    """A piece of a page, for events and in-place updates."""
    state = get_state(request)
    shared = {"language": choose_language(request), "mail_leaves": state.services.mail_leaves}
    return state.templates.render(template, **{**shared, **values})


def redirect(request: Request, path: str, flash: Flash | None = None) -> Response:
    """Redirect after a change, with an optional flash message."""
    response = RedirectResponse(path, status_code=303)
    if flash is not None:
        translated = replace(flash, text=translate(flash.text, choose_language(request)))
        get_state(request).cookies.set_flash(response, translated)
    return response


def safe_local_path(path: str | None, default: str = "/") -> str:
    """A path on this site; anything that could lead a browser elsewhere becomes the default."""
    safe = path and path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe and path else default


async def render_error_page(request: Request, problem: Problem, **values: object) -> HTMLResponse:
    """A problem as a page; only signed-in people get the frame with the navigation."""
    return await render_page(request, "error.html", status_code=problem.status, problem=problem, **values)


def render_bare_error_page(request: Request, problem: Problem) -> HTMLResponse:
    """A problem as a page that needs only its template, for when the rest may be what failed."""
    values: Mapping[str, object] = {
        "principal": None,
        "language_links": list_language_links(request),
        "theme": "system",
        "flash": None,
        "request_id": request_id.get(),
    }
    templates, language = get_state(request).templates, choose_language(request)
    return HTMLResponse(templates.render("error.html", language=language, problem=problem, **values), problem.status)


async def _frame(request: Request, state: AppState, identity: Identity) -> dict[str, object]:
    principal = identity.principal
    settings = state.services.settings
    return {
        "principal": principal,
        "csrf": identity.csrf(),
        "theme": _theme(request, principal),
        "zone": (principal.preferences.time_zone if principal else None) or settings.time_zone,
        "flash": state.cookies.read_flash(request.cookies),
        "desk_links": await list_desk_links(request, principal, state.desks) if principal else [],
        "tools": (*TOOLS, *_rights_tools(state, principal)),
        "place_keys": place_keys(),
        "title_of": state.services.jobs.title_of,
        "path": request.url.path,
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "language_names": LANGUAGE_NAMES,
        "language_links": [] if principal else list_language_links(request),
        "help_path": help_for(request.url.path),
        "keys_are_on": state.cookies.keys_are_on(request.cookies),
        "request_id": request_id.get(),
        "development": settings.development,
        "single_user": settings.single_user,
        "mail_leaves": state.services.mail_leaves,
        "organisation": settings.organisation,
        "job_counts": await recent_job_counts(state, principal) if principal else None,
    }


def _rights_tools(state: AppState, principal: Principal | None) -> list[tuple[str, str, str, str]]:
    """The pages on which a desk's administrator gives rights; whoever manages people finds them from there."""
    if principal is None or principal.may("users.manage"):
        return []
    return [
        (
            desk_permission(desk.name, "administer"),
            desk.rights_path,
            "people",
            gettext("Rights at %(title)s", title=desk.title),
        )
        for desk in state.desks
    ]


def _theme(request: Request, principal: Principal | None) -> str:
    chosen = principal.preferences.theme if principal else request.cookies.get(THEME, "system")
    return chosen if chosen in THEMES else "system"


# The tab's name, its label, and its URL.
Tab = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPages:
    """The pages of one desk. `words` are values for all its templates."""

    desk: str
    tabs: tuple[Tab, ...]
    words: Mapping[str, object] = field(default_factory=dict)

    def address(self, *parts: str) -> str:
        """The path of one of the desk's pages."""
        return desk_path(self.desk, *parts)

    async def page(
        self, request: Request, tab: str, template: str, /, *, status_code: int = 200, **values: object
    ) -> HTMLResponse:
        """A page of the desk, with the tab that it belongs to."""
        tabs = [(words, href, name == tab) for name, words, href in self.tabs]
        return await render_page(
            request, f"{self.desk}/{template}.html", status_code=status_code, tabs=tabs, **self.words, **values
        )


FormText = Annotated[str, Form()]
ZoneText = Annotated[str, AfterValidator(resolve_zone)]
"""A time zone as a field of a form takes it: its city or its name; the value is the name."""
FormZone = Annotated[ZoneText, Form()]
FormTexts = Annotated[list[str] | None, Form()]


def parse_form_version(form_value: str) -> int:
    """The version in a form field. InputError if it isn't a number."""
    if not form_value.isdecimal() or len(form_value) > 12:
        raise InputError(gettext("This form is incomplete; load the page again and repeat your change."))
    return int(form_value)


def redirect_with_message(
    request: Request, path: str, words: str = "", *, undo: str = "", fields: Mapping[str, str] | None = None
) -> Response:
    """Redirect after a change, with an optional message and what undoes the change."""
    return redirect(request, path, Flash(words, undo=undo, fields=fields or {}) if words else None)


def is_htmx_request(request: Request) -> bool:
    """Whether htmx asks for a part of a page, not a browser that loads a page."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"

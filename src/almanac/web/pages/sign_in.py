"""Sign in and out: with a password, a one-time link or single sign-on; and password resets."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from almanac.accounts import service as accounts
from almanac.accounts.model import LinkPurpose, OpenLink, Principal
from almanac.errors import AlmanacError, Conflict, FieldErrors, NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import client_address, get_client, public, signed_in
from almanac.http.cookies import SESSION, Flash
from almanac.http.local_access import signs_in_locally
from almanac.http.pages import FormText, redirect, render_page, safe_local_path
from almanac.http.passkeys import find_site
from almanac.kit.messages import gettext
from almanac.web.session_start import start_session

pages = APIRouter()
SIGN_ON_STATE = "almanac_sign_on"
_STATE_SECONDS = 600

LINK_PAGES = {LinkPurpose.SIGN_IN: "confirm_link", LinkPurpose.EMAIL: "confirm_address"}
Anybody = Annotated[Principal | None, public()]


@pages.get("/sign-in")
async def show_sign_in(
    request: Request, principal: Anybody, next_path: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """Show the sign-in form; a signed-in person is redirected, and so is the one of single-user mode."""
    if principal is not None:
        return redirect(request, safe_local_path(next_path))
    if signs_in_locally(request):
        started = await accounts.sign_in_locally(get_state(request).services.accounts, get_client(request))
        return start_session(request, started, safe_local_path(next_path))
    return await render_form(request, next_path=safe_local_path(next_path))


@pages.post("/sign-in")
async def sign_in(
    request: Request,
    _principal: Anybody,
    email: FormText = "",
    password: FormText = "",
    next_path: Annotated[str, Form(alias="next")] = "/",
) -> Response:
    """Check the password; if it is wrong, show the form again with an error."""
    services = get_state(request).services
    try:
        started = await accounts.sign_in(services.accounts, email=email, password=password, visit=get_client(request))
    except AlmanacError as error:
        if error.status not in (401, 429):
            raise
        return await render_form(
            request, error.status, error=error.sentence, email=email, next_path=safe_local_path(next_path)
        )
    return start_session(request, started, safe_local_path(next_path))


@pages.post("/sign-out")
async def sign_out(request: Request, _principal: Annotated[Principal, signed_in()]) -> Response:
    """End this browser's session."""
    state = get_state(request)
    if state.services.settings.single_user:
        raise Conflict(gettext("In single-user mode nobody signs out; stop Almanac, or turn ALMANAC_SINGLE_USER off."))
    await accounts.sign_out(state.services.accounts, request.cookies.get(SESSION, ""))
    response = redirect(request, "/sign-in", Flash(gettext("You are signed out.")))
    state.cookies.clear_session(response)
    # What pages and the service worker kept in this browser goes with the session.
    response.headers["Clear-Site-Data"] = '"storage"'
    return response


@pages.get("/sign-in/forgotten")
async def show_forgotten(request: Request, _principal: Anybody) -> Response:
    """Show the form to request a new password."""
    return await render_page(request, "sign_in/forgotten.html", sent=False, email="", error="")


@pages.post("/sign-in/forgotten")
async def ask_for_link(request: Request, _principal: Anybody, email: FormText = "") -> Response:
    """Send a link if the address has an account; the page says the same either way."""
    services = get_state(request).services
    await accounts.request_password_reset(services.accounts, email=email, address=client_address(request))
    return await render_page(request, "sign_in/forgotten.html", sent=True, email=email, error="")


@pages.get("/link/{token}")
async def show_link(request: Request, token: str, _principal: Anybody) -> Response:
    """Show what a one-time link is for, with the button that uses it: mail scanners open links too."""
    link = await accounts.inspect_link(get_state(request).services.accounts, token)
    return await _render_link(request, link, token)


@pages.post("/link/{token}")
async def follow_link(request: Request, token: str, _principal: Anybody, password: FormText = "") -> Response:
    """Use a one-time link: sign in at once, set the password of an invitation or reset, or confirm an address."""
    services, visit = get_state(request).services, get_client(request)
    link = await accounts.inspect_link(services.accounts, token)
    if link.purpose is LinkPurpose.EMAIL:
        user = await accounts.confirm_email(services.accounts, token)
        return redirect(request, "/account", Flash(gettext("Your address is %(email)s now.", email=user.email)))
    if link.purpose is LinkPurpose.SIGN_IN:
        started = await accounts.sign_in_with_link(services.accounts, token=token, visit=visit)
        is_first = started.user.email == accounts.FIRST_ADMIN_EMAIL and not started.user.has_password
        return start_session(request, started, "/setup" if is_first else "/")
    try:
        started = await accounts.choose_password(services.accounts, token=token, password=password, visit=visit)
    except FieldErrors as error:
        return await _render_link(request, link, token, error.fields)
    return start_session(request, started, "/", Flash(gettext("Your password is set and you are signed in.")))


@pages.get("/sign-in/single")
async def begin_sign_on(
    request: Request, _principal: Anybody, next_path: Annotated[str, Query(alias="next")] = "/", again: bool = False
) -> Response:
    """Redirect to the single sign-on service; with `again` it asks the person to prove who they are once more."""
    app_state = get_state(request)
    return_to = safe_local_path(next_path)
    start = await accounts.begin_sign_on(app_state.services.accounts, return_to=return_to, again=again)
    response = RedirectResponse(start.url, status_code=303)
    response.set_cookie(
        SIGN_ON_STATE,
        start.state,
        max_age=_STATE_SECONDS,
        httponly=True,
        secure=app_state.cookies.secure,
        samesite="lax",
    )
    return response


@pages.get("/sign-in/single/return")
async def finish_sign_on(
    request: Request, _principal: Anybody, code: str = "", state: str = "", error: str = ""
) -> Response:
    """Complete single sign-on and start a session."""
    services = get_state(request).services
    if services.accounts.oidc is None:
        raise NotFound(gettext("Single sign-on is not set up here; sign in with your password."))
    if error or not code:
        return await render_form(
            request, 401, error=gettext("The single sign-on service didn't sign you in; try again.")
        )
    done = await accounts.finish_sign_on(
        services.accounts,
        code=code,
        state=state,
        browser_state=request.cookies.get(SIGN_ON_STATE),
        visit=get_client(request),
    )
    response = start_session(request, done.signed_in, safe_local_path(done.return_to))
    response.delete_cookie(SIGN_ON_STATE)
    return response


async def _render_link(request: Request, link: OpenLink, token: str, errors: dict[str, str] | None = None) -> Response:
    template = LINK_PAGES.get(link.purpose, "choose_password")
    return await render_page(
        request,
        f"sign_in/{template}.html",
        status_code=422 if errors else 200,
        link=link,
        token=token,
        errors=errors or {},
    )


async def render_form(
    request: Request, status: int = 200, *, error: str = "", email: str = "", next_path: str = "/"
) -> Response:
    """The sign-in form, with what went wrong."""
    return await render_page(
        request,
        "sign_in/form.html",
        status_code=status,
        error=error,
        email=email,
        next_path=next_path,
        single=get_state(request).services.accounts.oidc is not None,
        site=find_site(request),
    )

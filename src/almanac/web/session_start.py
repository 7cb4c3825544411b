"""The end of every sign-in: the session cookie and a redirect, or the way to the second step."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from almanac.accounts.model import PendingSignIn, SignedIn
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.pages import redirect

PENDING = "almanac_pending"
SECOND_STEP_PATH = "/sign-in/second"
_PENDING_SECONDS = 600


def start_session(
    request: Request, outcome: SignedIn | PendingSignIn, path: str, flash: Flash | None = None
) -> Response:
    """Set the session cookie and redirect; or, after the first of two steps, a short-lived cookie for the second."""
    cookies = get_state(request).cookies
    if isinstance(outcome, PendingSignIn):
        response = redirect(request, f"{SECOND_STEP_PATH}?next={quote(path)}", flash)
        response.set_cookie(
            PENDING, outcome.token, max_age=_PENDING_SECONDS, httponly=True, secure=cookies.secure, samesite="strict"
        )
        return response
    response = redirect(request, path, flash)
    cookies.set_session(response, outcome.token)
    cookies.set_theme(response, outcome.user.preferences.theme)
    if PENDING in request.cookies:
        response.delete_cookie(PENDING)
    return response

"""Who is asking: the principal behind an API token or a session cookie, found once per request."""

from dataclasses import dataclass

from starlette.requests import Request

from almanac.accounts.csrf import csrf_fits, issue_csrf
from almanac.accounts.model import Principal
from almanac.errors import NotAllowed, SignInNeeded
from almanac.http.cookies import SESSION
from almanac.http.surface import surface_of

CSRF_FIELD, CSRF_HEADER = "csrf_token", "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Identity:
    """The principal, and the session token that its CSRF tokens are bound to when it came with a cookie."""

    principal: Principal | None = None
    session_token: str | None = None

    def csrf(self) -> str:
        """A CSRF token for one page; empty where nobody is signed in with a cookie."""
        return issue_csrf(self.session_token) if self.session_token else ""


async def identify(request: Request) -> Identity:
    """Who is asking. A wrong API token is refused at once; a session that is over counts as nobody."""
    known = getattr(request.state, "identity", None)
    if isinstance(known, Identity):
        return known
    request.state.identity = found = await identify_anew(request)
    return found


async def identify_anew(request: Request) -> Identity:
    """Who is asking as things stand now: a session may have ended since the request came."""
    principals = surface_of(request).services.principals
    kind, _, credential = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        principal = await principals.of_token(credential.strip())
        if principal is None:
            raise SignInNeeded("This API token is unknown, expired or revoked; send a valid one.")
        return Identity(principal)
    token = request.cookies.get(SESSION)
    principal = await principals.of_session(token) if token else None
    return Identity(principal, token) if principal else Identity()


async def check_csrf(request: Request, identity: Identity) -> None:
    """A change asked for with a cookie must carry the token that only our own pages know."""
    if request.method in SAFE_METHODS or identity.session_token is None:
        return
    given = request.headers.get(CSRF_HEADER) or await _csrf_in_form(request)
    if not csrf_fits(identity.session_token, given):
        raise NotAllowed("This form is no longer valid and nothing was changed; load the page again and repeat it.")


async def _csrf_in_form(request: Request) -> str | None:
    if not request.headers.get("Content-Type", "").startswith(_FORMS):
        return None
    value = (await request.form()).get(CSRF_FIELD)
    return value if isinstance(value, str) else None


def check_origin(request: Request) -> None:
    """A form that needs no sign-in is taken only from our own pages: another site can't sign somebody in."""
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    ours = {f"http://{request.url.netloc}", f"https://{request.url.netloc}"}
    ours.add(surface_of(request).services.settings.public_url)
    if request.headers.get("Sec-Fetch-Site") == "cross-site" or (origin and origin not in ours):
        raise NotAllowed("This form came from another site and nothing was changed; open the page here and repeat it.")

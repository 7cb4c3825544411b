"""Follow buttons: a person, a bill, a body or words, by a saved query with a daily mail."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.recap.model.follows import Follow
from almanac.desks.recap.pages.layout import Reader
from almanac.desks.recap.service import follows
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.kit.messages import gettext
from almanac.saved import SavedQuery

router = APIRouter(prefix=PREFIX)


@router.post("/follow")
async def follow_something(request: Request, principal: Reader, kind: FormText = "", target: FormText = "") -> Response:
    """Follow a person, a bill, a body or words."""
    principal.require("saved.own")
    follow = await follows.start_following(get_state(request).services, principal, kind, target)
    sentence = gettext(
        "You follow %(what)s. Mail comes at most once a day, when there is something new.", what=follow.label
    )
    return redirect_with_message(request, page_of(follow), sentence)


@router.post("/unfollow")
async def unfollow_something(
    request: Request, principal: Reader, kind: FormText = "", target: FormText = ""
) -> Response:
    """Follow something no more."""
    principal.require("saved.own")
    follow = await follows.stop_following(get_state(request).services, principal, kind, target)
    return redirect_with_message(request, page_of(follow), gettext("You no longer follow %(what)s.", what=follow.label))


def page_of(follow: Follow) -> str:
    """The page of what is followed."""
    match follow.kind:
        case "person":
            return WORKSPACE.person(follow.label, follow.target)
        case "bill":
            return WORKSPACE.bill(follow.target)
        case "meeting":
            house, _, meeting = follow.target.partition("/")
            return WORKSPACE.articles(house=house, meeting=meeting)
        case "words":
            return WORKSPACE.articles(q=follow.target)


async def find_followed(request: Request, principal: Principal, follow: Follow | None) -> SavedQuery | None:
    """The saved query by which the reader follows what a page is about."""
    return await follows.find_followed(get_state(request).services, principal, follow) if follow else None

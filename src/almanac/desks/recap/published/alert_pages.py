"""Mail about what is followed, without an account: the forms that ask, confirm, change and stop it.

Pages behind a link of a mail only show; what changes something is a form on them.
"""

from collections.abc import Mapping

from almanac.desks.recap.published.layout import build_page, urls
from almanac.desks.recap.published.reader_lists import (
    AskedAlert,
    ReaderList,
    find_asked_alert,
    find_reader_list,
)
from almanac.desks.recap.service.follows import describe_follow
from almanac.errors import NotFound
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.messages import gettext, translate
from almanac.public import PublicField, PublicForm, PublicPage, PublicRequest, PublicRoute
from almanac.public.links import join_path
from almanac.subscribers.links import KEY, PAGES, AlertTokens

_FREQUENCIES = (("daily", gettext("At most once a day")), ("at_once", gettext("As soon as something is published")))
_LONGEST_TARGET = 400
_TITLE = gettext("Mail about what you follow")
_DONE = {
    "confirmed": gettext("Confirmed. You get mail when there is something new."),
    "changed": gettext("Your wishes are saved."),
    "stopped": gettext("You get no more mail about that."),
    "renewed": gettext(
        "Links to this page in earlier mails no longer work. Keep this address, or wait for the next mail."
    ),
}


async def show_alert_form(request: PublicRequest) -> PublicPage:
    """Ask for mail about a person, a bill, a body or words."""
    follow = await describe_follow(request.ports, request.text("kind", 20), request.text("target", _LONGEST_TARGET))
    values = {"follow": follow, "languages": list(LANGUAGE_NAMES.items()), "frequencies": _FREQUENCIES}
    return _page(request, "alert_form", _TITLE, (follow, request.form), values)


async def show_asked(request: PublicRequest) -> PublicPage:
    """What happens after mail was asked for."""
    return _page(request, "alert_asked", gettext("Look into your mail"), "asked", {})


async def show_stopped(request: PublicRequest) -> PublicPage:
    """That no more mail comes."""
    return _page(request, "alert_stopped", gettext("You get no more mail"), "stopped", {})


async def show_confirmation(request: PublicRequest) -> PublicPage:
    """Confirm that mail is wanted; the link in the mail leads here and changes nothing."""
    subscription_id = _tokens(request).read_confirm(request.params["token"])
    asked: AskedAlert | None = None
    if subscription_id is not None:
        asked = await find_asked_alert(request.ports.database, subscription_id, request.ports.clock.now())
    return _page(request, "alert_confirm", gettext("Confirm your address"), None, {"asked": asked}, is_kept=False)


async def show_alert_list(request: PublicRequest) -> PublicPage:
    """What one reader follows, for whoever has the link from their mail."""
    opened = _tokens(request).read_listed(request.params["token"])
    reader: ReaderList | None = None
    if opened is not None:
        reader = await find_reader_list(request.ports.database, *opened)
    stop_url = ""
    if reader is not None:
        stop_url = request.links.page(request.language, PAGES + join_path("stop", _tokens(request).stop(reader.id)))
    values = {
        "reader": reader,
        "languages": list(LANGUAGE_NAMES.items()),
        "frequencies": _FREQUENCIES,
        "done": _DONE.get(request.text("done", 20), ""),
        "stop_url": stop_url,
    }
    return _page(request, "alert_list", gettext("What you follow"), None, values, is_kept=False)


async def show_stop_form(request: PublicRequest) -> PublicPage:
    """Stop every mail to an address; the link in the mail leads here and changes nothing."""
    if _tokens(request).read_stop(request.params["token"]) is None:
        raise NotFound(gettext("This link is damaged; copy it whole from the mail."))
    return _page(request, "alert_stop", gettext("Stop every mail"), None, {}, is_kept=False)


def _tokens(request: PublicRequest) -> AlertTokens:
    return AlertTokens(request.ports.key(KEY))


def _page(
    request: PublicRequest,
    template: str,
    title: str,
    stamp: object,
    values: Mapping[str, object],
    *,
    is_kept: bool = True,
) -> PublicPage:
    async def load() -> Mapping[str, object]:
        return {**values, "here": request.links.page(request.language, request.path)}

    return build_page(
        request,
        "",
        template,
        load,
        to=urls(request),
        title=translate(title, request.language),
        stamp=stamp,
        is_listed=False,
        is_kept=is_kept,
    )


_ASK, _CONFIRM, _LIST, _STOP = (
    f"{PAGES}/{path}" for path in ("new", "confirm/{token}", "mine/{token}", "stop/{token}")
)
_CHOICES = (
    PublicField(name="language", most=5, required=False),
    PublicField(name="frequency", most=10, required=False),
)
ALERT_ROUTES = (
    PublicRoute(_ASK, show_alert_form),
    PublicRoute(f"{PAGES}/asked", show_asked),
    PublicRoute(_CONFIRM, show_confirmation),
    PublicRoute(_LIST, show_alert_list),
    PublicRoute(_STOP, show_stop_form),
    PublicRoute(f"{PAGES}/stopped", show_stopped),
)
ALERT_FORMS = (
    PublicForm(
        name="recap.ask-alert",
        path=_ASK,
        about="Ask for mail about something; the owner of the address must confirm it.",
        done=f"{PAGES}/asked",
        fields=(
            PublicField(name="email", most=254),
            PublicField(name="kind", most=20),
            PublicField(name="target", most=_LONGEST_TARGET),
            *_CHOICES,
        ),
    ),
    PublicForm(
        name="recap.confirm-alert",
        path=_CONFIRM,
        about="Confirm that mail is wanted.",
        done=f"{PAGES}/asked",
        per_hour=0,
    ),
    PublicForm(
        name="recap.change-alerts",
        path=_LIST,
        about="Change how mails come, or stop one of them.",
        done=f"{PAGES}/stopped",
        fields=(
            PublicField(name="stop", most=40, required=False),
            PublicField(name="renew", most=5, required=False),
            *_CHOICES,
        ),
        per_hour=0,
    ),
    PublicForm(
        name="recap.stop-alerts",
        path=_STOP,
        about="Stop every mail to an address, also by one click in a mail program (RFC 8058).",
        done=f"{PAGES}/stopped",
        fields=(PublicField(name="forever", most=5, required=False),),
        per_hour=0,
    ),
)

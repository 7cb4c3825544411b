"""What anybody may send to the desk: each form of its public part, taken with no rights but those it gives itself."""

from almanac.desks.recap.published.error_report import REPORT_FORM, parse_order
from almanac.desks.recap.service.follows import describe_follow
from almanac.desks.recap.service.reports import report_public_error
from almanac.errors import NotFound
from almanac.kit.catalogs import nearest_language
from almanac.kit.messages import gettext
from almanac.public import SentForm
from almanac.public.links import join_path
from almanac.services import Services
from almanac.subscribers import FollowRequest
from almanac.subscribers.links import PAGES
from almanac.subscribers.service import read_address, read_frequency

_INVALID = gettext("This link is damaged; copy it whole from the mail.")
STOPPED = f"{PAGES}/stopped"


async def take_report(services: Services, sent: SentForm) -> None:
    """Put an error report of somebody without an account into the list of reports."""
    order = parse_order(sent.values["order"])
    await report_public_error(services, sent.params["article_id"][:200], sent.values["text"], order=order)


async def ask_alert(services: Services, sent: SentForm) -> None:
    """Ask the owner of an address by mail whether they want to follow something."""
    values, ports = sent.values, services.read_ports
    assert ports is not None
    email = read_address(values["email"])
    follow = await describe_follow(ports, values["kind"], values["target"])
    await services.subscribers.ask(
        FollowRequest(
            email=email,
            desk="recap",
            kind=follow.kind,
            target=follow.target,
            label=follow.label,
            language=nearest_language(values["language"] or sent.language),
            frequency=read_frequency(values["frequency"]),
        )
    )


async def confirm_alert(services: Services, sent: SentForm) -> str:
    """Start an alert by the link in the mail about it."""
    links = services.subscribers.links
    subscription_id = links.tokens.read_confirm(sent.params["token"])
    if subscription_id is None:
        raise NotFound(_INVALID)
    subscriber = await services.subscribers.confirm(subscription_id)
    return _list_path(services, subscriber.id, subscriber.generation) + "?done=confirmed"


async def change_alerts(services: Services, sent: SentForm) -> str:
    """Change how mails come, stop one alert, or make the links in earlier mails invalid."""
    subscribers, values = services.subscribers, sent.values
    opened = subscribers.links.tokens.read_listed(sent.params["token"])
    if opened is None:
        raise NotFound(_INVALID)
    subscriber_id, generation = opened
    if values["stop"]:
        if not await subscribers.stop(subscriber_id, generation, values["stop"]):
            return STOPPED
        return _list_path(services, subscriber_id, generation) + "?done=stopped"
    if values["renew"]:
        subscriber = await subscribers.renew_links(subscriber_id, generation)
        return _list_path(services, subscriber.id, subscriber.generation) + "?done=renewed"
    language = nearest_language(values["language"] or sent.language)
    await subscribers.change(subscriber_id, generation, language, read_frequency(values["frequency"]))
    return _list_path(services, subscriber_id, generation) + "?done=changed"


async def stop_alerts(services: Services, sent: SentForm) -> None:
    """Stop every alert of an address and delete it, as mail programs do with one click."""
    subscriber_id = services.subscribers.links.tokens.read_stop(sent.params["token"])
    if subscriber_id is None:
        raise NotFound(_INVALID)
    await services.subscribers.stop_all(subscriber_id, forever=bool(sent.values["forever"]))


def _list_path(services: Services, subscriber_id: str, generation: int) -> str:
    token = services.subscribers.links.tokens.listed(subscriber_id, generation)
    return PAGES + join_path("mine", token)


RECEIVERS = {
    REPORT_FORM.name: take_report,
    "recap.ask-alert": ask_alert,
    "recap.confirm-alert": confirm_alert,
    "recap.change-alerts": change_alerts,
    "recap.stop-alerts": stop_alerts,
}

"""API: the caller's own notifications, with the addresses and devices they go to."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.problems import documented_problems
from almanac.notifications import (
    MorningChoice,
    NotificationChannel,
    NotificationKind,
    NotificationProfile,
    NotificationSettings,
)
from almanac.notifications.model import parse_quiet_hours

router = APIRouter(prefix=f"{API_PREFIX}/me/notifications", tags=["me"], route_class=AtomicRoute)

Myself = Annotated[Principal, require("account.own")]


class MorningBody(ApiModel):
    """The day as a mail, once a day."""

    hour: int | None = Field(None, ge=0, le=23, description="In the person's time zone; null for never.")
    days: list[Annotated[int, Field(ge=1, le=7)]] = Field(
        [1, 2, 3, 4, 5], min_length=1, max_length=7, description="Days of the week from Monday, which is 1."
    )
    when_empty: bool = Field(False, description="Whether it comes also when there is nothing to tell.")


class NotificationChoices(ApiModel):
    """What a person chose."""

    choices: dict[NotificationKind, list[NotificationChannel]] = Field(
        description="The channels of each kind; a kind that is left out keeps its usual ones."
    )
    quiet_from: Text | None = Field(None, examples=["22:00"], description="Local time, in the person's time zone.")
    quiet_to: Text | None = Field(None, examples=["07:00"])
    titles: bool = Field(False, description="Whether messages show titles, not only numbers.")
    morning: MorningBody | None = Field(None, description="The day as a mail; null for never.")

    def as_settings(self) -> NotificationSettings:
        begin, end = parse_quiet_hours(self.quiet_from or "", self.quiet_to or "")
        choices = {kind: frozenset(channels) for kind, channels in self.choices.items()}
        wish, morning = self.morning, MorningChoice()
        if wish is not None:
            morning = MorningChoice(hour=wish.hour, days=frozenset(wish.days), when_empty=wish.when_empty)
        return NotificationSettings(
            choices=choices, quiet_from=begin, quiet_to=end, titles=self.titles, morning=morning
        )


class AddressBody(ApiModel):
    """The address of a channel, without what is secret."""

    channel: NotificationChannel
    shown: str
    failing_since: datetime | None
    failing_why: str


class DeviceBody(ApiModel):
    """A browser that gets push messages."""

    id: str
    service: str
    user_agent: str
    created_at: datetime
    last_sent_at: datetime | None
    failing_why: str


class NotificationsBody(NotificationChoices):
    """Everything about a person's notifications."""

    version: int = Field(description="Rises with each edit; send it back in If-Match.")
    addresses: list[AddressBody]
    devices: list[DeviceBody]

    @classmethod
    def from_model(cls, profile: NotificationProfile) -> Self:
        settings = profile.settings
        return cls(
            choices={kind: sorted(settings.channels(kind)) for kind in NotificationKind},
            quiet_from=settings.quiet_texts[0] or None,
            quiet_to=settings.quiet_texts[1] or None,
            titles=settings.titles,
            morning=MorningBody(
                hour=settings.morning.hour,
                days=sorted(settings.morning.days),
                when_empty=settings.morning.when_empty,
            ),
            version=settings.version,
            addresses=[AddressBody.model_validate(address) for address in profile.addresses.values()],
            devices=[DeviceBody.model_validate(device) for device in profile.devices],
        )


class AddressRequest(ApiModel):
    """Where a channel sends to."""

    address: Text = Field(examples=["https://ntfy.sh/your-topic"])


class AddressSecret(ApiModel):
    """What a receiver needs to know; empty unless the channel is a webhook. It is shown only once."""

    secret: str


class TestRequest(ApiModel):
    """Which channel to try; without a device all of them are."""

    channel: NotificationChannel
    device_id: Id | None = None


class TestResult(ApiModel):
    """How a test message went."""

    channel: NotificationChannel
    sent: bool
    reason: str


@router.get("")
async def get_notifications(request: Request, response: Response, principal: Myself) -> NotificationsBody:
    """Get what you chose, your addresses and devices. The ETag is what a change needs."""
    profile = await get_state(request).services.notifications.get_profile(principal)
    return NotificationsBody.from_model(with_etag(response, profile))


@router.put("", responses=documented_problems(412, 428))
async def set_notifications(
    request: Request, response: Response, body: NotificationChoices, principal: Myself, if_match: IfMatch = None
) -> NotificationsBody:
    """Choose kinds, channels and quiet hours. Needs If-Match with the ETag of the GET."""
    notifications = get_state(request).services.notifications
    await notifications.save_settings(principal, body.as_settings(), expected=parse_if_match(if_match))
    return NotificationsBody.from_model(with_etag(response, await notifications.get_profile(principal)))


@router.put("/addresses/{channel}")
async def set_address(
    request: Request, channel: NotificationChannel, body: AddressRequest, principal: Myself
) -> AddressSecret:
    """Set where ntfy, Apprise or your webhook gets messages. It is never shown again as a whole."""
    secret = await get_state(request).services.notifications.set_address(principal, channel, body.address)
    return AddressSecret(secret=secret)


@router.delete("/addresses/{channel}", status_code=204)
async def remove_address(request: Request, channel: NotificationChannel, principal: Myself) -> None:
    """Send nothing by a channel any more."""
    await get_state(request).services.notifications.remove_address(principal, channel)


@router.delete("/devices/{device_id}", status_code=204)
async def remove_device(request: Request, device_id: Id, principal: Myself) -> None:
    """Push to a browser no more."""
    await get_state(request).services.notifications.remove_device(principal, device_id)


@router.post("/test", responses=documented_problems(409))
async def send_test(request: Request, body: TestRequest, principal: Myself) -> list[TestResult]:
    """Send a test message at once and say how it went."""
    outcomes = await get_state(request).services.notifications.send_test(principal, body.channel, body.device_id)
    return [TestResult.model_validate(outcome) for outcome in outcomes]

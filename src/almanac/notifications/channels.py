"""How a message leaves by each channel but mail: push services, ntfy, Apprise and webhooks, all guarded.

Each raises TargetGone if nobody is there any more, a Retryable error if it certainly did not arrive and may later,
OutcomeInDoubt if it may have arrived, and any other AlmanacError if it never will.
"""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from almanac.documents.sandbox import reader_environment
from almanac.errors import AlmanacError, Conflict, Unavailable
from almanac.fetch import Fetched, Fetcher, HostRateLimited, HostUnavailable
from almanac.kit.clock import Clock
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.signatures import sign_body
from almanac.notifications.addresses import NtfyTopic
from almanac.notifications.model import RULES, NotificationText
from almanac.notifications.push_encryption import PushSubscription, VapidKey, encrypt_push
from almanac.webhooks.delivery import DELIVERY_HEADER, EVENT_HEADER, SIGNATURE_HEADER, endpoint_secret

_SECONDS = 15.0
_MOST_BYTES = 64 * 1024
_PUSH_LIFE_SECONDS = 24 * 3600
_GONE = (404, 410)
_NTFY_HIGH, _NTFY_USUAL = 4, 3
WEBHOOK_EVENT = "notification"
APPRISE_PROGRAM = Path(__file__).parent / "apprise_process.py"
APPRISE_SECONDS = 30.0


class TargetGone(Conflict, code="notification_target_gone"):
    """The browser or service no longer takes messages of ours."""


class OutcomeInDoubt(AlmanacError, code="notification_in_doubt", status=502):
    """The message may have arrived; it isn't sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMessage:
    """A message on its way. `tag` is the same for messages that replace each other, `id` for attempts at one."""

    id: str
    tag: str
    text: NotificationText
    at: datetime

    @property
    def urgent(self) -> bool:
        return self.text.kind is not None and RULES[self.text.kind].urgent


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """What the process of Apprise may connect to, as the settings write it."""

    allow: str
    ports: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSenders:
    """Sends messages. `contact` is where a push service finds whoever runs this installation."""

    fetcher: Fetcher
    clock: Clock
    vapid: VapidKey
    contact: str
    public_url: str
    webhook_key: bytes = field(repr=False)
    guard: GuardSettings

    async def push(self, message: OutgoingMessage, subscription: PushSubscription) -> None:
        """Encrypted for one browser; a newer message with the same tag replaces one that waits at the service."""
        text = message.text
        content = {
            "title": text.title,
            "body": text.body,
            "path": text.path,
            "tag": message.tag,
            "language": text.language,
            "at": int(message.at.timestamp()),
            "waiting": text.waiting,
        }
        headers = {
            "Authorization": self.vapid.authorization(subscription.endpoint, self.contact, self.clock.now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_PUSH_LIFE_SECONDS),
            "Topic": message.tag.replace("-", "")[:32],
            "Urgency": "high" if message.urgent else "normal",
        }
        body = encrypt_push(json.dumps(content, ensure_ascii=False).encode(), subscription)
        answer = await self._post(subscription.endpoint, body, headers)
        if answer.status in _GONE:
            raise TargetGone(gettext("This browser no longer takes notifications."))
        _check(answer)

    async def ntfy(self, message: OutgoingMessage, address: str) -> None:
        """Published as JSON, which takes every language."""
        topic = NtfyTopic.parse(address)
        content = {
            "topic": topic.topic,
            "title": message.text.title,
            "message": message.text.body,
            "click": self.public_url + message.text.path,
            "priority": _NTFY_HIGH if message.urgent else _NTFY_USUAL,
        }
        headers = {"Content-Type": "application/json"}
        if topic.token:
            headers["Authorization"] = f"Bearer {topic.token}"
        try:
            _check(await self._post(topic.server, encode_json(content), headers))
        except HostUnavailable as error:
            if error.status_code is None and not _never_connected(error):
                raise OutcomeInDoubt(error.sentence) from error
            raise

    async def webhook(self, message: OutgoingMessage, address: str, *, owner: str, generation: int) -> None:
        """Signed like the webhooks of the installation; the receiver knows a repeated message by its id."""
        text = message.text
        data = {"kind": text.kind, "title": text.title, "text": text.body, "url": self.public_url + text.path}
        content = {"id": message.id, "event": WEBHOOK_EVENT, "created_at": message.at, "data": data}
        body, now = encode_json(content), self.clock.now()
        headers = {
            "Content-Type": "application/json",
            SIGNATURE_HEADER: sign_body(body, self.webhook_secret(owner, generation).encode(), now=now),
            EVENT_HEADER: WEBHOOK_EVENT,
            DELIVERY_HEADER: message.id,
        }
        answer = await self._post(address, body, headers)
        if answer.status == _GONE[1]:
            raise TargetGone(gettext("The receiver says that the webhook is gone (410)."))
        _check(answer)

    def webhook_secret(self, owner: str, generation: int) -> str:
        """The secret that a person's webhook is signed with."""
        return endpoint_secret(self.webhook_key, f"person {owner}", generation)

    async def apprise(self, message: OutgoingMessage, address: str) -> None:
        """By Apprise, in a process whose connections are guarded."""
        text = message.text
        request = {
            "address": address,
            "title": text.title,
            "body": f"{text.body}\n{self.public_url}{text.path}",
            "allow": self.guard.allow,
            "ports": self.guard.ports,
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            str(APPRISE_PROGRAM),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=reader_environment(),
        )
        try:
            async with asyncio.timeout(APPRISE_SECONDS):
                output, _ = await process.communicate(json.dumps(request).encode())
        except TimeoutError as error:
            raise OutcomeInDoubt(gettext("The service took too long; the message may have arrived.")) from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        _check_apprise(process.returncode, output)

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> Fetched:
        return await self.fetcher.post(url, body, headers=headers, max_bytes=_MOST_BYTES, seconds=_SECONDS)


def _check(answer: Fetched) -> None:
    """Raise the error that a status stands for."""
    status = answer.status
    if 200 <= status < 300:
        return
    wait = answer.headers.get("retry-after", "")
    if status == 429 or (status == 503 and wait.isdecimal()):
        seconds = int(wait) if wait.isascii() and wait.isdecimal() and len(wait) < 6 else 60
        raise HostRateLimited(gettext("The service asks us to slow down (%(status)s).", status=status), seconds)
    if status >= 500:
        raise HostUnavailable(gettext("The service has a problem (%(status)s).", status=status), status_code=status)
    raise AlmanacError(gettext("The service refuses the message (%(status)s); check the address.", status=status))


def _never_connected(error: HostUnavailable) -> bool:
    """Whether the connection itself failed, so that nothing can have arrived."""
    return hasattr(error.__cause__, "os_error")


def _check_apprise(code: int | None, output: bytes) -> None:
    if code != 0:
        raise OutcomeInDoubt(gettext("Sending stopped unexpectedly; the message may have arrived."))
    result = json.loads(output)
    if result["refused"]:
        raise AlmanacError(result["refused"])
    if not result["valid"]:
        raise AlmanacError(gettext("Apprise can't read this address; check it."))
    if not result["sent"]:
        raise Unavailable(gettext("The service didn't take the message; check the address."))

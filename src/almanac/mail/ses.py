"""Mail through Amazon SES v2: one signed HTTP call for each mail, with keys from the AWS environment."""

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import msgspec

from almanac.errors import SettingError, Unavailable
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.json_text import encode_json
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.mail.port import Envelope, Lookup, MailDeferred, MailRefused, MailTransport, OutcomeUnknown, Receipt
from tablature.transport.signature import AwsCredentials, Signer

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = lazy_module("aiohttp")

TAG = "almanac-id"
_SEND = "/v2/email/outbound-emails"
_ACCOUNT = "/v2/email/account"
_FORM = "write ses://eu-west-1?configuration_set=name&sns_topic=arn:aws:sns:..."
_THROTTLED = frozenset({"ThrottlingException", "TooManyRequestsException", "LimitExceededException"})


@dataclass(frozen=True, slots=True)
class SesAccount:
    """The region, credentials and options of an SES account."""

    region: str
    endpoint: str
    keys: AwsCredentials
    configuration_set: str | None = None
    sns_topics: frozenset[str] = frozenset()

    @classmethod
    def from_url(cls, url: str, environ: Mapping[str, str] = os.environ) -> "SesAccount":
        """Parse `ses://region?configuration_set=...&sns_topic=...`; events are accepted only from the topics named."""
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query)
        topics = frozenset(value for name, value in pairs if name == "sns_topic")
        options = {name: value for name, value in pairs if name != "sns_topic"}
        endpoint = options.pop("endpoint", f"https://email.{parts.hostname}.amazonaws.com")
        configuration_set = options.pop("configuration_set", None)
        if parts.scheme != "ses" or not parts.hostname or options:
            raise SettingError(gettext("The mail address can't be read; %(form)s.", form=_FORM))
        try:
            keys = AwsCredentials(
                environ["AWS_ACCESS_KEY_ID"], environ["AWS_SECRET_ACCESS_KEY"], environ.get("AWS_SESSION_TOKEN")
            )
        except KeyError as error:
            raise SettingError(
                gettext("Mail through SES needs %(args)s in the environment.", args=error.args[0])
            ) from error
        return cls(parts.hostname, endpoint.rstrip("/"), keys, configuration_set, topics)


@dataclass(frozen=True, slots=True)
class _SesAnswer:
    status: int
    body: Mapping[str, object]

    @property
    def words(self) -> str:
        text = self.body.get("message") or self.body.get("Message") or f"status {self.status}"
        return one_line(str(text))[:300].rstrip(".")


class SesTransport(MailTransport):
    """SES replaces our Message-ID by its own, so each mail also carries our id as a tag that comes back in events."""

    name = "ses"

    def __init__(self, account: SesAccount, *, clock: Clock | None = None, timeout: float = 60.0) -> None:
        self._account = account
        self._signer = Signer(account.region, "ses")
        self._clock = clock or SystemClock()
        self._timeout = aiohttp.ClientTimeout(total=timeout, connect=10)

    async def send(self, envelope: Envelope) -> Receipt:
        try:
            answer = await self._call("POST", _SEND, self._request(envelope))
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise MailDeferred(gettext("Amazon SES can't be reached.")) from error
        except (aiohttp.ClientError, OSError) as error:
            raise OutcomeUnknown(gettext("Amazon SES didn't answer after the mail was handed over.")) from error
        return _receipt(answer)

    async def find(self, message_id: str) -> Lookup:  # noqa: ARG002 - SES can't be asked by our Message-ID, whatever it is
        return Lookup.CANNOT_TELL

    async def check(self) -> None:
        try:
            answer = await self._call("GET", _ACCOUNT, b"")
        except (aiohttp.ClientError, OSError) as error:
            raise Unavailable(gettext("Amazon SES can't be reached.")) from error
        if answer.status in {401, 403}:
            raise Unavailable(gettext("Amazon SES refused our keys: %(words)s.", words=answer.words))
        if answer.status >= 500:
            raise Unavailable(gettext("Amazon SES reports a problem: %(words)s.", words=answer.words))

    def _request(self, envelope: Envelope) -> bytes:
        request: dict[str, object] = {
            "FromEmailAddress": envelope.sender,
            "Destination": {"ToAddresses": envelope.recipients},
            "Content": {"Raw": {"Data": b64encode(envelope.raw).decode()}},
            "EmailTags": [{"Name": TAG, "Value": envelope.mail_id}],
        }
        if self._account.configuration_set:
            request["ConfigurationSetName"] = self._account.configuration_set
        return encode_json(request)

    async def _call(self, method: str, path: str, body: bytes) -> _SesAnswer:
        url = urlsplit(self._account.endpoint + path)
        headers = self._signer.headers(
            self._account.keys,
            method=method,
            host=url.netloc,
            path=url.path,
            target=None,
            body=body,
            content_type="application/json",
            now=self._clock.now().astimezone(UTC),
        )
        async with (
            aiohttp.ClientSession(timeout=self._timeout) as session,
            session.request(method, url.geturl(), data=body, headers=headers, allow_redirects=False) as response,
        ):
            return _SesAnswer(response.status, _decoded(await response.read()))


def _receipt(answer: _SesAnswer) -> Receipt:
    """Only a clear response counts; an error inside SES may have come after the mail was taken over."""
    if answer.status == 200 and isinstance(provider_id := answer.body.get("MessageId"), str):
        return Receipt(f"message {provider_id}", provider_id=provider_id)
    kind = str(answer.body.get("__type", "")).rpartition("#")[2]
    if answer.status in {401, 403, 429} or kind in _THROTTLED:
        raise MailDeferred(gettext("Amazon SES delayed the mail: %(words)s.", words=answer.words))
    if 400 <= answer.status < 500:
        raise MailRefused(gettext("Amazon SES refused the mail: %(words)s.", words=answer.words))
    raise OutcomeUnknown(gettext("Amazon SES gave no clear answer: %(words)s.", words=answer.words))


def _decoded(body: bytes) -> Mapping[str, object]:
    try:
        decoded = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return decoded if isinstance(decoded, dict) else {}

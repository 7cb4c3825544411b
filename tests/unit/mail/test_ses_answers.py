"""The response of SES, or its absence, decides between sent, refused, deferred and unknown."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
from aiohttp import web

from almanac.errors import SettingError, Unavailable
from almanac.kit.clock import FixedClock
from almanac.mail.port import Envelope, MailDeferred, MailRefused, OutcomeUnknown
from almanac.mail.ses import SesAccount, SesTransport
from tablature.transport.signature import AwsCredentials

MAIL = Envelope("mail-1", "<1@example.org>", "desk@example.org", ("anna@example.com",), b"Subject: Hi\r\n\r\nHi\r\n")
KEYS = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}


@pytest.fixture
async def answering(clock: FixedClock, loopback: Callable) -> AsyncIterator[Callable]:
    """Makes a transport whose SES answers as told, and keeps the requests."""
    sites = AsyncExitStack()

    async def make(answer, requests: list | None = None) -> SesTransport:
        async def respond(request: web.Request) -> web.Response:
            if requests is not None:
                requests.append(await request.json())
            return await answer(request) if callable(answer) else web.json_response(answer[1], status=answer[0])

        address = await sites.enter_async_context(loopback(web.route("*", "/{path:.*}", respond)))
        return SesTransport(
            SesAccount("eu-west-1", address, AwsCredentials("a", "b"), "events"), clock=clock, timeout=1
        )

    async with sites:
        yield make


async def hang_up(request: web.Request) -> web.Response:
    request.transport.abort()
    return web.Response()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((400, {"message": "Email address is not verified."}), MailRefused),
        ((400, {"__type": "ThrottlingException", "message": "Slow down"}), MailDeferred),
        ((429, {"message": "Too many requests"}), MailDeferred),
        ((403, {"message": "The security token is invalid"}), MailDeferred),
        ((500, {"message": "Internal failure"}), OutcomeUnknown),
        ((503, {}), OutcomeUnknown),
        ((200, {}), OutcomeUnknown),
        (hang_up, OutcomeUnknown),
    ],
)
async def test_only_a_clear_answer_is_believed(answering, answer, error: type[Exception]) -> None:
    with pytest.raises(error):
        await (await answering(answer)).send(MAIL)


async def test_the_request_names_envelope_tag_and_configuration_set(answering) -> None:
    requests: list[dict] = []
    receipt = await (await answering((200, {"MessageId": "ses-1"}), requests)).send(MAIL)
    assert receipt.provider_id == "ses-1"
    [request] = requests
    assert request["Destination"] == {"ToAddresses": ["anna@example.com"]}
    assert request["EmailTags"] == [{"Name": "almanac-id", "Value": "mail-1"}]
    assert request["ConfigurationSetName"] == "events"


async def test_an_unreachable_ses_is_put_off_and_fails_the_check() -> None:
    with socket.socket() as bound_but_silent:
        bound_but_silent.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{bound_but_silent.getsockname()[1]}"
        transport = SesTransport(SesAccount("eu-west-1", endpoint, AwsCredentials("a", "b")))
        with pytest.raises(MailDeferred, match="can't be reached"):
            await transport.send(MAIL)
        with pytest.raises(Unavailable, match="can't be reached"):
            await transport.check()


async def test_refused_keys_fail_the_check(answering) -> None:
    with pytest.raises(Unavailable, match="refused our keys: Signature expired"):
        await (await answering((403, {"message": "Signature expired"}))).check()


def test_the_address_says_region_configuration_and_topics() -> None:
    url = "ses://eu-west-1?configuration_set=events&sns_topic=arn:1&sns_topic=arn:2"
    account = SesAccount.from_url(url, KEYS)
    assert account.endpoint == "https://email.eu-west-1.amazonaws.com"
    assert (account.configuration_set, account.sns_topics) == ("events", {"arn:1", "arn:2"})


@pytest.mark.parametrize("url", ["ses://", "smtp://eu-west-1", "ses://eu-west-1?topic=x"])
def test_a_wrong_address_is_one_sentence_about_the_right_form(url: str) -> None:
    with pytest.raises(SettingError, match="write ses://eu-west-1"):
        SesAccount.from_url(url, KEYS)


@pytest.mark.parametrize("missing", list(KEYS))
def test_missing_keys_are_named(missing: str) -> None:
    with pytest.raises(SettingError, match=f"needs {missing} in the environment"):
        SesAccount.from_url("ses://eu-west-1", {name: "x" for name in KEYS if name != missing})

"""Set-up believes mail and models only after a real trial: SMTP with TLS and a password, a code, a model's answer."""

import asyncio
import re
import ssl
from datetime import timedelta

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from almanac.config import load_settings
from certificates import make_certificate

RIGHT = "correct horse"


class Post:
    """A mail server on loopback with STARTTLS and a password."""

    def __init__(self) -> None:
        self.port = 0
        self.messages: list[bytes] = []

    def authenticate(self, _server, _session, _envelope, _mechanism, data) -> AuthResult:
        return AuthResult(success=data.password == RIGHT.encode(), handled=False)

    async def handle_DATA(self, _server, _session, envelope) -> str:  # noqa: N802 - aiosmtpd's name
        self.messages.append(envelope.original_content)
        return "250 taken"

    def code(self) -> str:
        return re.search(r"Subject: .*?(\d{3} \d{3})", self.messages[-1].decode().replace("\r\n ", " "))[1]


@pytest.fixture
async def post(tmp_path, monkeypatch):
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.chain, certificate.key)
    office = Post()

    def session() -> SMTP:
        return SMTP(
            office,
            hostname="localhost",
            tls_context=context,
            require_starttls=True,
            auth_required=True,
            authenticator=office.authenticate,
        )

    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", 0)
    office.port = server.sockets[0].getsockname()[1]
    yield office
    server.close()
    await server.wait_closed()


@pytest.fixture
def form(post):
    return {
        "kind": "smtp",
        "host": "localhost",
        "port": str(post.port),
        "security": "starttls",
        "user": "desk",
        "password": RIGHT,
        "sender": "desk@example.org",
        "private": "true",
    }


def chosen(services):
    return load_settings({"ALMANAC_DATA": str(services.settings.data)}, services.settings.data)


async def test_mail_is_done_only_when_the_code_of_the_message_comes_back(admin, post, form, services):
    answer = await admin.post("/setup/mail", form)
    assert "Have you seen the test message?" in answer.text
    assert len(post.messages) == 1
    assert b"admin@example.org" in post.messages[0]
    assert "Mail isn&#39;t confirmed" in (await admin.get("/setup/end")).text
    wrong = await admin.post("/setup/mail/code", {"code": "000 000" if post.code() != "000 000" else "111 111"})
    assert "This isn&#39;t the code in the message" in wrong.text
    answer = await admin.post("/setup/mail/code", {"code": post.code()})
    assert answer.url.path != "/setup/mail"
    assert "Mail leaves" in (await admin.get("/setup/end")).text
    settings = chosen(services)
    assert (settings.mail_from, settings.mail_url.startswith("smtp://desk:")) == ("desk@example.org", True)


async def test_the_password_is_never_shown_again_and_an_empty_one_keeps_it(admin, post, form, services):
    await admin.post("/setup/mail", form)
    pages = [(await admin.get(path)).text for path in ("/setup/mail", "/organisation", "/setup/end", "/audit")]
    assert not any(RIGHT in page or "correct%20horse" in page for page in pages)
    assert "setup" in pages[-1]
    await admin.post("/setup/mail", {**form, "password": "", "sender": "other@example.org"})
    assert len(post.messages) == 2
    assert chosen(services).mail_from == "other@example.org"


async def test_a_wrong_password_is_said_in_plain_words_and_nothing_is_kept(admin, post, form, services):
    answer = await admin.post("/setup/mail", {**form, "password": "wrong"})
    assert answer.status_code == 422
    assert "refused our user name or password" in answer.text
    assert "Many providers want an app password" in answer.text
    assert 'value="wrong"' not in answer.text
    assert post.messages == []
    assert chosen(services).mail_url is None


async def test_a_server_that_doesn_t_answer_is_said_in_plain_words(admin, form):
    answer = await admin.post("/setup/mail", {**form, "port": "1"})
    assert answer.status_code == 422
    assert "a firewall may block it" in answer.text


async def test_not_seen_leads_to_what_to_check(admin, post, form):
    await admin.post("/setup/mail", form)
    answer = await admin.post("/setup/mail/missing")
    assert "Look into the folder for spam or junk." in answer.text
    assert "Mail doesn&#39;t arrive" in (await admin.get("/setup/end")).text


async def test_a_private_server_must_be_meant(admin, post, form):
    answer = await admin.post("/setup/mail", {key: value for key, value in form.items() if key != "private"})
    assert "localhost is on a private network; tick the box below" in answer.text
    assert post.messages == []


async def test_a_code_is_guessed_a_few_times_only_and_ages(admin, post, form, clock):
    await admin.post("/setup/mail", form)
    for _ in range(5):
        await admin.post("/setup/mail/code", {"code": "12"})
    assert "no longer works" in (await admin.post("/setup/mail/code", {"code": post.code()})).text
    await admin.post("/setup/mail", form)
    clock.advance(hours=1)
    assert "no longer works" in (await admin.post("/setup/mail/code", {"code": post.code()})).text


async def test_messages_that_leave_are_limited_and_the_page_says_by_whom_and_until_when(admin, post, form, clock):
    until = f"{clock.now() + timedelta(minutes=61):%H:%M} (UTC)"
    for _ in range(6):
        await admin.post("/setup/mail", form)
    answer = await admin.post("/setup/mail", form)
    assert f"Almanac itself allows 6 test messages an hour; try again at {until}." in answer.text
    assert "Ask whoever runs the mail server" not in answer.text
    assert len(post.messages) == 6
    clock.advance(minutes=61)
    assert "Have you seen the test message?" in (await admin.post("/setup/mail", form)).text


async def test_trials_that_fail_are_limited_more_generously(admin, post, form):
    for _ in range(20):
        answer = await admin.post("/setup/mail", {**form, "password": "wrong"})
    assert "refused our user name or password" in answer.text
    assert "Almanac itself allows 20 trials an hour" in (await admin.post("/setup/mail", form)).text
    assert post.messages == []


async def test_a_message_that_never_left_leads_to_its_failure_and_not_to_its_code(admin, post, form):
    await admin.post("/setup/mail", {**form, "password": "wrong"})
    for page in (await admin.get("/setup/mail"), await admin.post("/setup/mail/missing")):
        assert "Have you seen the test message?" not in page.text
        assert "server took" not in page.text
        assert "The last test message wasn't sent" in page.text
        assert "refused our user name or password" in page.text
    assert "Mail doesn&#39;t arrive" not in (await admin.get("/setup/end")).text


async def test_a_trial_that_fails_leaves_the_code_of_an_earlier_message_as_it_was(admin, post, form):
    await admin.post("/setup/mail", form)
    await admin.post("/setup/mail", {**form, "password": "wrong"})
    page = await admin.get("/setup/mail")
    assert "Have you seen the test message?" in page.text
    assert "a later one wasn't sent" in page.text
    answer = await admin.post("/setup/mail/code", {"code": post.code()})
    assert answer.url.path != "/setup/mail"
    assert "Mail leaves" in (await admin.get("/setup/end")).text


async def test_nobody_else_can_be_sent_a_test_message(admin, post, form):
    await admin.post("/setup/mail", {**form, "to": "victim@example.org", "email": "victim@example.org"})
    assert b"victim@example.org" not in post.messages[0]


async def test_a_model_is_kept_once_it_has_answered(admin, services, model_server):
    model_server.then(
        model_server.says({"sentences": [{"text": "The gauge measured 4.2 metres.", "references": ["s1.1"]}]})
    )
    form = {"provider": "server", "model": "small", "base_url": model_server.url, "private": "true", "key": "k-1234"}
    answer = await admin.post("/setup/model", form)
    assert "The gauge measured 4.2 metres." in answer.text
    assert "It took" in answer.text
    settings = chosen(services)
    assert (settings.llm_model, settings.llm_base_url) == ("small", model_server.url)
    assert "k-1234" not in (await admin.get("/setup/model")).text
    refused = await admin.post("/setup/model", {key: form[key] for key in form if key != "private"})
    assert "is on a private network" in refused.text


async def test_a_model_that_doesn_t_answer_is_not_kept(admin, services):
    form = {"provider": "server", "model": "small", "base_url": "http://127.0.0.1:1/v1", "private": "true"}
    answer = await admin.post("/setup/model", form)
    assert "The model didn't answer" in answer.text
    assert chosen(services).llm_model is None

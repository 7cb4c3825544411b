"""Nothing that people type, send or receive is in the logs, even after a failure."""

import io
import logging

import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.kit.logs import JsonLines

PASSWORD = "planted-password-never-logged"
PLANTED = {
    "a password": PASSWORD,
    "a mail address": "planted.person@example.org",
    "a name": "Plantagenet",
    "a customer": "Planted Customer Ltd",
    "a title": "planted newsletter title",
    "words searched for": "plantedquery",
    "a key in an address": "planted-key-in-query",
}


@pytest.fixture
def log():
    """Everything that would be written at the level people run with, as it would be written."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    # The test's own browser logs what it asks for.
    handler.addFilter(lambda record: not record.name.startswith("http"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


async def test_a_day_of_work_leaves_no_secret_in_the_logs(log, api, nobody, signed_in, services, person):
    user = await person(Role.ADMIN, email=PLANTED["a mail address"], password=PASSWORD)
    await nobody.http.post("/sign-in", data={"email": PLANTED["a mail address"], "password": PASSWORD})
    await nobody.http.post("/sign-in", data={"email": PLANTED["a mail address"], "password": PASSWORD + "x"})
    await nobody.http.post("/sign-in/forgotten", data={"email": PLANTED["a mail address"]})
    visitor = await signed_in(user=user)
    await visitor.post("/account", {"name": PLANTED["a name"]})
    token = (await api.post("/api/v1/tokens", json={"name": "t", "scopes": ["read"]})).json().get("secret", "almt_none")
    await api.post("/api/v1/newsletters", json={"title": PLANTED["a title"]})
    customer = {
        "customer_name": PLANTED["a customer"],
        "name": PLANTED["a customer"],
        "email": PLANTED["a mail address"],
    }
    await api.post("/api/v1/reminders/customers", json=customer)
    await visitor.get(f"/search?q={PLANTED['words searched for']}")
    await nobody.get(f"/nothing?key={PLANTED['a key in an address']}")
    await api.post("/api/v1/users", content=f'{{"name": "{PLANTED["a name"]}"'.encode())
    await make_worker(services).drain()
    logging.getLogger("almanac").info("the log was listened to")
    lines = log.getvalue()
    assert "the log was listened to" in lines
    secrets = {**PLANTED, "a token": token, "the fixed token": "a-fixed-token-for-automation"}
    secrets |= {f"cookie {name}": value for name, value in visitor.http.cookies.items()}
    assert [what for what, secret in secrets.items() if secret in lines] == []

"""The receiver's check that the docs show believes what Almanac signs, and nothing else."""

from datetime import UTC, datetime

import pytest

from almanac.kit.signatures import sign_body

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BODY, SECRET = '{"event": "ping", "data": {"名": "水"}}'.encode(), "whsec_example"


@pytest.fixture(scope="module")
def is_genuine(root):
    text = (root / "docs/how-to/receive-webhooks.md").read_text("utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    names = {}
    exec(compile(code, "receive-webhooks.md", "exec"), names)
    return names["is_genuine"]


def test_what_we_sign_is_genuine(is_genuine):
    assert is_genuine(BODY, sign_body(BODY, SECRET.encode(), now=NOW), SECRET, NOW.timestamp())


def test_either_secret_fits_after_a_change(is_genuine):
    signature = sign_body(BODY, b"new", SECRET.encode(), now=NOW)
    assert is_genuine(BODY, signature, SECRET, NOW.timestamp())
    assert is_genuine(BODY, signature, "new", NOW.timestamp())


@pytest.mark.parametrize(
    ("body", "secret", "late"),
    [(BODY + b" ", SECRET, 0), (BODY, "other", 0), (BODY, SECRET, 301), (BODY, SECRET, -301)],
)
def test_anything_else_is_not(is_genuine, body, secret, late):
    assert not is_genuine(body, sign_body(BODY, SECRET.encode(), now=NOW), secret, NOW.timestamp() + late)

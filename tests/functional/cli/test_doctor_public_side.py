"""The doctor says what anyone may read, and whether others could reach it."""

from types import SimpleNamespace

import pytest

from almanac.config import Settings
from almanac.doctor import public_side


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(), "nothing can be read without an account"),
        (
            Settings(public="recap,status", desks="news", base_url="https://almanac.example.org"),
            "anyone may read status at https://almanac.example.org/public",
        ),
        (Settings(public="recap"), "http://127.0.0.1:8000/public, which others can't reach; set ALMANAC_BASE_URL"),
        (
            Settings(public="recap", public_base_url="https://open.example.org/"),
            "anyone may read recap at https://open.example.org",
        ),
    ],
)
async def test_the_public_side_is_described(settings, sentence):
    assert sentence in await public_side(SimpleNamespace(settings=settings))

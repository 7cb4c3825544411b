"""Whatever a stranger asks, the public side answers: nothing they type looks like a fault of ours."""

from urllib.parse import quote

import pytest

PATHS = (
    "/en",
    "/en/recap/articles",
    "/en/recap/articles/{article}",
    "/en/recap/articles/{article}/speeches/{value}",
    "/en/recap/people",
    "/en/recap/people/{person}",
    "/en/recap/people/{value}",
    "/en/recap/bills/{value}",
    "/en/recap/issues/{value}",
    "/en/newsletters",
    "/en/newsletters/{value}",
    "/en/feeds/{value}",
    "/en/feeds/{value}/feed.{value}",
    "/sitemaps/recap-{value}.xml",
)
NAMES = ("q", "cursor", "part", "speech", "from", "order", "level", "key", "bill", "session", "quote")
VALUES = (
    "",
    "-1",
    "9" * 30,
    "\0",
    '"(',
    "OR OR",
    "field:x",
    "2026-13-40",
    "0001-01-01",
    "a" * 900,
    "\\",
    "1e9",
    "١٢٣",
    "😀",
)


@pytest.mark.parametrize("value", VALUES)
async def test_no_value_makes_it_fail(stranger, meetings, value):
    article, person = quote(meetings[0].issue_id), quote(meetings[0].speeches[1].speaker)
    query = "&".join(f"{name}={quote(value)}" for name in NAMES)
    for path in PATHS:
        filled = path.format(article=article, person=person, value=quote(value, safe=""))
        for url in (
            filled,
            *(f"{filled}?{name}={quote(value)}" for name in ("q", "cursor", "from")),
            f"{filled}?{query}",
        ):
            answer = await stranger.get(f"/public{url}")
            assert answer.status_code in (200, 302, 308, 404), url

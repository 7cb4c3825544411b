"""What anyone sees of corrections: the note beside the article, a list with a feed, and why an article is gone."""

from urllib.parse import quote

import feedparser
import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.editorial import CorrectionWish
from almanac.desks.recap.service import articles, corrections, editorial

NOTE = "この文は別の法案についてのものでした。"


async def decide(services, article_id, state, reason=""):
    status = await editorial.get_status(services, article_id)
    await editorial.decide_state(services, CONSOLE, article_id, state, reason, revision=status.revision)


@pytest.fixture
def newest(meetings):
    return meetings[-1].issue_id


async def test_a_correction_is_beside_the_article_in_the_list_and_in_the_feed(installation, stranger, newest):
    recap = (await articles.open_article(installation, newest)).recap
    before = recap.key_points[-1].text
    wish = CorrectionWish(kind="removed", part="sentence", before=before, note=NOTE)
    made = await corrections.correct_article(installation, CONSOLE, newest, wish)
    path = f"/public/en/recap/articles/{quote(newest)}"
    assert NOTE in (await stranger.get(path)).text
    for page in (f"{path}/corrections", "/public/ja/recap/corrections"):
        text = (await stranger.get(page)).text
        assert NOTE in text
        assert f"<del>{before}</del>" in text
        assert CONSOLE.name not in text
    feed = feedparser.parse((await stranger.get("/public/ja/recap/corrections.atom")).content)
    assert NOTE in feed.entries[0].summary
    assert feed.entries[0].published == "2026-06-01T09:00:00Z"
    await corrections.undo_correction(installation, CONSOLE, newest, made.correction_id)
    assert NOTE not in (await stranger.get(f"{path}/corrections")).text


async def test_a_withdrawn_article_answers_gone_with_the_reason(installation, stranger, newest):
    path = f"/public/en/recap/articles/{quote(newest)}"
    await decide(installation, newest, "withdrawn", "It mixed up two bills.")
    page = await stranger.get(path)
    assert page.status_code == 410
    assert "It mixed up two bills." in page.text
    for below in ("/speeches/1", "/card.png", "/embed"):
        assert (await stranger.get(path + below)).status_code == 410
    assert newest not in (await stranger.get("/public/en/recap/articles?house=参議院")).text
    feed = feedparser.parse((await stranger.get("/public/en/recap/feed.atom")).content)
    (entry,) = [entry for entry in feed.entries if entry.id.endswith(newest)]
    assert (entry.title.startswith("Withdrawn"), entry.summary) == (True, "It mixed up two bills.")
    await decide(installation, newest, "published")
    assert (await stranger.get(path)).status_code == 200
    entry = next(
        entry
        for entry in feedparser.parse((await stranger.get("/public/en/recap/feed.atom")).content).entries
        if entry.id.endswith(newest)
    )
    assert entry.published == "2026-06-01T09:00:00Z"
    assert entry.summary.startswith("2026-")


async def test_a_held_article_is_not_public(installation, stranger, newest):
    path = f"/public/en/recap/articles/{quote(newest)}"
    await decide(installation, newest, "held", "Being checked.")
    for page in (path, f"{path}/corrections", f"{path}/speeches/1"):
        answer = await stranger.get(page)
        assert answer.status_code == 404
        assert "Being checked." not in answer.text
    assert newest not in (await stranger.get("/public/en/recap")).text
    await decide(installation, newest, "published")

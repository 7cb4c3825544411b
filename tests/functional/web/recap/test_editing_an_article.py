"""Editors correct, hold and withdraw on pages; readers see the outcome and never what is held."""

import html
import re

import pytest


@pytest.fixture
def sitting(sittings):
    return sittings["sangiin-kokkou"]


def options(page):
    return dict(re.findall(r'<option value="([0-9a-f]{16})"[^>]*>([^<]+)', page))


async def test_an_editor_removes_a_sentence_and_takes_that_back(reader, editor, sitting):
    here = f"{sitting.path}/corrections"
    point = sitting.recap.key_points[-1].text
    texts = options(html.unescape(await editor.open(here)))
    key = next(key for key, words in texts.items() if words.endswith(point[:20]) or point[:20] in words)
    await editor.send(here, {"text": key, "kind": "removed", "note": "発言者が違いました。"})
    read = await reader.open(sitting.path)
    assert "発言者が違いました。" in read
    listed = await reader.open(here)
    assert f"<del>{point}</del>" in html.unescape(listed)
    assert "Hold or withdraw" not in listed
    assert "発言者が違いました。" in await reader.open("/recap/corrections")
    undo = re.search(rf'action="({re.escape(here)}/[^"]+/undo)"', await editor.open(here))[1]
    await editor.send(undo, {})
    assert "発言者が違いました。" not in await reader.open(sitting.path)


async def test_a_text_without_support_comes_back_with_what_is_missing(editor, sitting):
    here = f"{sitting.path}/corrections"
    key = next(iter(options(await editor.open(here))))
    wrong = {"text": key, "kind": "replaced", "after": "九兆円の予算を否決", "note": "題名を直しました。"}
    answer = await editor.send(here, wrong)
    assert answer.status_code == 422
    assert "The record doesn&#39;t support this" in answer.text
    assert "九兆円の予算を否決" in answer.text


async def test_a_held_article_is_for_editors_and_listed_with_the_reason(reader, editor, sitting):
    status = {"state": "held", "reason": "票数を確認中", "revision": "0"}
    assert (await editor.send(f"{sitting.path}/status", {**status, "reason": ""})).status_code == 422
    await editor.send(f"{sitting.path}/status", status)
    await reader.open(sitting.path, status=404)
    await reader.open(f"{sitting.path}/corrections", status=404)
    await reader.open("/recap/held", status=403)
    assert sitting.path not in await reader.open("/recap/articles")
    assert "票数を確認中" in await editor.open(sitting.path)
    held = await editor.open("/recap/held")
    assert "票数を確認中" in held
    why = await editor.open(f"/why?about=recap:{sitting.meeting.issue_id}")
    assert "Held: only editors see it." in why
    assert "1 held article" in await editor.open("/")
    revision = re.search(r'name="revision" value="(\d+)"', held)[1]
    await editor.send(f"{sitting.path}/status", {"state": "published", "revision": revision})
    await reader.open(sitting.path)


async def test_a_withdrawn_article_tells_every_reader_why(reader, editor, sitting):
    page = await editor.open(f"{sitting.path}/corrections")
    revision = re.search(r'name="revision" value="(\d+)"', page)[1]
    await editor.send(
        f"{sitting.path}/status", {"state": "withdrawn", "reason": "二法案の取り違え", "revision": revision}
    )
    assert "二法案の取り違え" in await reader.open(sitting.path, status=410)
    assert "二法案の取り違え" in await reader.open("/recap/corrections")
    await editor.send(f"{sitting.path}/status", {"state": "published", "revision": str(int(revision) + 1)})
    await reader.open(sitting.path)
    assert "二法案の取り違え" not in await reader.open("/recap/corrections")

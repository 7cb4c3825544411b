"""Sentences held to their sources: who checked what, by pages and API, at the same time, and after a change."""

import asyncio
import json
import re

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter

STORY = "https://selatpost.example/news/kedah-floating-solar"


@pytest.fixture
def number(demo):
    """The id of a story in three languages."""
    return int(demo.made("link")[STORY])


@pytest.fixture
def path(number):
    return f"/api/v1/news/articles/{number}/sentences"


@pytest.fixture
def reader_of(services, visit, person):
    """Programs with a token of somebody of a role."""

    async def enter(role=Role.EDITOR, email=None, scopes=("read", "write")):
        user = await person(role, email=email)
        made = await accounts.create_token(
            services.accounts, CONSOLE, name="reader", scopes=list(scopes), owner_id=user.id, expires_at=None
        )
        return visit(headers={"Authorization": f"Bearer {made.secret}"})

    return enter


async def listed(client, path, part="en"):
    answer = await client.get(path, params={"part": part})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_each_point_comes_with_the_words_of_the_article(path, reader_of):
    reader = await reader_of()
    for part in ("en", "zh", "ms"):
        document = await listed(reader, path, part)
        assert (document["part"], document["checked"], document["total"]) == (part, 0, len(document["sentences"]))
        for sentence in document["sentences"]:
            (source,) = sentence["sources"]
            full = (await reader.get(f"{path}/{sentence['key']}", params={"part": part})).json()
            (with_text,) = full["sources"]
            start, end = source["spans"][0]
            assert with_text["text"][start:end] == source["quotes"][0] != ""
            assert (source["precision"], sentence["verdict"]) == ("words", "supported")


async def test_a_verdict_is_given_once_and_taken_back(path, reader_of):
    reader = await reader_of()
    key = (await listed(reader, path))["sentences"][0]["key"]
    for _ in range(2):
        given = await reader.put(f"{path}/{key}/verdict", params={"part": "en"})
        assert (given.status_code, len(given.json()["checked_by"])) == (200, 1)
    assert (await listed(reader, path))["checked"] == 1
    assert (await listed(reader, path, "zh"))["checked"] == 0
    assert (await reader.delete(f"{path}/{key}/verdict", params={"part": "en"})).status_code == 204
    assert (await reader.delete(f"{path}/{key}/verdict", params={"part": "en"})).status_code == 404
    assert (await listed(reader, path))["checked"] == 0


async def test_two_people_at_the_same_time_are_both_kept(path, number, reader_of, services):
    readers = [await reader_of(email=f"reader{at}@example.org") for at in range(2)]
    keys = [sentence["key"] for sentence in (await listed(readers[0], path))["sentences"]]
    answers = await asyncio.gather(
        *(reader.put(f"{path}/{key}/verdict", params={"part": "en"}) for key in keys for reader in readers)
    )
    assert {answer.status_code for answer in answers} == {200}
    document = await listed(readers[0], path)
    assert [len(sentence["checked_by"]) for sentence in document["sentences"]] == [2] * len(keys)
    page = await audit.list_entries(services.database, AuditFilter(object_id=str(number)), key=b"any")
    actions = [entry.action for entry in page.items if "reader" in entry.action]
    assert sorted(actions) == ["reader.finished", "reader.started", "reader.started"]
    await readers[0].delete(f"{path}/{keys[0]}/verdict", params={"part": "en"})
    first, *_ = (await listed(readers[0], path))["sentences"]
    assert len(first["checked_by"]) == 1


async def test_a_changed_point_is_unchecked_and_the_others_stay(path, number, reader_of, services):
    reader = await reader_of()
    before = (await listed(reader, path))["sentences"]
    for sentence in before:
        await reader.put(f"{path}/{sentence['key']}/verdict", params={"part": "en"})
    async with services.database.unit() as unit:
        row = await unit.value("SELECT metadata FROM processed_content WHERE link_id = %(id)s", {"id": number})
        row["points"][0]["texts"]["en"] = "Something else was written."
        await unit.execute(
            "UPDATE processed_content SET metadata = %(new)s::jsonb WHERE link_id = %(id)s",
            {"new": json.dumps(row), "id": number},
        )
    after = await listed(reader, path)
    assert [bool(sentence["checked_by"]) for sentence in after["sentences"]] == [False] + [True] * (len(before) - 1)
    stale = await reader.put(f"{path}/{before[0]['key']}/verdict", params={"part": "en"})
    assert (stale.status_code, "changed since" in stale.json()["detail"]) == (409, True)


async def test_whoever_may_only_read_sees_verdicts_and_gives_none(path, number, reader_of, signed_in, nobody):
    viewer = await reader_of(Role.MEMBER, "viewer@example.org", ("read",))
    key = (await listed(viewer, path))["sentences"][0]["key"]
    assert (await viewer.put(f"{path}/{key}/verdict")).status_code == 403
    page = (await (await signed_in(Role.MEMBER)).get(f"/news/stories/{number}/read")).text
    assert 'id="s-1"' in page
    assert "I checked this" not in page
    assert (await nobody.get(f"/news/stories/{number}/read", follow_redirects=False)).status_code in (303, 401)


async def test_without_scripts_a_sentence_is_a_link_and_the_verdict_a_form(number, signed_in):
    visitor = await signed_in(Role.EDITOR)
    address = f"/news/stories/{number}/read?part=en&sentence=2"
    page = (await visitor.get(address)).text
    assert '<mark class="is-support" id="words">' in page
    action = re.search(r'action="(/news/stories/[^"]*/check\?part=en)"', page)[1]
    done = await visitor.post(action, page=address)
    assert done.url.query == b"part=en&sentence=2"
    assert "Checked by Some Editor" in done.text
    assert re.search(r"<strong>1 of \d+</strong> checked", done.text)
    assert re.search(r"Check against the sources \(1 of \d+\)", (await visitor.get(f"/news/stories/{number}")).text)
    again = await visitor.post(action.replace("/check?", "/withdraw?"), page=address)
    assert re.search(r"<strong>0 of \d+</strong> checked", again.text)
    lost = await visitor.post(re.sub("[0-9a-f]{24}", "0" * 24, action), page=address)
    assert "This sentence or its source was changed since" in lost.text


async def test_an_article_whose_text_is_gone_says_so(number, signed_in, services):
    async with services.database.unit() as unit:
        await unit.execute("UPDATE processed_content SET article = '' WHERE link_id = %(id)s", {"id": number})
    page = (await (await signed_in(Role.EDITOR)).get(f"/news/stories/{number}/read")).text
    assert "This source is gone" in page

"""An article that is held or withdrawn is nowhere for readers; released, it is everywhere again as it was."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.status import settle_unfinished
from almanac.desks.recap.service import articles, editorial, search
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import editorial as editorial_store
from almanac.desks.recap.store import tasks
from almanac.desks.recap.store.table import Article
from almanac.errors import FieldErrors, Gone, NotFound, StaleEdit
from tablature import replace

REASON = "The counts are being checked."


async def keys_of(services, article_id):
    """The keys of everything in the table that belongs to an article."""
    request = {"TableName": services.settings.articles_table}
    items = (await services.table_service.send_async("Scan", request))["Items"]
    keys = [(item["PK"]["S"], item["SK"]["S"]) for item in items]
    return {key for key in keys if key[0] == f"A#{article_id}" or key[1].endswith(f"#A#{article_id}")}


async def listed_ids(services):
    page = await search.list_articles(services, ArticleFilter(), limit=100)
    words = await search.list_articles(services, ArticleFilter(text="図書館"), limit=100)
    return {each.card.id for each in page.items} | {each.card.id for each in words.items}


async def decide(services, article_id, state, reason=REASON):
    status = await editorial.get_status(services, article_id)
    return await editorial.decide_state(services, CONSOLE, article_id, state, reason, revision=status.revision)


async def test_a_held_article_is_in_no_list_and_comes_back_whole(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(1))
    name = meeting.issue_id
    before = await keys_of(services, name)
    await decide(services, name, "held")
    assert {sk for _, sk in await keys_of(services, name)} == {"VERSION#000001", "EDITORIAL"}
    assert name not in await listed_ids(services)
    with pytest.raises(NotFound):
        await articles.open_article(services, name)
    assert [each.reason for each in (await editorial.list_held(services)).items if each.article_id == name] == [REASON]
    await decide(services, name, "published", "")
    assert await keys_of(services, name) - {(f"A#{name}", "EDITORIAL")} == before
    assert name in await listed_ids(services)
    assert (await articles.open_article(services, name)).meeting == meeting


async def test_a_withdrawn_article_says_why_and_can_be_restored(desk, services, site, sitting):
    (meeting,) = await desk.publish(sitting(2))
    name = meeting.issue_id
    await decide(services, name, "withdrawn", "It mixed up two bills.")
    answer = await site.get(f"/api/v1/recap/articles/{name}")
    assert answer.status_code == 410
    assert "It mixed up two bills." in answer.json()["detail"]
    for form in ("atom", "rss", "json"):
        feed = (await site.get(f"/api/v1/recap/feeds/articles.{form}")).text
        assert f"urn:almanac:recap:{name}" in feed
        assert "It mixed up two bills." in feed
    assert "It mixed up two bills." in (await site.get("/api/v1/recap/feeds/corrections.atom")).text
    with pytest.raises(Gone):
        await articles.open_article(services, name)
    await decide(services, name, "published", "")
    assert (await site.get(f"/api/v1/recap/articles/{name}")).status_code == 200
    assert "It mixed up two bills." not in (await site.get("/api/v1/recap/feeds/corrections.atom")).text


@pytest.mark.parametrize(("number", "state"), [(3, "held"), (4, "withdrawn")])
async def test_neither_a_remake_nor_a_changed_record_publishes_it_again(desk, services, sitting, number, state):
    record = sitting(number)
    (meeting,) = await desk.publish(record)
    name = meeting.issue_id
    await decide(services, name, state)
    await tasks.remake_task(services.tables, task_pk(meeting))
    await desk.work()
    record["speechRecord"][1]["speech"] += "図書館の司書は何人でしょうか。"
    await desk.publish(record)
    assert await store.find_article(services.tables, name) is None
    assert name not in await listed_ids(services)
    assert (await editorial.get_status(services, name)).state == state
    await decide(services, name, "published", "")
    full = await articles.open_article(services, name)
    assert "司書は何人" in full.meeting.by_order[1].text
    assert full.version == 2


async def test_a_decision_names_what_it_changes_and_why(desk, services, site, sitting):
    (meeting,) = await desk.publish(sitting(5))
    path = f"/api/v1/recap/articles/{meeting.issue_id}/status"
    tag = (await site.get(path)).headers["ETag"]
    hold = {"state": "held", "reason": REASON}
    assert (await site.put(path, json=hold)).status_code == 428
    assert (await site.put(path, json={"state": "held"}, headers={"If-Match": tag})).status_code == 422
    assert (await site.put(path, json=hold, headers={"If-Match": '"7"'})).status_code == 412
    answer = await site.put(path, json=hold, headers={"If-Match": tag})
    assert (answer.status_code, answer.json()["state"], answer.headers["ETag"]) == (200, "held", '"1"')
    assert [each["article_id"] for each in (await site.get("/api/v1/recap/held")).json()["items"]].count(
        meeting.issue_id
    ) == 1
    with pytest.raises(StaleEdit):
        await editorial.decide_state(services, CONSOLE, meeting.issue_id, "published", "", revision=0)
    with pytest.raises(FieldErrors):
        await editorial.decide_state(services, CONSOLE, meeting.issue_id, "withdrawn", " ", revision=1)


@pytest.mark.parametrize(("number", "state"), [(6, "held"), (7, "withdrawn")])
async def test_a_decision_that_was_interrupted_is_finished_and_announced_once(desk, services, sitting, number, state):
    """Killed after the status was stored: the article still stands, until the regular job comes by."""
    (meeting,) = await desk.publish(sitting(number))
    name = meeting.issue_id
    article = await store.get_article(services.tables, name)
    decided = await decide(services, name, state)
    status = await editorial_store.find_status(services.tables, name)
    await store.restore_article(services.tables, Article(**{each: getattr(article, each) for each in FIELDS}))
    await editorial_store.put_status(services.tables, replace(status, settled=False), replaces=decided.revision)
    assert await settle_unfinished(services) == 1
    assert await store.find_article(services.tables, name) is None
    assert await settle_unfinished(services) == 0
    async with services.database.unit() as unit:
        rows = await unit.all(
            "SELECT action FROM audit_entries WHERE object_id = %(id)s AND action LIKE 'recap.%%'", {"id": name}
        )
    assert [row["action"] for row in rows].count(f"recap.{state}") == 1


FIELDS = ("id", "title", "date", "asset_url", "version", "content_digest", "categories", "participants", "keywords")


async def test_articles_of_other_programs_can_be_held_too(services):
    article = Article(
        id="foreign-held", title="別の記事", date="2026-02-11", keywords=["水道"], asset_url="s3://x/y.json"
    )
    await services.tables.put(article)
    await decide(services, "foreign-held", "held")
    assert {sk for _, sk in await keys_of(services, "foreign-held")} == {"EDITORIAL"}
    await decide(services, "foreign-held", "published", "")
    assert (await store.get_article(services.tables, "foreign-held")).keywords == ["水道"]

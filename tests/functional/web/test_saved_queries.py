"""Saved queries over HTTP: private to their owner, read as a feed with a secret URL, with alerts by mail."""

from datetime import UTC, datetime

import feedparser
import pytest

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.search import DocumentKind, SearchDocument

PATH = "/api/v1/saved-queries"


@pytest.fixture(autouse=True)
async def documents(services):
    """Two documents about water, one of them for administrators."""
    if "test.note" not in services.search.kinds:
        services.search.add_kinds(DocumentKind("test.note", "Note", "Notes"))
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    async with services.database.unit() as unit:
        await services.search.put(
            unit,
            SearchDocument(
                kind="test.note", id="1", title="Water & wells", path="/notes/1", body="The river.", date=moment
            ),
            SearchDocument(
                kind="test.note", id="2", title="Secret water", path="/notes/2", date=moment, permission="mail.read"
            ),
        )


async def saved_by(client, **wish):
    answer = await client.post(PATH, json={"name": "Water", "query": "water", **wish})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_query_is_saved_run_edited_and_deleted_by_api(api):
    saved = await saved_by(api, sort="-date", kinds=["test.note"])
    path = f"{PATH}/{saved['id']}"
    assert len((await api.get(f"{path}/results")).json()["items"]) == 2
    assert (await api.patch(path, json={"name": "Wells"})).status_code == 428
    edited = await api.patch(path, json={"name": "Wells"}, headers={"If-Match": '"1"'})
    assert (edited.json()["name"], edited.headers["etag"]) == ("Wells", '"2"')
    assert (await api.patch(path, json={"name": "No"}, headers={"If-Match": '"1"'})).status_code == 412
    assert [item["name"] for item in (await api.get(PATH)).json()["items"]] == ["Wells"]
    assert (await api.delete(path)).status_code == 204
    assert (await api.get(path)).status_code == 404


async def test_a_query_that_makes_no_sense_is_refused_beside_its_field(api):
    answer = await api.post(PATH, json={"name": "", "query": '"open', "kinds": ["soup"]})
    assert answer.status_code == 422
    assert set(answer.json()["fields"]) == {"name", "query", "kinds"}


@pytest.mark.parametrize("form", ["rss", "atom", "json"])
async def test_a_feed_is_read_by_its_address_alone_and_conditionally(api, nobody, form):
    saved = await saved_by(api)
    opened = (await api.post(f"{PATH}/{saved['id']}/feed")).json()
    address = opened["feeds"][form]
    first = await nobody.get(address)
    assert first.status_code == 200
    assert ("Water & wells" if form == "json" else "Water &amp; wells") in first.text
    if form != "json":
        assert len(feedparser.parse(first.content).entries) == 2
    for existing in ({"If-None-Match": first.headers["etag"]}, {"If-Modified-Since": first.headers["last-modified"]}):
        again = await nobody.get(address, headers=existing)
        assert (again.status_code, again.content) == (304, b"")
    assert (await nobody.http.head(address)).status_code == 200
    assert first.headers["referrer-policy"] == "no-referrer"


async def test_a_feed_shows_what_its_owner_may_see(signed_in, nobody, services):
    member = await signed_in(Role.MEMBER)
    await member.post("/saved", {"name": "Water", "query": "water"}, page="/saved/new")
    [saved] = await services.saved.list(_principal_of(member.user))
    await member.post(f"/saved/{saved.id}/feed", page=f"/saved/{saved.id}")
    [saved] = await services.saved.list(_principal_of(member.user))
    feed = await nobody.get(services.saved_feeds.addresses(saved)["json"])
    assert [item["title"] for item in feed.json()["items"]] == ["Water & wells"]


async def test_a_changed_or_wrong_address_leads_nowhere(api, nobody):
    saved = await saved_by(api)
    old = (await api.post(f"{PATH}/{saved['id']}/feed")).json()["feeds"]["rss"]
    new = (await api.post(f"{PATH}/{saved['id']}/feed")).json()["feeds"]["rss"]
    assert (await nobody.get(old)).status_code == 404
    assert (await nobody.get(new)).status_code == 200
    assert (await nobody.get(new.replace(".rss", ".pdf"))).status_code == 404
    assert (await api.delete(f"{PATH}/{saved['id']}/feed")).status_code == 204
    assert (await nobody.get(new)).status_code == 404


async def test_another_person_finds_nothing_there(api, signed_in):
    saved = await saved_by(api)
    other = await signed_in(Role.ADMIN)
    assert (await other.get(f"/saved/{saved['id']}")).status_code == 404
    assert (await other.http.get(f"{PATH}/{saved['id']}")).status_code == 404


async def test_a_person_saves_what_they_searched_for(signed_in):
    visitor = await signed_in(Role.MEMBER)
    form = await visitor.get("/saved/new?q=water&kind=test.note&order=-date&tag=rivers")
    assert 'value="tag=rivers"' in form.text
    wish = {"name": "Water", "query": "water", "kinds": "test.note", "filters": "lang=en", "sort": "-date"}
    page = await visitor.post("/saved", wish, page="/saved/new")
    assert "Water is saved." in page.text
    assert "Filtered by language: en" in page.text
    assert "Water" in (await visitor.get("/saved")).text


async def test_a_query_can_be_saved_with_a_feed_at_once(signed_in):
    visitor = await signed_in(Role.MEMBER)
    page = await visitor.post("/saved", {"name": "Water", "query": "water", "feed": "open"}, page="/saved/new")
    assert ".atom" in page.text


async def test_a_wrong_form_keeps_what_was_typed(signed_in):
    visitor = await signed_in(Role.MEMBER)
    page = await visitor.post("/saved", {"name": "Kept words", "query": '"open'}, page="/saved/new")
    assert (page.status_code, "Kept words" in page.text, "never closed" in page.text) == (422, True, True)


async def test_an_alert_is_mailed_once_and_stopped_by_one_click(signed_in, services, clock, nobody):
    visitor = await signed_in(Role.MEMBER)
    await visitor.post("/saved", {"name": "Rivers", "query": "river"}, page="/saved/new")
    [saved] = await services.saved.list(_principal_of(visitor.user))
    page = await visitor.post(f"/saved/{saved.id}/alert", {"frequency": "hourly"}, page=f"/saved/{saved.id}")
    assert "You get a mail when there are new results." in page.text
    async with services.database.unit() as unit:
        new = SearchDocument(kind="test.note", id="3", title="A new river", path="/notes/3", date=clock.now())
        await services.search.put(unit, new)
    for _ in range(2):
        clock.advance(hours=1)
        await services.jobs.run_schedule("saved.alerts")
        await make_worker(services).drain()
    mails = [mail for mail in services.mail_transport.sent if b"Rivers" in mail.raw]
    assert len(mails) == 1
    address = services.alerts.links.url(visitor.user.email, saved.topic)
    assert "Unsubscribe?" in (await nobody.get(address)).text
    stopped = await nobody.http.post(address, data={"List-Unsubscribe": "One-Click"})
    assert stopped.status_code == 200
    assert "The alert is stopped" in (await visitor.get(f"/saved/{saved.id}")).text


async def test_automation_has_no_mail_address_to_be_told_at(api):
    saved = await saved_by(api)
    answer = await api.put(f"{PATH}/{saved['id']}/alert", json={"frequency": "daily"})
    assert (answer.status_code, "sent by mail" in answer.json()["detail"]) == (409, True)


async def test_an_alert_at_no_time_of_any_zone_is_refused(api):
    saved = await saved_by(api)
    answer = await api.put(f"{PATH}/{saved['id']}/alert", json={"frequency": "daily", "time_zone": "Moon/Sea"})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["time_zone"])


def _principal_of(user):
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="session")

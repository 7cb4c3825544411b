"""The API through HTTP: collect, follow the task, read the article, filter, follow feeds."""

import json

import pytest

from almanac.desks.recap import jobs


@pytest.fixture(scope="module")
def api(site):
    """The desk's own part of the API."""
    site.base_url = "http://testserver/api/v1/recap"
    return site


@pytest.fixture
async def published(desk, sitting):
    """The id of an article that is there, whichever test runs first."""
    entry = sitting(2, day="2026-02-12")
    await desk.publish(entry)
    return entry["issueID"]


async def test_from_collecting_to_reading_an_article(api, diet, sitting, run_job):
    entry = sitting(1)
    diet.sittings = [entry]
    started = await api.post("/collect", json={"from": "2026-02-10", "until": "2026-02-10"})
    assert started.status_code == 202, started.text
    await run_job(jobs.COLLECT, since="2026-02-10", until="2026-02-10")
    waiting = (await api.get("/tasks", params={"status": "ingested"})).json()["items"]
    (task,) = [task for task in waiting if task["issue_id"] == entry["issueID"]]
    assert task["house"] == "衆議院"
    await run_job(jobs.WORK)
    task = (await api.get(f"/tasks/{task['pk']}")).json()
    assert (task["status"], task["article_id"]) == ("completed", entry["issueID"])
    article = (await api.get(f"/articles/{entry['issueID']}")).json()
    assert article["version"] == 1
    assert [dialog["order"] for dialog in article["asset"]["dialogs"]] == [0, 1, 2, 3]
    assert article["speeches"][1]["text"] == entry["speechRecord"][1]["speech"]
    filtered = {"issue": entry["issueID"], "person": "石田健", "facet": ["category", "keyword"]}
    page = (await api.get("/articles", params=filtered)).json()
    assert [item["id"] for item in page["items"]] == [entry["issueID"]]
    assert (page["total"], page["total_is_exact"]) == (1, True)
    assert page["facets"]["keyword"]
    words = (await api.get("/articles", params={"q": "図書館", "issue": entry["issueID"]})).json()
    assert any(span["marked"] for span in words["items"][0]["snippet"])


async def test_speeches_are_found_by_words_and_filters(api, published):
    asked = {
        "q": "賛成",
        "person": "大野空",
        "from": "2026-02-12",
        "until": "2026-02-12",
        "facet": ["reaction", "group"],
    }
    page = (await api.get("/speeches", params=asked)).json()
    (hit,) = page["items"]
    assert (hit["speaker"], hit["group"], hit["order"], hit["reaction"]) == ("大野空", "緑の党", 3, "賛成")
    assert hit["path"] == f"/recap/articles/{published}/speeches/3"
    assert [span["text"] for span in hit["snippet"] if span["marked"]] == ["賛成"]
    assert (page["total"], page["total_is_exact"], page["facets_among"], page["ranked"]) == (1, True, None, None)
    assert page["facets"]["reaction"] == [{"facet": "reaction", "value": "賛成", "count": 1}]
    assert (await api.get("/speeches", params={"order": "best"})).status_code == 422
    assert (await api.get("/speeches", params={"cursor": "x"})).status_code == 400
    new = (await api.get("/speeches/new", params={"person": "大野空", "moment": "2026-01-01T00:00:00Z"})).json()
    assert {item["speaker"] for item in new} == {"大野空"}
    assert (await api.get("/speeches/new", params={"moment": "2026-01-01T00:00:00Z"})).status_code == 400
    lines = (await api.get("/feeds/speeches.jsonl", params={"from": "2026-02-12", "until": "2026-02-12"})).text
    exported = [json.loads(line) for line in lines.splitlines()]
    assert [(line["article_id"], line["order"]) for line in exported] == [(published, order) for order in (3, 2, 1)]
    assert exported[0]["text"] == hit["text"]


async def test_versions_remake_and_differences(api, run_job, published):
    completed = (await api.get("/tasks", params={"status": "completed"})).json()["items"]
    (task,) = [task for task in completed if task["article_id"] == published]
    assert (await api.post(f"/tasks/{task['pk']}/retry")).status_code == 409
    assert (await api.post(f"/tasks/{task['pk']}/remake")).json()["status"] == "remake"
    await run_job(jobs.WORK)
    name = task["article_id"]
    versions = (await api.get(f"/articles/{name}/versions")).json()
    assert [entry["number"] for entry in versions] == [1]
    assert (await api.get(f"/articles/{name}/diff", params={"older": 1, "newer": 2})).status_code == 404


async def test_headlines_suggestions_people_and_timelines(api, published):
    headlines = (await api.get("/headlines")).json()
    latest = headlines["latest"][0]
    assert latest["id"] == published
    assert {entry["value"] for entry in headlines["people"]} == {"青木春子", "石田健", "大野空"}
    assert [entry["value"] for entry in (await api.get("/suggest", params={"q": "青"})).json()] == ["青木春子"]
    person = (await api.get("/people/青木春子")).json()
    assert person["offices"][0]["group"] == "みらい会"
    timeline = (await api.get(f"/issues/{latest['id']}/timeline")).json()
    assert [entry["card"]["id"] for entry in timeline["entries"]] == [latest["id"]]


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("form", ["rss", "atom", "json"])
async def test_any_filter_is_a_feed(api, form):
    answer = await api.get(f"/feeds/articles.{form}", params={"person": "石田健", "house": "衆議院"})
    assert answer.status_code == 200
    assert "図書館整備法案" in answer.content.decode()
    again = await api.get(
        f"/feeds/articles.{form}",
        params={"person": "石田健", "house": "衆議院"},
        headers={"If-None-Match": answer.headers["etag"]},
    )
    assert again.status_code == 304
    empty = await api.get(f"/feeds/articles.{form}", params={"person": "だれか"})
    assert "図書館" not in empty.content.decode()


async def test_a_feed_has_the_latest_whatever_the_order_of_the_list(api, desk, sitting, published):
    older = sitting(3, day="2026-01-20")
    await desk.publish(older)
    feed = (await api.get("/feeds/articles.json", params={"order": "oldest"})).json()
    ids = [item["id"].rpartition(":")[2] for item in feed["items"]]
    assert ids.index(published) < ids.index(older["issueID"])


async def test_everything_that_a_filter_finds_is_one_file(api, desk, sitting, published):
    lower, upper = sitting(31, day="2026-01-21"), sitting(32, day="2026-01-22", house="参議院")
    await desk.publish(lower, upper)
    answer = await api.get("/feeds/articles.jsonl", params={"until": "2026-01-31", "from": "2026-01-21"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == 'attachment; filename="meetings.jsonl"'
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["id"] for line in lines] == [upper["issueID"], lower["issueID"]]
    assert all(line["dialogs"] and line["key_points"] for line in lines)
    everything = await api.get("/feeds/articles.jsonl", params={"house": "衆議院"})
    ids = {json.loads(line)["id"] for line in everything.text.splitlines()}
    assert {published, lower["issueID"]} <= ids
    assert upper["issueID"] not in ids
    assert (await api.get("/feeds/articles.jsonl", params={"from": "soon"})).status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/articles?from=soon", None, 422),
        ("GET", "/articles?order=best", None, 422),
        ("GET", "/articles?from=2026-02-01&until=2026-01-01", None, 422),
        ("GET", "/articles/nothing", None, 404),
        ("GET", "/articles?cursor=x", None, 400),
        ("GET", "/tasks?status=lost", None, 422),
        ("GET", "/tasks/nothing", None, 404),
        ("POST", "/tasks/nothing/retry", None, 404),
        ("POST", "/collect", {"from": "2026-03-01", "until": "2026-02-01"}, 422),
        ("POST", "/collect", {"from": "2030-03-01", "until": "2030-03-01"}, 422),
        ("GET", "/feeds/articles.pdf", None, 404),
        ("GET", "/bills/none/timeline", None, 404),
        ("GET", "/people/%00", None, 404),
        ("GET", "/people/%00/quotations?bill=x", None, 404),
    ],
)
async def test_bad_input_is_answered_with_one_clear_sentence(api, method, path, body, status):
    answer = await api.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert json.loads(answer.text)["detail"]

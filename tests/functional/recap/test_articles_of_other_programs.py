"""What another program wrote into the shared tables is listed and opened as far as it can be read."""

import msgspec
import pytest

from almanac.desks.recap.indexing import searchable
from tablature.wire import to_wire

DAY = "2026-01-09"


@pytest.fixture
def put(services):
    """Stores an item as another program would."""

    async def put(table, **item):
        wire = {name: to_wire(value) for name, value in item.items()}
        await services.table_service.send_async("PutItem", {"TableName": table, "Item": wire})

    return put


@pytest.fixture
def foreign(services, put):
    """Stores a documented article with its thin item under a category of its own name."""

    async def foreign(name, thin=None, **changes):
        table, month = services.settings.articles_table, {"GSI2PK": "Y#2026#M#01", "GSI2SK": DAY}
        article = {
            "title": "予算の質疑",
            "date": DAY,
            "month": "2026-01",
            "session": 221,
            "nameOfHouse": "衆議院",
            "nameOfMeeting": "予算委員会",
            "categories": [name],
            "description": "説明。",
            "asset_url": "https://r2.example/asset.json",
            "participants": [{"name": "山田太郎", "based_on_orders": [1]}],
            "keywords": [{"keyword": "予算"}],
            "terms": [{"term": "補正", "definition": "年度の途中で改めること。"}],
        }
        await put(
            table,
            PK=f"A#{name}",
            SK="META",
            type="ARTICLE",
            GSI1PK="ARTICLE",
            GSI1SK=DAY,
            **month,
            **{**article, **changes},
        )
        shown = {"title": article["title"], "date": DAY} if thin is None else thin
        await put(table, PK=f"CATEGORY#{name}", SK=f"Y#2026#M#01#D#{DAY}#A#{name}", type="THIN_INDEX", **shown)

    return foreign


async def test_an_article_whose_texts_are_elsewhere_is_opened_with_what_its_item_says(site, foreign):
    await foreign("elsewhere")
    answer = await site.get("/api/v1/recap/articles/elsewhere")
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert "another object store" in body["problem"]
    assert (body["article"]["title"], body["speeches"]) == ("予算の質疑", [])
    assert (body["asset"]["participants"], body["asset"]["keywords"]) == (["山田太郎"], ["予算"])
    page = await site.get("/recap/articles/elsewhere", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert all(word in page.text for word in ("予算の質疑", "山田太郎", "another object store", "年度の途中"))


async def test_texts_in_a_form_of_their_own_are_given_as_they_are(site, services, foreign):
    asset = {"summary": {"based_on_orders": [1], "summary": "要約。"}, "dialogs": []}
    await services.objects.put("theirs/asset.json", msgspec.json.encode(asset))
    await foreign("theirs", asset_url="theirs/asset.json")
    body = (await site.get("/api/v1/recap/articles/theirs")).json()
    assert body["asset"]["summary"] == asset["summary"]
    assert "form that can't be read here" in body["problem"]


async def test_a_version_that_is_not_there_and_an_article_that_is_not_are_not_found(site, foreign):
    await foreign("once")
    assert (await site.get("/api/v1/recap/articles/once", params={"version": 3})).status_code == 404
    assert (await site.get("/api/v1/recap/articles/nowhere")).status_code == 404


@pytest.mark.parametrize(
    "changes",
    [
        {"categories": None, "keywords": None, "participants": None, "terms": None, "description": None},
        {
            "participants": [{"summary": "名前がない。"}, "山田太郎"],
            "keywords": [{"priority": "high"}],
            "terms": ["補正"],
        },
        {"date": "2026-01-09T00:00:00", "session": 221.0},
    ],
)
async def test_parts_that_are_missing_or_plain_hide_nothing_else(site, services, foreign, changes):
    await foreign("partly", **changes)
    assert (await site.get("/api/v1/recap/articles/partly")).json()["article"]["title"] == "予算の質疑"
    assert (await site.get("/recap/articles/partly", headers={"Accept": "text/html"})).status_code == 200
    (provider,) = searchable(services)
    assert "partly" in [document.id for document in (await provider.batch(None, 100)).documents]


async def test_a_thin_item_without_a_title_is_listed_by_its_id(site, foreign):
    await foreign("untitled", thin={"date": DAY})
    (item,) = (await site.get("/api/v1/recap/articles", params={"category": "untitled"})).json()["items"]
    assert (item["id"], item["title"]) == ("untitled", "untitled")


async def test_a_task_of_another_program_is_shown_and_told_why_it_can_not_be_written(site, services, put, desk):
    await put(
        services.settings.llm_tasks_table,
        pk="theirs",
        status="pending",
        llm="gemini",
        createdAt="2026-01-26T10:30:00.123456",
        updatedAt="2026-01-26T10:30:00Z",
        chunks=None,
        prompt_url="s3://prompts/x.json",
        meeting={"issueID": "X", "session": "221", "house": "衆議院"},
    )
    task = (await site.get("/api/v1/recap/tasks/theirs")).json()
    assert (task["issue_id"], task["session"], task["attempts"]) == ("X", 221, 0)
    assert (await desk.work()).failed == 1
    task = (await site.get("/api/v1/recap/tasks/theirs")).json()
    assert task["status"] == "failed"
    assert "collect its day again" in task["error"]

"""What another program wrote into the shared tables is listed and opened as far as it can be read."""

import msgspec
import pytest
from aiohttp import web

from almanac.desks.recap.indexing import searchable
from almanac.desks.recap.jobs import WORK
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


ASSET = {
    "key_points": ["**補正予算案**を可決した。"],
    "summary": {"based_on_orders": [1, 2], "summary": "予算を審議した。\n\n- 財源\n- 使い道"},
    "soft_language_summary": {"based_on_orders": [2], "summary": "国のお金の使い道を話し合いました。"},
    "middle_summary": [{"based_on_orders": [1], "summary": "[詳細](https://a.example/x)を問う質疑。"}],
    "dialogs": [
        {
            "order": 1,
            "speaker": "山田太郎",
            "speakerGroup": "みらい会",
            "position": "委員",
            "reaction": "質問",
            "summary_sections": [{"title": "質問", "bullets": ["財源は**何か**。", "時期はいつか。"]}],
            "original_text": "○山田太郎君　財源について伺います。",
        },
        {
            "order": 2,
            "speaker": "鈴木花子",
            "reaction": "回答",
            "summary_sections": [{"title": "回答", "bullets": ["国債による。"]}],
            "original_text": "○鈴木花子君　国債によります。",
        },
    ],
}
EVERY_WORD = (
    "予算の質疑",
    "財源は<strong>何か</strong>。",
    "時期はいつか。",
    "国債による。",
    "国債によります。",
    "山田太郎",
    "みらい会",
)


@pytest.fixture
async def host(loopback, services):
    """A web server of the other program; counts how often it is asked."""
    asked, answers = [], {}

    async def answer(request):
        asked.append(request.path)
        return answers[request.path](request)

    async with loopback(web.get("/{name:.*}", answer)) as address:
        yield address, answers, asked


def html(site, path):
    return site.get(path, headers={"Accept": "text/html"})


async def test_every_level_and_every_speech_of_the_documented_form_is_shown(site, services, foreign):
    await services.objects.put("theirs/whole/asset.json", msgspec.json.encode(ASSET))
    await foreign(
        "whole",
        asset_url="theirs/whole/asset.json",
        description="**補正予算案**の審議。<script>alert(1)</script>",
        participants=[{"name": "山田太郎", "position": "委員", "summary": "財源を問うた。", "based_on_orders": [1]}],
    )
    points = (await html(site, "/recap/articles/whole")).text
    for word in (*EVERY_WORD, "<strong>補正予算案</strong>を可決した。", "<strong>補正予算案</strong>の審議。"):
        assert word in points
    assert "<script>alert" not in points
    assert "財源を問うた。" in points
    assert "年度の途中" in points
    assert "not checked" in points
    plain = (await html(site, "/recap/articles/whole?level=plain")).text
    assert "国のお金の使い道を話し合いました。" in plain
    detailed = (await html(site, "/recap/articles/whole?level=detailed")).text
    assert "<li>財源</li>" in detailed
    assert '<a href="https://a.example/x" rel="noreferrer nofollow">詳細</a>を問う質疑。' in detailed
    speech = await site.get("/recap/articles/whole/speeches/2", headers={"Accept": "text/html"})
    assert speech.headers["location"].endswith("/recap/articles/whole#speech-2")
    assert (await html(site, "/recap/articles/whole/speeches/9")).status_code == 404


async def test_programs_get_every_text_by_api_export_and_terminal_alike(site, services, foreign):
    await services.objects.put("theirs/api/asset.json", msgspec.json.encode(ASSET))
    await foreign("by-api", asset_url="theirs/api/asset.json")
    body = (await site.get("/api/v1/recap/articles/by-api")).json()
    assert body["problem"] is None
    for name, texts in ASSET.items():
        assert body["asset"][name] == texts
    assert [(speech["order"], speech["text"]) for speech in body["speeches"]] == [
        (1, "○山田太郎君　財源について伺います。"),
        (2, "○鈴木花子君　国債によります。"),
    ]
    lines = (await site.get("/api/v1/recap/feeds/articles.jsonl", params={"category": "by-api"})).text.splitlines()
    (line,) = [msgspec.json.decode(line) for line in lines]
    assert (line["id"], line["dialogs"], line["summary"]) == ("by-api", ASSET["dialogs"], ASSET["summary"])


async def test_feeds_and_lists_show_words_without_marks(site, foreign):
    await foreign("marked", description="**補正**を[可決](https://a.example)。")
    feed = (await site.get("/api/v1/recap/feeds/articles.json", params={"category": "marked"})).json()
    assert "補正を可決。" in str(feed["items"][0])
    assert "**" not in str(feed["items"][0])
    page = (await html(site, "/recap/articles?category=marked")).text
    assert "補正を可決。" in page
    assert "**補正**" not in page


async def test_texts_at_a_web_address_are_fetched_once_and_kept(site, foreign, host):
    address, answers, asked = host
    answers["/a/asset.json"] = lambda _request: web.json_response(ASSET)
    await foreign("fetched", asset_url=f"{address}/a/asset.json?sig=1")
    for _ in range(3):
        assert "国債によります。" in (await html(site, "/recap/articles/fetched")).text
    assert asked == ["/a/asset.json"]


async def test_a_host_that_fails_is_named_and_not_asked_for_every_reader(site, foreign, host):
    address, answers, asked = host
    answers["/gone.json"] = lambda _request: web.Response(status=404)
    await foreign("gone", asset_url=f"{address}/gone.json")
    for _ in range(3):
        page = (await html(site, "/recap/articles/gone")).text
        assert "127.0.0.1" in page
        assert "山田太郎" in page
    assert len(asked) == 1


@pytest.mark.parametrize("url", ["http://10.0.0.1/asset.json", "file:///etc/passwd", "gopher://x/y"])
async def test_addresses_that_may_not_be_fetched_are_refused(site, foreign, url):
    await foreign("refused", asset_url=url)
    body = (await site.get("/api/v1/recap/articles/refused")).json()
    assert body["problem"]
    assert body["article"]["title"] == "予算の質疑"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("too-large", b'{"summary": "' + b"x" * 21_000_000 + b'"}'),
        ("no-json", b"<html>"),
        ("no-texts", b'{"secret": 1}'),
    ],
)
async def test_what_is_no_asset_is_not_shown(site, services, foreign, name, content):
    await services.objects.put(f"theirs/{name}.json", content)
    await foreign(name, asset_url=f"theirs/{name}.json")
    body = (await site.get(f"/api/v1/recap/articles/{name}")).json()
    assert body["problem"]
    assert "secret" not in str(body["asset"])


async def test_an_early_article_with_its_texts_in_the_item_is_shown(site, foreign):
    await foreign("early", asset_url=None, soft_summary=ASSET["soft_language_summary"], dialogs=ASSET["dialogs"])
    page = (await html(site, "/recap/articles/early")).text
    assert "国のお金の使い道を話し合いました。" in page
    assert "国債によります。" in page


@pytest.mark.parametrize(
    "asset",
    [
        {"summary": "一文だけ。", "dialogs": None, "key_points": {"text": "要点。"}},
        {"summary": ["一文だけ。"], "dialogs": [None, 3, {"order": "2.0", "speech": "発言。"}], "middle_summary": [{}]},
        {"summary": {"summary": "一文だけ。", "based_on_orders": ["1", None, 99]}, "dialogs": {"summary": "短い。"}},
    ],
)
async def test_other_types_and_missing_parts_of_texts_hide_nothing_else(site, services, foreign, asset):
    name = f"odd{len(msgspec.json.encode(asset))}"
    await services.objects.put(f"theirs/{name}.json", msgspec.json.encode(asset))
    await foreign(name, asset_url=f"theirs/{name}.json")
    page = await html(site, f"/recap/articles/{name}?level=detailed")
    assert page.status_code == 200
    assert "一文だけ。" in page.text


async def test_the_public_side_shows_the_same_once_the_desk_has_the_texts(services, site, foreign, run_job):
    await services.objects.put("theirs/open.json", msgspec.json.encode(ASSET))
    await foreign("open", asset_url="theirs/open.json", description="**審議**の記録。")
    await run_job(WORK)
    page = await site.get("/public/en/recap/articles/open")
    assert page.status_code == 200
    for word in (*EVERY_WORD, "<strong>審議</strong>の記録。"):
        assert word in page.text
    assert "国のお金の使い道" in (await site.get("/public/en/recap/articles/open?level=plain")).text
    speech = await site.get("/public/en/recap/articles/open/speeches/2")
    assert speech.headers["location"].endswith("/recap/articles/open#speech-2")
    assert "審議の記録。" in (await site.get("/public/en/recap")).text


async def test_what_was_said_is_found_by_words_once_a_run_has_seen_it(services, site, foreign, run_job):
    asset = {"dialogs": [{"order": 1, "original_text": "○木村葵君　蛍の保護区について伺います。"}]}
    await services.objects.put("theirs/words.json", msgspec.json.encode(asset))
    await foreign("words", asset_url="theirs/words.json")
    await run_job(WORK)
    items = (await site.get("/api/v1/recap/articles", params={"q": "蛍の保護区"})).json()["items"]
    assert [item["id"] for item in items] == ["words"]


@pytest.mark.parametrize("asked", ["GX推進", "gx推進", "Gx推進", "ＧＸ推進"])
async def test_a_keyword_in_any_case_finds_it_before_and_after_a_reindex(services, site, foreign, put, asked):
    await foreign("cased", keywords=[{"keyword": "GX推進"}, "図書館"])
    table, sk = services.settings.articles_table, f"Y#2026#M#01#D#{DAY}#A#cased"
    await put(table, PK="KEYWORD#GX推進", SK=sk, type="THIN_INDEX", articleId="cased", title="予算の質疑", date=DAY)

    async def listed():
        body = (await site.get("/api/v1/recap/articles", params={"keyword": asked, "facet": "keyword"})).json()
        counts = {value["value"]: value["count"] for value in body["facets"]["keyword"]}
        assert (counts["GX推進"], body["total"]) == (1, 1)
        return [item["id"] for item in body["items"]]

    assert await listed() == ["cased"]
    (provider,) = searchable(services)
    await provider.batch(None, 1000)
    assert await listed() == ["cased"]


async def test_counts_beside_values_are_the_lengths_of_their_lists(services, site, foreign, run_job, desk, sitting):
    await desk.publish(sitting(71, meeting="沖縄委員会"))
    await foreign(
        "counted-1", nameOfMeeting="沖縄委員会", categories=["島嶼"], date="2026-01-09T00:00:00.000Z", session=220
    )
    await foreign(
        "counted-2", nameOfMeeting="沖縄委員会", categories=["島嶼", " 島嶼 "], keywords=["離島", {"keyword": "離島"}]
    )
    await run_job(WORK)
    facets = ["category", "person", "keyword", "session", "house", "meeting", "imagekind"]
    params = [("meeting", "沖縄委員会"), *(("facet", facet) for facet in facets)]
    page = (await site.get("/api/v1/recap/articles", params=params)).json()
    assert page["total"] == len(page["items"]) == 3
    for values in page["facets"].values():
        for value in values:
            chosen = {"meeting": "沖縄委員会", value["facet"]: value["value"]}
            items = (await site.get("/api/v1/recap/articles", params=chosen)).json()["items"]
            assert len(items) == value["count"], value


async def test_an_article_that_its_program_writes_again_is_listed_as_it_is_now(services, site, foreign, run_job):
    await foreign("again", title="古い題", keywords=["旧"])
    await run_job(WORK)
    await foreign("again", title="新しい題", keywords=["新"])
    await run_job(WORK)
    items = (await site.get("/api/v1/recap/articles", params={"category": "again"})).json()["items"]
    assert [item["title"] for item in items] == ["新しい題"]
    old = (await site.get("/api/v1/recap/articles", params={"keyword": "旧"})).json()["items"]
    assert "again" not in [item["id"] for item in old]


async def test_texts_in_another_store_are_said_to_be_there(site, foreign):
    await foreign("elsewhere", asset_url="s3://their-bucket/asset.json")
    body = (await site.get("/api/v1/recap/articles/elsewhere")).json()
    assert "another object store" in body["problem"]
    assert (body["article"]["title"], body["speeches"]) == ("予算の質疑", [])
    page = (await html(site, "/recap/articles/elsewhere")).text
    assert all(word in page for word in ("予算の質疑", "山田太郎", "another object store", "年度の途中"))


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
        {"date": "2026/01/09", "title": None, "keywords": ["予算", None, 7], "terms": [{"term": "補正"}]},
        {"date": None, "month": "2026-01", "imageKind": "undefined", "nameOfHouse": None},
    ],
)
async def test_parts_that_are_missing_or_plain_hide_nothing_else(site, services, foreign, changes):
    await foreign("partly", **changes)
    assert (await site.get("/api/v1/recap/articles/partly")).json()["article"]["title"] in ("予算の質疑", "partly")
    assert (await site.get("/recap/articles/partly", headers={"Accept": "text/html"})).status_code == 200
    (provider,) = searchable(services)
    assert "partly" in [document.id for document in (await provider.batch(None, 100)).documents]


async def test_a_thin_item_without_a_title_is_listed_by_that_of_its_article_or_by_its_id(site, foreign):
    await foreign("untitled", thin={"date": DAY})
    await foreign("nameless", thin={"date": DAY}, title=None)
    for name, title in (("untitled", "予算の質疑"), ("nameless", "nameless")):
        (item,) = (await site.get("/api/v1/recap/articles", params={"category": name})).json()["items"]
        assert (item["id"], item["title"]) == (name, title)

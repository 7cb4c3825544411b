"""Publishing: one article with all its thin items as documented, none left over, and every version kept."""

import pytest

from almanac.desks.recap.model import filters
from almanac.desks.recap.pipeline.publish import publish_recap, withdraw_meeting
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store.objects import load_asset
from almanac.desks.recap.store.table import Article, Version
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.errors import InputError, NotFound
from almanac.llm.extractive.writer import ExtractiveWriter


async def written(services, sitting):
    meeting = parse_meeting(sitting)
    writer = ExtractiveWriter(services.clock)
    return meeting, await write_recap(meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())


async def keys_of(services, article_id):
    """The keys of everything in the table that belongs to an article."""
    request = {"TableName": services.settings.articles_table}
    items = (await services.table_service.send_async("Scan", request))["Items"]
    keys = [(item["PK"]["S"], item["SK"]["S"]) for item in items]
    return {key for key in keys if key[0] == f"A#{article_id}" or key[1].endswith(f"#A#{article_id}")}


async def test_an_article_stands_under_everything_it_is_filtered_by(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(1))
    name = meeting.issue_id
    article = await store.get_article(services.tables, name)
    keys = await keys_of(services, name)
    thin = {pk for pk, sk in keys if sk == f"Y#2026#M#02#D#2026-02-10#A#{name}"}
    expected = {"SESSION#221", "HOUSE#衆議院", "MEETING#文教委員会", "IMAGEKIND#会議録", f"ISSUE#{name}"}
    expected |= {f"PERSON#{person}" for person in ("青木春子", "石田健", "大野空")}
    expected |= {f"CATEGORY#{category}" for category in article.categories}
    expected |= {f"KEYWORD#{keyword['keyword']}" for keyword in article.keywords}
    expected |= {f"BILL#{bill['key']}" for bill in article.bills}
    assert thin == expected
    assert keys - {(pk, sk) for pk, sk in keys if pk in thin} == {
        (f"A#{name}", "META"),
        (f"A#{name}", "VERSION#000001"),
    }


async def test_the_item_has_categories_and_no_category(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(2))
    key = {"PK": {"S": f"A#{meeting.issue_id}"}, "SK": {"S": "META"}}
    request = {"TableName": services.settings.articles_table, "Key": key}
    item = (await services.table_service.send_async("GetItem", request))["Item"]
    assert item["categories"]["L"]
    assert "category" not in item
    assert item["asset_url"]["S"].endswith("/asset.json")
    assert {"GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"} <= item.keys()


async def test_heavy_fields_are_in_the_asset_with_every_order_once(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(3))
    article = await store.get_article(services.tables, meeting.issue_id)
    asset = await load_asset(services, article.asset_url)
    assert [dialog.order for dialog in asset.recap.dialogs] == [speech.order for speech in meeting.speeches]
    full = await articles.open_article(services, meeting.issue_id)
    assert full.meeting == meeting
    assert full.recap == asset.recap


@pytest.mark.parametrize("kind", ["undefined", None, "", " "])
async def test_there_is_no_image_kind_undefined(services, sitting, kind):
    number = 10 + ["undefined", None, "", " "].index(kind)
    meeting, recap = await written(services, sitting(number, imageKind=kind))
    await publish_recap(services, meeting, recap, record_url="")
    assert not [pk for pk, _ in await keys_of(services, meeting.issue_id) if pk.startswith("IMAGEKIND#")]


async def test_a_remade_article_leaves_no_old_thin_item_and_keeps_the_old_version(desk, services, sitting):
    record = sitting(4)
    (meeting,) = await desk.publish(record)
    before = await keys_of(services, meeting.issue_id)
    old = await articles.open_article(services, meeting.issue_id)
    record["speechRecord"] = [*record["speechRecord"][:2]]
    record["imageKind"] = None
    await desk.publish(record)
    after = await keys_of(services, meeting.issue_id)
    gone = {pk for pk, _ in before - after}
    assert {"PERSON#石田健", "PERSON#大野空", "IMAGEKIND#会議録"} <= gone
    assert (f"A#{meeting.issue_id}", "VERSION#000002") in after
    assert (await articles.open_article(services, meeting.issue_id, 1)).recap == old.recap
    people = {change.text for change in await articles.compare_versions(services, meeting.issue_id, 1, 2)}
    assert any("石田健" in line for line in people)
    page = await search.list_articles(services, service_filter(person="石田健"), limit=200)
    assert meeting.issue_id not in [listed.card.id for listed in page.items]


def service_filter(**chosen):
    return filters.ArticleFilter(**{name: (value,) for name, value in chosen.items()})


async def test_publishing_the_same_again_makes_no_new_version(services, sitting):
    meeting, recap = await written(services, sitting(5))
    first = await publish_recap(services, meeting, recap, record_url="")
    again = await publish_recap(services, meeting, recap, record_url="")
    assert (first.version, first.is_new, again.version, again.is_new) == (1, True, 1, False)


async def test_a_sitting_with_more_people_than_one_transaction_takes_is_published_whole(services, sitting):
    record = sitting(6, texts=tuple(f"○議員{number}君　賛成です。" for number in range(150)))
    for number, speech in enumerate(record["speechRecord"][1:]):
        speech["speaker"], speech["speakerYomi"] = f"議員{number}", f"ぎいん{number}"
    meeting, recap = await written(services, record)
    await publish_recap(services, meeting, recap, record_url="")
    keys = await keys_of(services, meeting.issue_id)
    assert len([pk for pk, _ in keys if pk.startswith("PERSON#")]) == 150
    page = await search.list_articles(services, service_filter(person="議員149"))
    assert [listed.card.id for listed in page.items] == [meeting.issue_id]
    assert len(await search.list_frequent_values(services, ("person",), most=60)) == 60


async def test_versions_that_are_not_there_are_named(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(7))
    with pytest.raises(NotFound, match="has no version"):
        await articles.open_article(services, meeting.issue_id, 9)
    with pytest.raises(NotFound, match="has no version"):
        await articles.compare_versions(services, meeting.issue_id, 1, 2)
    with pytest.raises(InputError, match="older version"):
        await articles.compare_versions(services, meeting.issue_id, 1, 1)
    with pytest.raises(NotFound, match="no article with this id"):
        await articles.list_versions(services, "nothing")


async def test_a_version_that_was_cut_off_on_its_way_is_none(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(14))
    (first,) = [record async for record in store.iterate_versions(services.tables, meeting.issue_id)]
    await services.tables.put(
        Version(id=meeting.issue_id, number=2, asset_url=first.asset_url, content_digest="x", made_at=first.made_at)
    )
    assert [record.number for record in await articles.list_versions(services, meeting.issue_id)] == [1]
    with pytest.raises(NotFound, match="has no version"):
        await articles.open_article(services, meeting.issue_id, 2)


async def test_a_withdrawn_article_is_gone_everywhere(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(8, meeting="消える委員会"))
    await withdraw_meeting(services, meeting)
    assert await keys_of(services, meeting.issue_id) == set()
    page = await search.list_articles(services, service_filter(meeting="消える委員会"), facets=("house",))
    assert (list(page.items), page.total) == ([], 0)
    assert await search.suggest_values(services, "消える") == []
    assert [record async for record in services.objects.iterate(f"recap/articles/{meeting.issue_id}")] == []


async def test_an_event_tells_of_each_version_once(desk, services, sitting):
    record = sitting(9)
    await desk.publish(record)
    await desk.publish(record)
    async with services.database.unit() as unit:
        events = await unit.all("SELECT action FROM audit_entries WHERE object_id = %(id)s", {"id": record["issueID"]})
    assert [row["action"] for row in events] == ["recap.published"]


async def test_an_article_of_another_program_is_listed_and_says_that_its_texts_are_elsewhere(services):
    article = Article(
        id="foreign1", title="よそ", date="2026-01-09T00:00:00.000Z", asset_url="https://r2.example/a.json"
    )
    await services.tables.create(article)
    with pytest.raises(NotFound, match="another object store"):
        await articles.open_article(services, "foreign1")

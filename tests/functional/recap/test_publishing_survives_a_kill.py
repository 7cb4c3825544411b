"""Killed in the middle of publishing, the desk has the old article or the new one, whole; going on mends the rest."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store.article_mapping import facet_values
from almanac.desks.recap.store.objects import load_asset
from almanac.desks.recap.store.table import Article
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.llm.extractive.writer import ExtractiveWriter

PROCESS = Path(__file__).parent / "publishing_process.py"
# More people than one transaction takes, so that a write is staged and can be caught half done.
CROWD = 120


@pytest.fixture
def records(sitting):
    """One sitting in two forms that share nothing they are filed under but their name."""
    made = []
    for form, house in (("甲", "衆議院"), ("乙", "参議院")):
        record = sitting(
            1, house=house, meeting=f"{form}委員会", said=tuple("○議員君　賛成です。" for _ in range(CROWD))
        )
        record["imageKind"] = f"{form}録"
        for number, speech in enumerate(record["speechRecord"][1:]):
            speech["speaker"], speech["speech"] = f"{form}議員{number}", f"○{form}議員{number}君　図書館に賛成です。"
        made.append(record)
    return made


class Publisher:
    """The process beside us, and those that it starts to be killed."""

    def __init__(self, wanted):
        self.process = subprocess.Popen(
            [sys.executable, str(PROCESS), json.dumps(wanted)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def killed_after(self, seconds):
        """Let one publish for a moment, and kill it wherever it is."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        pid = int(self.process.stdout.readline())
        Event().wait(seconds)
        os.kill(pid, signal.SIGKILL)
        assert self.process.stdout.readline() == "gone\n"

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


@pytest.fixture
def publisher(services, records):
    settings = services.settings
    made = Publisher({"data": str(settings.data), "database_url": settings.database_url, "records": records})
    yield made
    made.close()


async def check_whole(services, records):
    """The article is one of the two forms, and every list agrees with it."""
    name = records[0]["issueID"]
    article = await store.get_article(services.tables, name)
    form = "甲" if article.name_of_house == "衆議院" else "乙"
    assert article.name_of_meeting == f"{form}委員会"
    versions = await articles.list_versions(services, name)
    assert [entry.number for entry in versions] == list(range(article.version, 0, -1))
    other = next(entry for entry in records if entry["nameOfHouse"] != article.name_of_house)
    for value in [
        *facet_values(article)["person"][::5],
        article.name_of_house,
        article.name_of_meeting,
        article.image_kind,
    ]:
        assert name in await ids_under(services, value), value
    gone = [speech["speaker"] for speech in other["speechRecord"][1::5]]
    for value in [*gone, other["nameOfHouse"], other["nameOfMeeting"], other["imageKind"]]:
        assert name not in await ids_under(services, value), value
    await load_asset(services, article.asset_url)


async def ids_under(services, value):
    pattern = {
        "衆議院": Article.of_house,
        "参議院": Article.of_house,
        "甲委員会": Article.of_meeting,
        "乙委員会": Article.of_meeting,
        "甲録": Article.with_image_kind,
        "乙録": Article.with_image_kind,
    }.get(value, Article.with_person)
    return [card.id for card in (await services.tables.query(pattern(each=value))).items]


@pytest.mark.parametrize("kills", [3, pytest.param(30, marks=pytest.mark.slow)])
async def test_a_kill_leaves_the_old_or_the_new_article_whole(services, publisher, records, kills):
    chance = random.Random(kills)
    for _ in range(kills):
        publisher.killed_after(chance.uniform(0.05, 0.6))
        await check_whole(services, records)
    meeting = parse_meeting(records[0])
    writer = ExtractiveWriter(services.clock)
    recap = await write_recap(meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())
    await publish_recap(services, meeting, recap, record_url="")
    await check_whole(services, records)
    page = await search.list_articles(services, ArticleFilter(house=("衆議院",), imagekind=("甲録",)))
    assert [listed.card.id for listed in page.items] == [records[0]["issueID"]]
    gone = await search.list_articles(services, ArticleFilter(house=("参議院",), imagekind=("乙録",)))
    assert list(gone.items) == []
    scan = await services.table_service.send_async("Scan", {"TableName": services.settings.articles_table})
    assert not [item["PK"]["S"] for item in scan["Items"] if "STAGING" in item["PK"]["S"] or "_from" in item]

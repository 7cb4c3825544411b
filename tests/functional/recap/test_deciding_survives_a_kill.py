"""Killed while it holds or releases an article, the desk ends with it everywhere or nowhere, as was decided last."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.status import settle_unfinished
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.service import editorial, search
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store.table import Article
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.llm.extractive.writer import ExtractiveWriter

PROCESS = Path(__file__).parent / "deciding_process.py"
# More people than one transaction takes, so that a write is staged and can be caught half done.
CROWD = 120


@pytest.fixture
async def article_id(services, sitting):
    record = sitting(1, texts=tuple("○議員君　図書館に賛成です。" for _ in range(CROWD)))
    for number, speech in enumerate(record["speechRecord"][1:]):
        speech["speaker"] = f"議員{number}"
    meeting = parse_meeting(record)
    writer = ExtractiveWriter(services.clock)
    recap = await write_recap(meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())
    await publish_recap(services, meeting, recap, record_url="")
    return meeting.issue_id


async def lists_with(services, article_id):
    """In which of its lists an article is."""
    people = [
        card.id
        for number in range(0, CROWD, 7)
        for card in (await services.tables.query(Article.with_person(each=f"議員{number}"))).items
    ]
    page = await search.list_articles(services, ArticleFilter(house=("衆議院",), meeting=("文教委員会",)))
    words = await search.list_articles(services, ArticleFilter(text="図書館"))
    listed = [*people, *(each.card.id for each in page.items), *(each.card.id for each in words.items)]
    return listed.count(article_id)


class Decider:
    """The process beside us, and those that it starts to be killed."""

    def __init__(self, wanted):
        self.process = subprocess.Popen(
            [sys.executable, str(PROCESS), json.dumps(wanted)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def killed_after(self, seconds):
        """Let one decide for a moment, and kill it wherever it is."""
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
def decider(services, article_id):
    settings = services.settings
    made = Decider({"data": str(settings.data), "database_url": settings.database_url, "article_id": article_id})
    yield made
    made.close()


@pytest.mark.parametrize("kills", [3, pytest.param(30, marks=pytest.mark.slow)])
async def test_a_kill_leaves_the_article_everywhere_or_nowhere(services, decider, article_id, kills):
    everywhere = await lists_with(services, article_id)
    assert everywhere > CROWD / 7
    chance = random.Random(kills)
    for _ in range(kills):
        decider.killed_after(chance.uniform(0.05, 0.5))
        await settle_unfinished(services)
        status = await editorial.get_status(services, article_id)
        shown = (await store.find_article(services.tables, article_id)) is not None
        assert shown == (status.state == "published")
        assert await lists_with(services, article_id) == (everywhere if shown else 0)
    status = await editorial.get_status(services, article_id)
    if status.state == "held":
        await editorial.decide_state(services, CONSOLE, article_id, "published", "", revision=status.revision)
    assert await lists_with(services, article_id) == everywhere

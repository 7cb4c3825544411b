"""Whatever another program wrote into the documented tables, every page opens and every list is answered."""

from pathlib import Path

import pytest

from almanac.accounts.permissions import Role
from almanac.desks.news.pipeline.maintenance import adopt_foreign_rows

FOREIGN = Path(__file__).parents[2] / "news" / "foreign_rows.sql"
PAGES = [
    "/",
    "/news",
    "/news/queue",
    "/news/tasks",
    "/news/tasks/{task}",
    "/news/sites",
    "/news/statistics",
    "/news/stories/{link}",
    "/news/fate?url=https://example.org/a",
    "/news/fate?url=https://malaymail.com/x",
    "/search?q=headline",
]
LISTS = [
    "links",
    "links/{link}",
    "articles",
    "articles?q=headline",
    "articles/{link}",
    "tasks",
    "tasks/urgent_news",
    "tasks/urgent_news/scorecard",
    "blacklist",
    "domains",
    "stats",
    "tags",
    "feeds/rss",
    "feeds/atom",
    "feeds/json",
    "opml",
    "fate?url=https://example.org/a",
]
ODD = {
    "moments that no calendar has": """
        UPDATE news_links SET discovered_at = 'infinity', processed_at = '-infinity', last_checked = '20000-01-01',
            created_at = '4000-01-01 BC';
        UPDATE processed_content SET news_date = 'infinity', created_at = 'infinity', updated_at = '-infinity';
        UPDATE query_tasks SET last_run = 'infinity', created_at = '-infinity', updated_at = 'infinity';
        UPDATE blacklisted_sites SET created_at = 'infinity', updated_at = 'infinity';
    """,
    "a block without end": "UPDATE blacklisted_sites SET expires_at = 'infinity';",
    "nothing where something may be missing": """
        UPDATE news_links SET title = NULL, discovered_at = NULL, source_task = NULL, processed_at = NULL,
            created_at = NULL;
        UPDATE processed_content SET title = NULL, title_zh = NULL, content = NULL, translated_content = NULL,
            tags = NULL, country = NULL, news_date = NULL, metadata = NULL, created_at = NULL, updated_at = NULL;
        UPDATE query_tasks SET is_active = NULL, schedule = NULL, total_runs = NULL, total_links_found = NULL,
            created_at = NULL, updated_at = NULL;
        UPDATE blacklisted_sites SET title = NULL, reason = NULL, created_at = NULL, updated_at = NULL;
    """,
    "other kinds of values": """
        UPDATE news_links SET status = 'archived', error_message = '<b>?</b>', source_task = '<i>x</i>';
        UPDATE processed_content SET tags = ARRAY[NULL, ''], country = '??', translated_content = '[[1]',
            metadata = '{"writer": {}, "dropped": {"a": 1}, "points": [{"start": "x"}], "translations": 5, "cost": []}';
    """,
    "no status": "UPDATE news_links SET status = NULL;",
}


@pytest.mark.parametrize("odd", ODD)
async def test_every_page_opens_and_every_list_is_answered(odd, services, signed_in, api):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
    await adopt_foreign_rows(services)
    async with services.database.unit() as unit:
        await unit.execute(ODD[odd])
        link = await unit.value("SELECT id FROM news_links")
        task = await unit.value("SELECT id FROM query_tasks")
    editor = await signed_in(Role.EDITOR)
    hidden = {"/news/stories/{link}", "articles/{link}"} if odd == "no status" else set()
    for path in PAGES:
        answer = await editor.get(path.format(link=link, task=task))
        assert answer.status_code == (404 if path in hidden else 200), path
    for path in LISTS:
        answer = await api.get(f"/api/v1/news/{path.format(link=link)}")
        assert answer.status_code == (404 if path in hidden else 200), path


async def test_a_task_that_rests_says_why(services, signed_in):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO query_tasks (task_name, prompt_template, schedule, is_active) VALUES ('a', 'x', 'soon', false)"
        )
        task = await unit.value("SELECT id FROM query_tasks")
    shown = (await (await signed_in(Role.EDITOR)).get(f"/news/tasks/{task}")).text
    assert "Paused, because its schedule can't be read" in shown


async def test_a_block_without_end_is_told_as_one(services, signed_in):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
        await unit.execute(ODD["a block without end"])
    editor = await signed_in(Role.EDITOR)
    assert "Until unblocked" in (await editor.get("/news/sites")).text

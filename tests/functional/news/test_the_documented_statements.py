"""The documented queries and maintenance statements are run word for word, and other programs' rows are readable."""

from pathlib import Path

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.news.api.schemas import FullStoryBody
from almanac.desks.news.day import load_day
from almanac.desks.news.model.canonical_urls import url_domain
from almanac.desks.news.pipeline import maintenance
from almanac.desks.news.pipeline.maintenance import adopt_foreign_rows
from almanac.desks.news.service import articles, feeds, links, sites, tasks
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.news.store.rows import QUERIES
from almanac.errors import Unavailable
from almanac.http.day import open_day

DOCUMENTED = {
    "documented_pending": """
SELECT id, url, source_task, discovered_at
FROM news_links
WHERE status = 'pending'
ORDER BY discovered_at DESC
LIMIT 100;
""",
    "documented_processed": """
SELECT
    nl.id,
    nl.url,
    nl.discovered_at,
    pc.title,
    pc.content,
    pc.metadata
FROM news_links nl
JOIN processed_content pc ON nl.id = pc.link_id
WHERE nl.status = 'completed'
ORDER BY nl.processed_at DESC;
""",
    "documented_statistics": """
SELECT
    COUNT(*) as total_links,
    COUNT(*) FILTER (WHERE status = 'pending') as pending,
    COUNT(*) FILTER (WHERE status = 'processing') as processing,
    COUNT(*) FILTER (WHERE status = 'completed') as completed,
    COUNT(*) FILTER (WHERE status = 'failed') as failed
FROM news_links;
""",
    "documented_active_tasks": """
SELECT *
FROM query_tasks
WHERE is_active = true
ORDER BY task_name;
""",
    "delete_old_failures": """
DELETE FROM news_links
WHERE status = 'failed'
AND processed_at < NOW() - INTERVAL '30 days';
""",
    "reset_stuck_links": """
UPDATE news_links
SET status = 'pending',
    error_message = 'Reset from stuck processing state'
WHERE status = 'processing'
AND last_checked < NOW() - INTERVAL '1 hour';
""",
    "vacuum_links": "VACUUM ANALYZE news_links;",
    "vacuum_content": "VACUUM ANALYZE processed_content;",
    "vacuum_tasks": "VACUUM ANALYZE query_tasks;",
}
MOMENTS = {
    "news_links": ["discovered_at", "processed_at", "last_checked", "created_at"],
    "processed_content": ["news_date", "created_at", "updated_at"],
    "query_tasks": ["last_run", "created_at", "updated_at"],
    "blacklisted_sites": ["created_at", "updated_at"],
}
FOREIGN = Path(__file__).parent / "foreign_rows.sql"


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_statement_is_kept_word_for_word(name):
    assert QUERIES[name].split() == DOCUMENTED[name].split()


async def test_the_documented_queries_see_what_the_desk_wrote(desk, services, web):
    await desk.task("Energy", web.feed_url(0), schedule="hourly")
    await desk.add_and_read(web.url("/a/1"), web.url("/empty/1"))
    await desk.add(web.url("/a/2"))
    (pending,) = await desk.all(QUERIES["documented_pending"])
    (processed,) = await desk.all(QUERIES["documented_processed"])
    (task,) = await desk.all(QUERIES["documented_active_tasks"])
    (stats,) = await desk.all(QUERIES["documented_statistics"])
    assert pending["url"] == web.url("/a/2")
    assert processed["content"].startswith("- ")
    assert processed["metadata"]["source_domain"].startswith("127.0.0.1")
    assert (task["task_name"], task["schedule"], task["total_runs"]) == ("Energy", "hourly", 0)
    assert stats == {"total_links": 3, "pending": 1, "processing": 0, "completed": 1, "failed": 1}


async def test_old_failures_go_and_young_ones_stay(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO news_links (url, url_hash, status, processed_at) VALUES "
            "('a', 'a', 'failed', NOW() - INTERVAL '31 days'), ('b', 'b', 'failed', NOW() - INTERVAL '29 days')"
        )
    assert await maintenance.delete_old_failures(services.database) == 1
    await maintenance.vacuum_tables(services.database)
    assert [row["url"] for row in await desk.all("SELECT url FROM news_links")] == ["b"]


async def test_rows_of_a_program_that_follows_the_documents_are_readable(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
    (link,) = (await links.list_links(services)).items
    article = await articles.get_article(services, link.id)
    assert (article.title, article.titles["zh"]) == ("Raw headline", "标题")
    assert article.bullets == {"en": ["One point", "Another point"], "zh": ["一点"]}
    assert (article.tags, article.country, str(article.news_date)) == (["Solar"], "MY", "2026-02-03")
    (task,) = await tasks.list_tasks(services)
    assert (task.task_name, task.is_active, task.version) == ("urgent_news", True, 1)
    (block,) = (await sites.list_blocked_sites(services)).items
    assert (block.domain, block.is_allowed) == ("malaymail.com", False)
    assert (await links.look_up_url(services, "https://www.malaymail.com/x")).blocked_until is not None


async def test_articles_of_another_program_are_found(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
    await adopt_foreign_rows(services)
    stories = await articles.find_articles(services, CONSOLE, StoryFilter(words="headline", tag="Solar"))
    assert [article.title for article in stories.page.items] == ["Raw headline"]
    assert [source.domain for source in stories.page.items[0].sources] == ["example.org"]
    assert await adopt_foreign_rows(services) == 0


async def test_an_article_of_another_program_waits_for_a_database_that_was_away(desk, services, monkeypatch):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))

    async def away(*_):
        raise Unavailable("The database doesn't answer; try again in a moment.")

    with monkeypatch.context() as patched:
        patched.setattr(services.search, "put", away)
        with pytest.raises(Unavailable):
            await adopt_foreign_rows(services)
    await adopt_foreign_rows(services)
    stories = await articles.find_articles(services, CONSOLE, StoryFilter(words="headline", tag="Solar"))
    assert [article.title for article in stories.page.items] == ["Raw headline"]


async def test_a_page_of_another_program_is_known_by_every_address(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
    await adopt_foreign_rows(services)
    added = await desk.add("http://www.example.org/a?utm_source=feed")
    assert (added.added, added.duplicate) == (0, 1)
    assert (await desk.fate("https://m.example.org/a#top")).status == "completed"


async def test_values_that_no_document_foresees_cost_only_themselves(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
        await unit.execute(
            "UPDATE processed_content SET tags = ARRAY['Solar', NULL, '', ' '], metadata = '{\"translations\": [1]}', "
            'translated_content = \'{"en": ["One", 5, null, {"a": 1}], "zh": null, "fr": "oui"}\''
        )
    (link,) = (await links.list_links(services)).items
    article = await articles.get_article(services, link.id)
    assert (article.tags, article.states, article.bullets) == (["Solar"], {}, {"en": ["One"]})
    assert {tag: times for tag, times in (await articles.list_tags(services)).items() if times} == {"Solar": 1}


@pytest.mark.parametrize("moment", ["infinity", "-infinity", "4000-01-01 BC", "20000-01-01"])
async def test_a_moment_that_no_calendar_has_hides_neither_its_row_nor_a_list(desk, services, moment):
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
        for table, columns in MOMENTS.items():
            for column in columns:
                await unit.execute(f"UPDATE {table} SET {column} = '{moment}'")
    await adopt_foreign_rows(services)
    (link,) = (await links.list_links(services)).items
    assert (link.discovered_at, link.processed_at, link.last_checked, link.created_at) == (None, None, None, None)
    (article,) = (await articles.find_articles(services, CONSOLE, StoryFilter(words="headline"))).page.items
    assert (article.title, article.news_date) == ("Raw headline", None)
    assert [item.title for item in (await feeds.build_story_feed(services, CONSOLE, StoryFilter(), form="rss")).items]
    assert [task.last_run for task in await tasks.list_tasks(services)] == [None]
    assert [block.domain for block in (await sites.list_blocked_sites(services)).items] == ["malaymail.com"]
    assert not (await load_day(services, CONSOLE, open_day("", services.clock.now(), "UTC", "en"))).readings


async def test_a_block_without_end_is_told_and_kept(desk, services, web):
    site = url_domain(web.url("/a/1"))
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO blacklisted_sites (domain, url, expires_at) VALUES (%(site)s, 'x', 'infinity')", {"site": site}
        )
    assert (await desk.fate(web.url("/a/1"))).blocked_until.year == 9999
    (fate,) = await desk.add_and_read(web.url("/a/1"))
    assert (fate.status, fate.link.next_attempt_at.year) == ("blocked", 9999)
    assert web.hits.total() == 0


LONG = " ".join(f"word{number:x}" for number in range(200_000))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("title", LONG),
        ("title_en", LONG),
        ("content", LONG),
        ("tags", [f"tag {number}" for number in range(5000)]),
        ("translated_content", "[" * 100_000),
    ],
    ids=["title", "title_en", "content", "tags", "translated_content"],
)
async def test_an_article_of_any_length_is_found_and_keeps_no_other_from_being(desk, services, column, value):
    await _two_articles(services)
    async with services.database.unit() as unit:
        await unit.execute(f"UPDATE processed_content SET {column} = %(it)s WHERE title = 'odd'", {"it": value})
    assert await adopt_foreign_rows(services) > 0
    assert len((await articles.find_articles(services, CONSOLE, StoryFilter())).page.items) == 2


async def test_an_article_that_no_index_takes_is_passed_over_alone(desk, services):
    await _two_articles(services)
    async with services.database.unit() as unit:
        await unit.execute("ALTER TABLE search_documents ADD CHECK (title <> 'odd')")
    await adopt_foreign_rows(services)
    stories = await articles.find_articles(services, CONSOLE, StoryFilter())
    assert [article.title for article in stories.page.items] == ["plain"]
    odd = await desk.value("SELECT link_id FROM processed_content WHERE title = 'odd'")
    assert (await articles.get_article(services, odd)).title == "odd"
    assert await adopt_foreign_rows(services) == 0


async def _two_articles(services):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO news_links (url, url_hash, title, status) VALUES "
            "('https://example.org/1', 'a', 'odd', 'completed'), ('https://example.org/2', 'b', 'plain', 'completed')"
        )
        await unit.execute("INSERT INTO processed_content (link_id, title) SELECT id, title FROM news_links")


async def test_a_link_that_another_program_left_half_done_is_read_after_an_hour(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO news_links (url, url_hash, status) VALUES ('https://example.org/a', 'a', 'processing')"
        )
    assert await maintenance.reset_stuck_links(services.database) == 0
    async with services.database.unit() as unit:
        await unit.execute("UPDATE news_links SET last_checked = last_checked - INTERVAL '61 minutes'")
    assert await maintenance.reset_stuck_links(services.database) == 1
    assert [link.status for link in (await links.list_links(services)).items] == ["pending"]


async def test_a_link_without_a_status_waits_and_a_task_that_is_not_said_to_be_active_is_not(desk, services, web):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO news_links (url, url_hash, status) VALUES (%(url)s, 'a', NULL), ('nothing at all', 'b', NULL)",
            {"url": web.url("/a/3")},
        )
        await unit.execute(
            "INSERT INTO query_tasks (task_name, prompt_template, schedule, is_active) VALUES ('a', 'x', 'daily', NULL)"
        )
    assert [link.status for link in (await links.list_links(services)).items] == ["pending", "pending"]
    await desk.read()
    assert [link.status for link in (await links.list_links(services)).items] == ["failed", "completed"]
    assert [task.is_active for task in await tasks.list_tasks(services)] == [False]


async def test_what_other_programs_keep_with_an_article_breaks_neither_its_page_nor_the_card_of_a_task(desk, services):
    await desk.task("Energy")
    async with services.database.unit() as unit:
        await unit.execute(FOREIGN.read_text("utf-8"))
        await unit.execute(
            "UPDATE processed_content SET metadata = %(it)s",
            {"it": {"cost": "2 cents", "writer": 5, "dropped": 7, "points": "x"}},
        )
        await unit.execute(
            "INSERT INTO news_link_tasks (link_id, task_id, found_at) "
            "SELECT l.id, t.id, now() FROM news_links l, query_tasks t WHERE task_name = 'Energy'"
        )
    card = await tasks.get_task_card(services, "Energy")
    assert (card.scorecard.completed, card.scorecard.cost) == (1, 0)
    (link,) = (await links.list_links(services)).items
    body = FullStoryBody.from_article(await articles.get_article(services, link.id))
    assert (body.writer, body.dropped) == (None, [])

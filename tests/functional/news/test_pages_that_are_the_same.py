"""One page is read once and told once, whatever its addresses and whoever found it."""

from hashlib import sha256

from almanac.accounts.model import CONSOLE
from almanac.desks.news.service import articles, links, tasks
from almanac.desks.news.service.articles import StoryFilter


async def test_a_redirect_and_its_target_are_one_page(desk, services, web):
    (target,) = await desk.add_and_read(web.url("/a/5"))
    (redirect,) = await desk.add_and_read(web.url("/r/5"))
    assert target.status == "completed"
    assert (redirect.status, redirect.link.duplicate_of, redirect.story) == (
        "duplicate",
        target.link.id,
        target.link.id,
    )
    assert redirect.sentence == f"It is another address of link {target.link.id}."
    assert await desk.value("SELECT count(*) FROM processed_content") == 1


async def test_what_a_redirect_led_to_is_not_fetched_again(desk, web):
    (redirect,) = await desk.add_and_read(web.url("/r/6"))
    assert redirect.status == "completed"
    tally = await desk.add(web.url("/a/6?utm_source=later"))
    assert (tally.added, tally.duplicate) == (0, 1)
    assert web.hits["127.0.0.1/a/6"] == 1
    assert (await desk.fate(web.url("/a/6"))).link.id == redirect.link.id


async def test_a_page_that_only_leads_on_is_the_page_that_it_leads_to(desk, services, web, web_pages):
    (led,) = await desk.add_and_read(web.url("/on/on/a/6"))
    assert led.status == "completed"
    assert (await articles.get_article(services, led.link.id)).title == web_pages.title_of(6)
    assert (await desk.add(web.url("/a/6"))).duplicate == 1
    (other,) = await desk.add_and_read(web.url("/on/a/6"))
    assert (other.status, other.link.duplicate_of) == ("duplicate", led.link.id)


async def test_pages_that_lead_on_for_ever_or_where_we_may_not_go_are_left(desk, web):
    endless, forbidden, home, inside = await desk.add_and_read(
        *(web.url(path) for path in (f"/{'on/' * 6}a/6", "/on/private/1", "/on/astray/1", "/on//10.0.0.1/a/6"))
    )
    assert (endless.status, endless.link.cause) == ("failed", "no_article")
    assert "redirect in a loop" in endless.sentence
    assert (forbidden.status, forbidden.link.cause) == ("blocked", "robots")
    assert (home.status, home.link.cause) == ("failed", "gone")
    assert (inside.status, inside.link.cause) == ("failed", "bad_address")
    assert web.hits["127.0.0.1/a/6"] == web.hits["127.0.0.1/private/1"] == 0


async def test_a_story_whose_page_became_another_one_is_not_found_any_more(desk, services, web):
    moved, there = await desk.add_and_read(web.url("/moving/12"), web.url("/a/13"))
    assert (moved.status, there.status) == ("completed", "completed")
    await links.retry_link(services, CONSOLE, moved.link.id)
    await desk.read()
    assert (await desk.fate(web.url("/moving/12"))).link.duplicate_of == there.link.id
    stories = await articles.find_articles(services, CONSOLE, StoryFilter())
    assert ([article.id for article in stories.page.items], stories.total) == ([there.link.id], 1)


async def test_amp_and_print_versions_lead_to_the_article(desk, web):
    tally = await desk.add(web.url("/a/7/amp"), web.url("/a/7"), web.url("/print/7"))
    await desk.read()
    assert (tally.added, tally.duplicate) == (2, 1)
    assert await desk.value("SELECT count(*) FROM processed_content") == 1
    assert sorted([(await desk.fate(web.url(path))).status for path in ("/a/7", "/print/7")]) == [
        "completed",
        "duplicate",
    ]


async def test_two_pages_that_name_each_other_are_not_both_lost(desk, web):
    """The print version says that it is the article, and the article was found through the print version."""
    await desk.add(web.url("/print/8"), web.url("/r/8"), web.url("/a/8"))
    await desk.read()
    rows = await desk.all("SELECT status, count(*) AS links FROM news_links GROUP BY status ORDER BY status")
    assert [(row["status"], row["links"]) for row in rows] == [("completed", 1), ("duplicate", 2)]


async def test_a_story_told_by_several_is_listed_once_with_all_its_sources(desk, services, web):
    web.sites = 3
    await desk.add(*(web.url("/wire/9", site) for site in range(3)), web.url("/a/10"))
    await desk.read()
    stories = await articles.find_articles(services, CONSOLE, StoryFilter())
    source_counts = sorted(len(article.sources) for article in stories.page.items)
    assert source_counts == [1, 3]
    wire = max(stories.page.items, key=lambda article: len(article.sources))
    assert {source.domain.partition(":")[0] for source in wire.sources} == {"127.0.0.1", "127.0.0.2", "127.0.0.3"}


async def test_a_link_found_by_two_tasks_counts_for_both(desk, services, web):
    web.feeds = 1
    for name in ("One", "Other"):
        await desk.task(name, web.feed_url(0))
    first, second = await desk.run("One"), await desk.run("Other")
    assert (first.found, first.added, first.duplicate) == (30, 30, 0)
    assert (second.found, second.added, second.duplicate) == (30, 0, 30)
    for name in ("One", "Other"):
        task = await tasks.get_task(services, name)
        assert (task.total_runs, task.total_links_found) == (1, 30)
    assert (await desk.fate(web.url("/a/3"))).found_by == ["One", "Other"]
    again = await desk.run("One")
    assert (again.found, (await tasks.get_task(services, "One")).total_links_found) == (0, 30)


async def test_http_and_https_and_parameter_order_and_m_hosts_make_no_duplicates(desk):
    tally = await desk.add(
        "http://news.example/a?b=2&a=1", "https://www.news.example/a?a=1&b=2", "https://m.news.example/a/?a=1&b=2#x"
    )
    assert (tally.found, tally.added, tally.duplicate) == (3, 1, 2)


async def test_a_row_of_another_program_is_read_and_known_by_its_address(desk, web):
    url = web.url("/a/11?utm_source=them")
    async with desk.services.database.unit() as unit:
        given = {"url": url, "hash": sha256(url.encode()).hexdigest()}
        await unit.execute("INSERT INTO news_links (url, url_hash) VALUES (%(url)s, %(hash)s)", given)
        await unit.execute("INSERT INTO news_links (url, url_hash) VALUES ('no address', 'x')")
    assert (await desk.add(url)).added == 0
    await desk.read()
    assert (await desk.fate(url)).status == "completed"
    rows = await desk.all("SELECT status, error_message FROM news_links WHERE url_hash = 'x'")
    assert rows[0]["status"] == "failed"
    assert "web address" in rows[0]["error_message"]

"""Every link ends where it belongs, with its reason: nothing invented, nothing lost, nothing fetched needlessly."""

import asyncio
import functools

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.news.explainer import explain_link, explain_story
from almanac.desks.news.model.links import LinkStatus
from almanac.desks.news.model.rules import RuleAction, RuleFields
from almanac.desks.news.pipeline import maintenance
from almanac.desks.news.service import articles, links, rules, sites
from almanac.desks.news.service.articles import StoryFilter
from almanac.errors import InputError
from almanac.kit.messages import day_text
from almanac.why import WhyReader


async def test_a_failure_is_failed_with_its_reason_and_never_completed_with_invented_text(desk, web):
    fates = await desk.add_and_read(
        *(web.url(path) for path in ("/empty/1", "/wall/1", "/status/404/1", "/loop", "/huge/1"))
    )
    assert [(fate.status, fate.link.cause) for fate in fates] == [
        ("failed", "no_article"),
        ("failed", "no_article"),
        ("failed", "gone"),
        ("failed", "unreadable"),
        ("failed", "too_large"),
    ]
    assert all(fate.link.error_message for fate in fates)
    assert await desk.value("SELECT count(*) FROM processed_content") == 0


async def test_broken_markup_and_a_wrong_charset_are_read(desk, services, web, web_pages):
    torn, wrong = await desk.add_and_read(web.url("/torn/3"), web.url("/charset/4"))
    assert (torn.status, wrong.status) == ("completed", "completed")
    article = await articles.get_article(services, wrong.link.id)
    assert article.language == "zh"
    assert web_pages.paragraphs_of(13)[0] in article.article


async def test_what_robots_forbid_is_blocked_and_never_fetched(desk, web):
    (fate,) = await desk.add_and_read(web.url("/private/1"))
    assert (fate.status, fate.link.cause) == ("blocked", "robots")
    assert web.hits["127.0.0.1/private/1"] == 0
    assert "robots.txt" in fate.sentence


async def test_why_a_page_is_not_here_names_robots_and_the_day(desk, services, web):
    await desk.add_and_read(web.url("/private/1"), web.url("/status/404/1"), web.url("/torn/3"))
    reader = WhyReader(services, CONSOLE)
    forbidden = await explain_link(reader, web.url("/private/1"))
    day = day_text(services.clock.now().date(), "full")
    assert forbidden.state == f"Not here: blocked by robots.txt on {day}."
    assert [step.at for step in forbidden.steps[:2]] == [services.clock.now()] * 2
    assert "Read it again" in {action.label for action in forbidden.actions}
    gone = await explain_link(reader, web.url("/status/404/1"))
    assert gone.state.startswith("Not here. It could not be read: ")
    here = await explain_link(reader, web.url("/torn/3"))
    assert (here.state.startswith("Here. It was read and is listed."), bool(here.href)) == (True, True)
    story = await explain_story(reader, here.href.rsplit("/", 1)[-1])
    assert story.state == f"Here since {day}, from 1 source."


async def test_a_site_waits_for_what_is_put_off_and_not_for_what_robots_forbid(desk, services, web):
    await desk.add_and_read(web.url("/private/1"), web.url("/status/500/1"))
    (domain,) = (await sites.list_domains(services)).items
    assert domain.waiting == 1


async def test_a_page_that_is_too_slow_is_tried_again_later(desk, services, web, clock):
    (fate,) = await desk.add_and_read(web.url("/slow/1"))
    assert (fate.status, fate.link.cause) == ("pending", "unreachable")
    assert "took longer than 3 seconds" in fate.sentence
    assert fate.next_attempt_at > clock.now()
    assert (await sites.list_blocked_sites(services)).items == []


async def test_what_the_database_refuses_is_put_aside_alone(desk, web, web_pages):
    async with desk.services.database.unit() as unit:
        await unit.execute("ALTER TABLE processed_content ADD CHECK (title NOT LIKE 'Johor%%')")
    urls = [web.url(f"/a/{number}") for number in (0, 3, 4, 6)]
    titles = {url: web_pages.title_of(number) for url, number in zip(urls, (0, 3, 4, 6), strict=True)}
    for url, fate in zip(urls, await desk.add_and_read(*urls), strict=True):
        refused = titles[url].startswith("Johor")
        assert fate.status == ("failed" if refused else "completed"), titles[url]
    assert any(title.startswith("Johor") for title in titles.values())


async def test_a_host_that_asks_for_patience_gets_it_and_recovers_by_itself(desk, web, clock):
    web.patience = 120
    (fate,) = await desk.add_and_read(web.url("/busy/1"))
    assert (fate.status, fate.link.cause) == ("pending", "slow_down")
    assert fate.next_attempt_at >= clock.advance(seconds=119)
    await desk.add_and_read(web.url("/a/2"))
    assert web.hits["127.0.0.1/a/2"] == 0, "the whole site is left alone"
    clock.advance(minutes=5)
    await desk.read()
    assert (await desk.fate(web.url("/busy/1"))).status == "completed"
    assert (await desk.fate(web.url("/a/2"))).status == "completed"


async def test_faults_of_a_host_are_tried_again_with_growing_waits_and_never_blacklist(desk, services, web, clock):
    urls = [web.url(f"/status/{code}/{n}") for code in (500, 503) for n in range(2)]
    waits = []
    for _ in range(6):
        await desk.add_and_read(*urls)
        link = (await desk.fate(urls[0])).link
        waits.append(link.next_attempt_at - clock.now() if link.next_attempt_at else None)
        clock.advance(hours=12)
    assert waits[0] < waits[2] < waits[4]
    assert waits[5] is None
    final = await desk.fate(urls[0])
    assert (final.status, final.link.attempts) == ("failed", 6)
    assert "tried 6 times" in final.sentence
    assert (await sites.list_blocked_sites(services)).items == []


async def test_a_site_that_refuses_us_is_blacklisted_with_evidence_and_released_again(desk, services, web, clock):
    refused = [web.url(f"/status/403/{n}") for n in range(3)]
    fates = await desk.add_and_read(*refused)
    assert {(fate.status, fate.link.cause) for fate in fates} == {("blocked", "refused")}
    (block,) = (await sites.list_blocked_sites(services)).items
    assert (block.cause, block.evidence["status"], block.strikes) == ("refused", 403, 1)
    assert block.expires_at > clock.now()

    tally = await desk.add(web.url("/a/1"))
    fate = await desk.fate(web.url("/a/1"))
    assert (tally.blocked, fate.status, fate.link.cause) == (1, "blocked", "blacklist")
    await desk.read()
    assert web.hits["127.0.0.1/a/1"] == 0

    clock.advance(days=1, minutes=1)
    await desk.read()
    assert (await desk.fate(web.url("/a/1"))).status == "completed"
    assert (await sites.list_blocked_sites(services)).items == []


async def test_a_person_may_overrule_the_blacklist(desk, services, web):
    await sites.block_site(services, CONSOLE, web.site(), reason="Too loud.", days=3)
    (fate,) = await desk.add_and_read(web.url("/a/1"))
    assert fate.status == "blocked"
    assert "Too loud." in fate.sentence
    assert await sites.allow_site(services, CONSOLE, web.site()) == 1
    await desk.add_and_read(*(web.url(f"/status/403/{n}") for n in range(4)))
    assert (await desk.fate(web.url("/a/1"))).status == "completed"
    (entry,) = (await sites.list_blocked_sites(services)).items
    assert entry.is_allowed


async def test_a_few_refusals_among_answers_blacklist_nobody(desk, services, web):
    await desk.add_and_read(web.url("/a/1"))
    await desk.add_and_read(*(web.url(f"/status/451/{n}") for n in range(5)))
    assert (await sites.list_blocked_sites(services)).items == []


async def test_the_news_date_is_never_the_time_of_processing(desk, services, web):
    web.feeds = 1
    (undated,) = await desk.add_and_read(web.url("/undated/4"))
    assert (await articles.get_article(services, undated.link.id)).news_date is None


async def test_last_checked_is_written_and_what_is_stuck_is_reset(desk, web, clock):
    (fate,) = await desk.add_and_read(web.url("/a/4"))
    assert fate.link.last_checked == clock.now()
    async with desk.services.database.unit() as unit:
        await unit.execute("UPDATE news_links SET status = 'processing', last_checked = NOW() - INTERVAL '2 hours'")
    assert await maintenance.reset_stuck_links(desk.services.database) == 1
    rows = await desk.all("SELECT status, error_message FROM news_links")
    assert rows == [{"status": "pending", "error_message": "Reset from stuck processing state"}]


async def test_reading_an_unchanged_page_again_costs_nothing(desk, services, web, clock):
    cached, plain = await desk.add_and_read(web.url("/cached/3"), web.url("/a/3"))
    booked = await desk.value("SELECT count(*) FROM llm_uses")
    written = await desk.all("SELECT link_id, updated_at FROM processed_content ORDER BY link_id")
    clock.advance(hours=1)
    for fate in (cached, plain):
        await links.retry_link(services, CONSOLE, fate.link.id)
    counts = await desk.read()
    assert counts == {"completed": 2}
    assert await desk.value("SELECT count(*) FROM llm_uses") == booked
    assert await desk.all("SELECT link_id, updated_at FROM processed_content ORDER BY link_id") == written


async def test_what_was_read_stays_when_its_page_is_gone(desk, services, web, web_pages):
    (fate,) = await desk.add_and_read(web.url("/fading/3"))
    await links.retry_link(services, CONSOLE, fate.link.id)
    stories = await articles.find_articles(services, CONSOLE, StoryFilter())
    assert [article.id for article in stories.page.items] == [fate.link.id], "it is here while it is read again"
    await desk.read()
    again = await desk.fate(web.url("/fading/3"))
    assert (again.status, again.link.cause) == ("completed", "gone")
    assert "The article from an earlier visit is kept" in again.sentence
    stories = await articles.find_articles(services, CONSOLE, StoryFilter())
    assert (stories.total, stories.page.items[0].title) == (1, web_pages.title_of(3))


async def test_a_link_that_ends_on_the_front_page_is_gone(desk, web):
    (fate,) = await desk.add_and_read(web.url("/astray/3"))
    assert (fate.status, fate.link.cause) == ("failed", "gone")
    assert "redirects to the home page" in fate.sentence


async def test_a_page_that_comes_in_late_lifts_no_block_of_a_person(desk, services, web):
    async def block_meanwhile():
        await sites.block_site(services, CONSOLE, web.site(), reason="Too loud.", days=3)

    web.meanwhile = block_meanwhile
    (fate,) = await desk.add_and_read(web.url("/meanwhile/3"))
    assert fate.status == "completed"
    assert [block.reason for block in (await sites.list_blocked_sites(services)).items] == ["Too loud."]


async def test_two_workers_never_take_one_link(desk, web):
    await desk.add(*(web.url(f"/a/{n}") for n in range(20)))
    first, second = await asyncio.gather(desk.read("one/1"), desk.read("other/1"))
    assert first.total() + second.total() == 20
    assert all(web.hits[f"127.0.0.1/a/{n}"] == 1 for n in range(20))


async def test_all_workers_together_ask_no_more_of_a_site_at_once_than_is_set(desk, services, web):
    web.meanwhile = functools.partial(asyncio.sleep, 0.05)
    await desk.add(*(web.url(f"/meanwhile/{n}") for n in range(24)))
    await asyncio.gather(desk.read("one/1"), desk.read("other/1"))
    assert (await links.count_links_by_status(services)).completed == 24
    assert 1 < web.most_at_once["127.0.0.1"] <= services.settings.news_per_site


async def test_many_links_are_read_again_at_once(desk, services, web):
    await desk.add_and_read(web.url("/empty/1"), *(web.url(f"/status/404/{n}") for n in range(3)))
    assert await links.retry_links(services, CONSOLE, cause="gone") == 3
    waiting = await links.list_links(services, links.LinkFilter(status=LinkStatus.PENDING))
    assert {link.attempts for link in waiting.items} == {0}
    assert await desk.read() == {"failed": 3}
    with pytest.raises(InputError, match="failed and blocked"):
        await links.retry_links(services, CONSOLE, status=LinkStatus.COMPLETED)


async def test_a_site_is_asked_at_its_own_pace(desk, services, web):
    web.robots = "User-agent: *\nCrawl-delay: 2\n"
    await desk.add(*(web.url(f"/a/{n}") for n in range(3)))
    await desk.read()
    assert sum(web.hits[f"127.0.0.1/a/{n}"] for n in range(3)) <= 2
    (domain,) = (await sites.list_domains(services)).items
    assert (domain.delay_ms, domain.waiting >= 1) == (2000, True)


async def test_rules_leave_out_and_tag_unless_they_are_switched_off(desk, services, web):
    large = RuleFields(name="Power", action=RuleAction.TAG, query="megawatts OR 兆瓦", tag="Large")
    resting = RuleFields(name="Resting", action=RuleAction.EXCLUDE, query="megawatts", is_active=False)
    for rule in (RuleFields(name="No Malay", action=RuleAction.EXCLUDE, query="lang:ms"), large, resting):
        await rules.add_rule(services, CONSOLE, rule)
    english, malay = await desk.add_and_read(web.url("/a/3"), web.url("/a/5"))
    assert (malay.status, malay.link.cause) == ("blocked", "rule")
    assert "No Malay" in malay.sentence
    assert "Large" in (await articles.get_article(services, english.link.id)).tags


async def test_the_fate_of_an_address_nobody_knows_is_told_too(desk):
    fate = await desk.fate("https://example.org/never-seen")
    assert (fate.status, fate.link) == ("unknown", None)
    assert fate.sentence == "No task has found this address, and nobody has added it."

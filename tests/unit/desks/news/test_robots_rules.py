"""robots.txt as RFC 9309 has it."""

import pytest

from almanac.desks.news.model.robots import read_robots

RULES = """
User-agent: Almanac
Disallow: /private/
Allow: /private/press
Disallow: /*.pdf$
Crawl-delay: 2.5

User-agent: *
User-agent: Other
Disallow: /
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/news", True), ("/private/a", False), ("/private/press/1", True), ("/a.pdf", False), ("/a.pdf?x=1", True),
     ("/robots.txt", True), ("/%70rivate/a", False)],
)  # fmt: skip
def test_the_longest_rule_of_our_own_group_decides(path, allowed):
    assert read_robots(RULES, "Almanac/1.0").allows(f"https://example.com{path}") is allowed


def test_others_get_the_rules_for_everybody():
    assert not read_robots(RULES, "Somebody").allows("https://example.com/news")
    assert read_robots(RULES, "Almanac").delay == 2.5


@pytest.mark.parametrize("text", ["", "<html>404</html>", "Disallow: /", "User-agent: *\nDisallow:", "\x00\xff"])
def test_where_nothing_is_forbidden_everything_is_allowed(text):
    assert read_robots(text, "Almanac").allows("https://example.com/a")


def test_a_delay_is_bounded_and_nonsense_is_none():
    assert read_robots("User-agent: *\nCrawl-delay: 86400", "A").delay == 60
    assert read_robots("User-agent: *\nCrawl-delay: soon", "A").delay is None

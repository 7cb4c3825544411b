"""robots.txt as RFC 9309 has it."""

import pytest

from almanac.desks.news.pipeline.robots import parse_robots

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
    [
        ("/news", True),
        ("/private/a", False),
        ("/private/press/1", True),
        ("/a.pdf", False),
        ("/a.pdf?x=1", True),
        ("/robots.txt", True),
        ("/%70rivate/a", False),
    ],
)
def test_the_longest_rule_of_our_own_group_decides(path, allowed):
    assert parse_robots(RULES, "Almanac/1.0").allows(f"https://example.com{path}") is allowed


def test_others_get_the_rules_for_everybody():
    assert not parse_robots(RULES, "Somebody").allows("https://example.com/news")
    assert parse_robots(RULES, "Almanac").delay == 2.5


@pytest.mark.parametrize("text", ["", "<html>404</html>", "Disallow: /", "User-agent: *\nDisallow:", "\x00\xff"])
def test_where_nothing_is_forbidden_everything_is_allowed(text):
    assert parse_robots(text, "Almanac").allows("https://example.com/a")


def test_a_delay_is_bounded_and_nonsense_is_none():
    assert parse_robots("User-agent: *\nCrawl-delay: 86400", "A").delay == 60
    assert parse_robots("User-agent: *\nCrawl-delay: soon", "A").delay is None


@pytest.mark.parametrize(
    ("named", "is_meant"),
    [("Almanac", True), ("ALMANAC/2.0", True), ("almanac 1", True), ("man", False), ("AlmanacImages", False)],
)
def test_a_group_is_meant_for_whom_it_names_in_full(named, is_meant):
    rules = parse_robots(f"User-agent: {named}\nDisallow: /", "Almanac/1.0")
    assert rules.allows("https://example.com/a") is not is_meant


@pytest.mark.parametrize(
    ("rule", "path", "allowed"),
    [
        ("/a%2Fb", "/a/b", True),
        ("/a/b", "/a%2fb", True),
        ("/a%2fb", "/a%2Fb", False),
        ("/a%2Ab", "/axb", True),
        ("/%7ejoe", "/~joe", False),
        ("/ツ", "/%e3%83%84", False),
        ("/%E3%83%84", "/ツ", False),
        ("/%e4x", "/%E4x", False),
        ("/a*b*c", "/axbxcd", False),
        ("/a*b$", "/abxb", False),
        ("/ab*b$", "/ab", True),
        ("/a*$", "/abc", False),
    ],
)
def test_escapes_and_stars_mean_what_the_standard_says(rule, path, allowed):
    assert parse_robots(f"User-agent: *\nDisallow: {rule}", "A").allows(f"https://example.com{path}") is allowed


def test_a_rule_of_many_stars_is_read_at_once():
    rules = parse_robots("User-agent: *\nDisallow: /" + "*a" * 100 + "$", "A")
    assert rules.allows("https://example.com/" + "a" * 1000 + "b")


def test_a_delay_that_is_no_number_is_none():
    assert parse_robots("User-agent: *\nCrawl-delay: nan", "A").delay is None

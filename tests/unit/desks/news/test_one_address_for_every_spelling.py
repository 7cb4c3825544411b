"""Addresses of one page have one spelling; addresses of two pages have two."""

import pytest

from almanac.desks.news.model.canonical_urls import (
    canonical_url,
    other_urls,
    trusted_canonical_url,
    url_domain,
    url_hash,
)
from almanac.errors import InputError

PLAIN = "https://example.com/news/solar-farm"
SAME = [
    ("http://example.com/news/solar-farm", PLAIN),
    ("HTTPS://WWW.Example.COM/news/solar-farm", PLAIN),
    ("https://m.example.com/news/solar-farm", PLAIN),
    ("https://mobile.example.com/news/solar-farm/", PLAIN),
    ("https://amp.example.com/news/solar-farm", PLAIN),
    ("https://www.m.example.com/news/solar-farm", PLAIN),
    ("https://example.com:443/news/solar-farm", PLAIN),
    ("http://example.com:80/news/solar-farm", PLAIN),
    ("https://reader:secret@example.com/news/solar-farm", PLAIN),
    ("https://example.com./news/solar-farm", PLAIN),
    ("https://example.com/news/solar-farm?utm_source=rss&utm_medium=feed&utm_campaign=x", PLAIN),
    ("https://example.com/news/solar-farm?fbclid=1&gclid=2&mc_cid=3&igshid=4&msclkid=5", PLAIN),
    ("https://example.com/news/solar-farm?ref=home&ref_src=twsrc&source=twitter", PLAIN),
    ("https://example.com/news/solar-farm#comments", PLAIN),
    ("https://example.com/news/solar-farm#:~:text=solar", PLAIN),
    ("https://example.com/news/solar-farm/amp", PLAIN),
    ("https://example.com/news/solar-farm/amp/", PLAIN),
    ("https://example.com/amp/news/solar-farm", PLAIN),
    ("https://example.com/news/solar-farm?amp=1", PLAIN),
    ("https://example.com/news/solar-farm?amp", PLAIN),
    ("https://example.com/news/solar-farm?outputType=amp", PLAIN),
    ("https://www.google.com/amp/s/example.com/news/solar-farm", PLAIN),
    ("https://www.google.com.my/amp/s/www.example.com/news/solar-farm/amp", PLAIN),
    ("https://example-com.cdn.ampproject.org/c/s/example.com/news/solar-farm?amp_js_v=0.1", PLAIN),
    ("https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fnews%2Fsolar-farm&sa=U", PLAIN),
    ("https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Fnews%2Fsolar-farm&h=AT0", PLAIN),
    ("https://example.com//news///solar-farm", PLAIN),
    ("https://example.com/news/./old/../solar-farm", PLAIN),
    ("https://example.com/news/solar%2Dfarm", PLAIN),
    ("https://example.com/news/solar-farm;jsessionid=0A1B", PLAIN),
    ("  https://example.com/news/solar-\nfarm ", PLAIN),
    ("//example.com/news/solar-farm", PLAIN),
    ("example.com/news/solar-farm", PLAIN),
    ("https://example.com/a?b=2&a=1", "https://example.com/a?a=1&b=2"),
    ("https://example.com/a?q=solar+farm", "https://example.com/a?q=solar%20farm"),
    ("https://example.com/a?q=%e5%a4%aa", "https://example.com/a?q=太"),
    ("https://example.com/a?x=&utm_id=3", "https://example.com/a?x"),
    ("https://example.com/a?x=1&amp;y=2", "https://example.com/a?x=1&y=2"),
    ("https://example.com/berita/caf%c3%a9", "https://example.com/berita/café"),
    ("https://例子.com/新闻", "https://xn--fsqu00a.com/%E6%96%B0%E9%97%BB"),
    ("https://example.com/index.html", "https://example.com"),
    ("https://example.com/section/index.php?id=3", "https://example.com/section?id=3"),
    ("https://example.com/story.amp.html", "https://example.com/story.html"),
    ("https://en.m.wikipedia.org/wiki/Solar_power", "https://en.wikipedia.org/wiki/Solar_power"),
    ("https://blog.example.org/2026/03/post.html?m=1", "https://blog.example.org/2026/03/post.html"),
    ("https://m.thestar.com.my/news/2026/03/01/solar", "https://www.thestar.com.my/news/2026/03/01/solar"),
]
DIFFERENT = [
    ("https://example.com/news?id=1", "https://example.com/news?id=2"),
    ("https://example.com/News", "https://example.com/news"),
    ("https://news.example.com/a", "https://example.com/a"),
    ("https://example.com/a?page=1", "https://example.com/a?page=2"),
    ("https://example.com/a%2Fb", "https://example.com/a/b"),
    ("https://example.com/#!/news/1", "https://example.com/#!/news/2"),
    ("https://example.com/#/news/1", "https://example.com/#/news/2"),
    ("https://example.com:8080/a", "https://example.com/a"),
    ("https://example.com/a?source=42", "https://example.com/a?source=43"),
    ("https://m.co.uk/a", "https://mobile.co.uk/a"),
    ("https://example.com/example", "https://example.com/ex"),
    ("https://example.com/lamp", "https://example.com/l"),
    ("https://example.com/camp/amplify", "https://example.com/camp"),
    ("https://example.org/a", "https://example.com/a"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_correctionss_of_one_page_are_one(first, second):
    assert canonical_url(first) == canonical_url(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_two_pages_are_two(first, second):
    assert canonical_url(first) != canonical_url(second)


@pytest.mark.parametrize("url", [url for pair in SAME + DIFFERENT for url in pair])
def test_what_is_canonical_stays_so(url):
    assert canonical_url(canonical_url(url)) == canonical_url(url)


NO_ADDRESSES = [
    "",
    "mailto:a@example.com",
    "javascript:alert(1)",
    "https://",
    "ftp://example.com/a",
    "https://exa mple.com/a",
    "https://example.com:99999/",
    "https://[::1/",
    "x" * 3000,
]


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_what_is_no_web_address_is_refused_with_a_sentence(url):
    with pytest.raises(InputError) as refusal:
        canonical_url(url)
    assert refusal.value.sentence.endswith(".")


def test_the_hash_is_the_sha_256_of_the_canonical_address():
    assert url_hash("https://example.com/") == "0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7"


def test_a_domain_has_its_special_port_and_no_www():
    assert url_domain("https://www.Example.com/a") == "example.com"
    assert url_domain("http://127.0.0.1:8080/a") == "127.0.0.1:8080"
    assert url_domain("https://m.example.com/") == "m.example.com"


def test_a_page_is_believed_about_itself_on_its_own_site():
    page = "https://www.example.com/a?id=3"
    assert trusted_canonical_url("/story/3", page) == "https://example.com/story/3"
    assert trusted_canonical_url("https://news.example.com/story/3", page) == "https://news.example.com/story/3"
    assert trusted_canonical_url("https://elsewhere.org/story/3", page) is None
    assert trusted_canonical_url("/", page) is None
    assert trusted_canonical_url("http://[", page) is None


def test_a_redirect_to_the_front_page_is_no_identity():
    assert other_urls("https://example.com/old", final="https://example.com/", stated=None) == []
    assert other_urls("https://example.com/old", final="https://example.com/new", stated="/newest") == [
        "https://example.com/new",
        "https://example.com/newest",
    ]

"""A second set of addresses, written without a look at the rules: what is one page, and what only seems to be."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.desks.news.model.canonical_urls import canonical_url, canonical_url_and_domain, url_hash
from almanac.errors import InputError

SAME = [
    ("http://example.com/a", "https://example.com/a"),
    ("https://EXAMPLE.com/A", "https://example.com/A"),
    ("https://example.com:443/a", "http://example.com:80/a"),
    ("https://example.com/a?b=1&a=2", "https://example.com/a?a=2&b=1"),
    ("https://example.com/a?", "https://example.com/a"),
    ("https://example.com/a#section-2", "https://example.com/a"),
    ("https://example.com/a#:~:text=hello", "https://example.com/a"),
    ("https://www.example.co.uk/x", "https://m.example.co.uk/x"),
    ("https://example.com/a/./b/../c", "https://example.com/a/c"),
    ("https://example.com/%7Euser/", "https://example.com/~user"),
    ("https://example.com/caf%c3%a9", "https://example.com/caf%C3%A9"),
    ("https://example.com/café", "https://example.com/caf%C3%A9"),
    ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
    ("https://example.com./a", "https://example.com/a"),
    ("https://example.com/story/amp", "https://example.com/story"),
    ("https://example.com/story/amp/", "https://example.com/story/"),
    ("https://example.com/amp/story", "https://example.com/story"),
    ("https://amp.example.com/story", "https://www.example.com/story"),
    ("https://example.com/story.amp.html", "https://example.com/story.html"),
    ("https://example.com/story?outputType=amp", "https://example.com/story"),
    ("https://www-example-com.cdn.ampproject.org/c/s/www.example.com/story", "https://example.com/story"),
    ("https://www.google.com/amp/s/www.example.com/story", "https://example.com/story"),
    ("https://www.google.com/url?q=https://example.com/story&sa=D", "https://example.com/story"),
    ("https://example.com/a?utm_source=x&UTM_Medium=y", "https://example.com/a"),
    ("https://example.com/a?fbclid=abc", "https://example.com/a"),
    ("https://example.com/a?id=5&gclid=abc&mc_cid=1", "https://example.com/a?id=5"),
    ("https://example.com/a?id=5&_ga=2.3", "https://example.com/a?id=5"),
    ("https://example.com//a///b", "https://example.com/a/b"),
    ("https://example.com/index.html", "https://example.com/"),
    ("https://example.com/news/index.php?id=3", "https://example.com/news/?id=3"),
    ("https://user:pw@example.com/a", "https://example.com/a"),
    ("  https://example.com/a\n", "https://example.com/a"),
    ("https://example.com/a?q=hello+world", "https://example.com/a?q=hello%20world"),
    ("https://example.com/a?q=%E4%B8%AD", "https://example.com/a?q=中"),
    ("https://example.com/a;jsessionid=AB12", "https://example.com/a"),
    ("https://example.com/a?PHPSESSID=deadbeef", "https://example.com/a"),
    ("//example.com/a", "https://example.com/a"),
    ("example.com/a", "https://example.com/a"),
    ("https://example.com/a?id=5&amp;page=2", "https://example.com/a?id=5&page=2"),
    ("https://mobile.example.com/a", "https://example.com/a"),
    ("https://en.m.example.org/wiki/X", "https://en.example.org/wiki/X"),
    ("https://example.com/a?ref=homepage", "https://example.com/a"),
    ("https://example.com/a?from=rss", "https://example.com/a"),
    ("https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Fa&h=AT0", "https://example.com/a"),
    ("https://example.com/a?amp=1", "https://example.com/a"),
    ("https://example.com/a?a=1&a=1", "https://example.com/a?a=1"),
    ("HTTPS://Example.COM/a", "https://example.com/a"),
    ("https://example.com/a%2Fb?x=1", "https://example.com/a%2fb?x=1"),
    ("https://example.com/a?x=", "https://example.com/a?x"),
    ("https://example.com/a?&x=1&&", "https://example.com/a?x=1"),
    ("https://example.com/print/story-1?print=1", "https://example.com/print/story-1"),
    ("https://example.com/story-1?print=true", "https://example.com/story-1"),
    ("https://t.example.com/a?share=twitter", "https://t.example.com/a"),
    ("https://example.com/a?xtor=RSS-3208", "https://example.com/a"),
    ("https://example.com/a?cmpid=x", "https://example.com/a"),
    ("https://example.com:8443/a/", "https://example.com:8443/a"),
    ("https://example.com/a.html?spm=1.2", "https://example.com/a.html"),
    ("https://example.com/a?mod=rss&utm_id=9", "https://example.com/a?mod=rss"),
    ("https://example.com/a?ICID=x", "https://example.com/a"),
    ("https://wap.example.com.my/a", "https://www.example.com.my/a"),
    ("https://out.reddit.com/t3_x?url=https%3A%2F%2Fexample.com%2Fa", "https://example.com/a"),
    ("https://example.com/2026/11/a/?replytocom=55", "https://example.com/2026/11/a"),
    ("https://news.google.com/../../example", "https://news.google.com/example"),
    ("http://example.com/a?b[]=1&b[]=2", "https://example.com/a?b%5B%5D=1&b%5B%5D=2"),
    ("https://example.com/a?url=https%3A%2F%2Fb.com%2F%3Fx", "https://example.com/a?url=https://b.com/?x"),
    ("https://example.com/%E4%B8%AD%E6%96%87/", "https://example.com/中文"),
    ("https://exämple.com/ä", "https://xn--exmple-cua.com/%C3%A4"),
    ("https://example.com/a?gad_source=1&gad_campaignid=12", "https://example.com/a"),
    ("https://example.com/a?ysclid=m1&id=2", "https://example.com/a?id=2"),
    ("https://example.com/a?spm=a2c.1&spm_id_from=333", "https://example.com/a"),
    ("https://example.com/a?cx_testId=1&trkInfo=x&tt_medium=y", "https://example.com/a"),
    ("https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.com%2Fa", "https://example.com/a"),
    ("https://l.instagram.com/?u=https%3A%2F%2Fexample.com%2Fa&e=x", "https://example.com/a"),
    (
        "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Fa&data=x",
        "https://example.com/a",
    ),
    ("https://www.google.com.my/url?sa=t&url=https%3A%2F%2Fexample.com%2Fa", "https://example.com/a"),
    ("https://3g.example.cn/a", "https://www.example.cn/a"),
    ("https://example.com/a\u200b", "https://example.com/a"),
    ("\ufeffhttps://example.com/a", "https://example.com/a"),
    ("<https://example.com/a>", "https://example.com/a"),
    ("https://example.com/it%27s-(a)", "https://example.com/it's-%28a%29"),
    ("https://example.com/story/amp/amp", "https://example.com/story"),
    ("https://straße.example/x", "https://xn--strae-oqa.example/x"),
    ("https://cafe\u0301.example/x", "https://caf\u00e9.example/x"),
    ("https://example.com/cafe\u0301", "https://example.com/caf\u00e9"),
    ("https://example.com/cafe%CC%81/%ff", "https://example.com/caf%C3%A9/%FF"),
    ("https://example.com/a?q=cafe%cc%81", "https://example.com/a?q=caf%C3%A9"),
    ("https://example.com/#!/a\ud800", "https://example.com/#!/a"),
]
DIFFERENT = [
    ("https://example.com/a", "https://example.com/b"),
    ("https://example.com/A", "https://example.com/a"),
    ("https://example.com/a?id=1", "https://example.com/a?id=2"),
    ("https://example.com/a", "https://example.org/a"),
    ("https://blog.example.com/a", "https://example.com/a"),
    ("https://example.com/a?page=1", "https://example.com/a?page=2"),
    ("https://example.com/a/b", "https://example.com/a%2Fb"),
    ("https://example.com:8080/a", "https://example.com/a"),
    ("https://example.com/a?x=1&x=2", "https://example.com/a?x=2&x=1"),
    ("https://example.com/camp", "https://example.com/c"),
    ("https://example.com/ampersand", "https://example.com/ersand"),
    ("https://example.com/news/amp-news-1", "https://example.com/news/news-1"),
    ("https://example.com/#!/a", "https://example.com/#!/b"),
    ("https://example.com/index.html?id=1", "https://example.com/?id=2"),
    ("https://m.com/a", "https://com/a"),
    ("https://www.com/a", "https://com/a"),
    ("https://example.com/a.html", "https://example.com/a"),
    ("https://example.com/story?lang=en", "https://example.com/story?lang=ms"),
    ("https://example.com/watch?v=abc", "https://example.com/watch?v=abd"),
    ("https://example.com/a?source=reuters", "https://example.com/a?source=bernama"),
    ("https://a.blogspot.com/x", "https://b.blogspot.com/x"),
    ("https://m.a.example.com/x", "https://b.example.com/x"),
    ("https://example.com/a?c=%26d%3D1", "https://example.com/a?c=&d=1"),
    ("https://example.com/%2525", "https://example.com/%25"),
    ("https://example.com/a+b", "https://example.com/a%20b"),
    ("https://example.com/a?q=a%2Bb", "https://example.com/a?q=a+b"),
    ("https://m.co.uk/a", "https://co.uk/a"),
    ("https://example.com/a?type=news", "https://example.com/a?type=sport"),
    ("https://example.com/amp/", "https://example.com/camp/"),
    ("https://example.com/a?ID=5", "https://example.com/a?ID=6"),
    ("https://google.com/search?q=a", "https://google.com/search?q=b"),
    ("https://example.com/a?m=202611", "https://example.com/a?m=202612"),
    ("https://example.com/?p=11", "https://example.com/?p=12"),
    ("https://example.com/a?at_id=3", "https://example.com/a"),
    ("https://example.com/a?feature=solar", "https://example.com/a?feature=wind"),
    ("https://example.com/a?partner=5", "https://example.com/a?partner=6"),
    ("https://example.com/a?share=15", "https://example.com/a?share=16"),
    ("https://example.com/stocks?campaign=3", "https://example.com/stocks?campaign=4"),
    ("https://example.com/gallery?si=3", "https://example.com/gallery?si=4"),
    ("https://example.com/a?ns_id=3", "https://example.com/a?ns_id=4"),
    ("https://example.com/view?assetid=1", "https://example.com/view?assetid=2"),
    ("https://example.com/doc?xid=77", "https://example.com/doc?xid=78"),
    ("https://notgoogle.com/url?q=https://example.com/a", "https://example.com/a"),
    ("https://google.com.example.net/url?q=https://example.com/a", "https://example.com/a"),
    ("https://en.example.org/wiki/AMP", "https://en.example.org/wiki"),
    ("https://example.com/tag/amp", "https://example.com/tag"),
    ("https://example.com/a?spmode=1", "https://example.com/a?spmode=2"),
    ("https://example.com/a?cmp=12", "https://example.com/a?cmp=13"),
    ("https://straße.example/x", "https://strasse.example/x"),
    ("https://example.com/caf%C3%A9", "https://example.com/cafe"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_other_spellings_are_the_same_page(first, second):
    assert canonical_url(first) == canonical_url(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_only_looks_alike_is_another_page(first, second):
    assert canonical_url(first) != canonical_url(second)


@pytest.mark.parametrize("address", sorted({url for pair in SAME + DIFFERENT for url in pair}))
def test_the_one_spelling_stays_as_it_is(address):
    assert canonical_url(canonical_url(address)) == canonical_url(address)


@pytest.mark.parametrize("address", ["tel:123", "TEL:60312345", "mailto:1@example.com", "sms:123", "urn:1"])
def test_what_leads_to_no_page_is_no_host_with_a_port(address):
    with pytest.raises(InputError, match="http://"):
        canonical_url(address)


@pytest.mark.parametrize("host", ["a" * 254, "a." * 127 + "b", "ä" * 240, "a" * 251 + ":8080"])
def test_a_host_longer_than_any_name_is_refused(host):
    with pytest.raises(InputError):
        canonical_url_and_domain(f"https://{host}/x")


def test_a_host_may_have_its_port_without_a_scheme():
    assert canonical_url("localhost:8080/a") == "https://localhost:8080/a"


@given(st.text(st.characters(codec=None), max_size=60))
def test_no_text_breaks_the_rules(text):
    for address in (text, f"https://{text}", f"https://example.com/{text}"):
        with suppress(InputError):
            canonical, domain = canonical_url_and_domain(address)
            assert (len(url_hash(canonical)), len(domain) < 256) == (64, True)


@pytest.mark.parametrize("address", ["http://.../", "http://.com/", "http://a..b/x", "http://-/", "https:///a"])
def test_a_host_without_a_name_is_refused(address):
    with pytest.raises(InputError):
        canonical_url(address)

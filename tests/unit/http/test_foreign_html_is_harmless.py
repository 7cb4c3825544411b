import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import fragment_fromstring

from almanac.http.clean_html import clean_html

PROBES = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<body onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt&#58;alert(1)'>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='&#x6A;avascript:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='//evil.example' target=_top onclick=alert(1)>x</a>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='javascript:alert(1)'></object>",
    "<embed src='javascript:alert(1)'>",
    "<form action='/jobs/retry' method=post><button>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<base href='//evil.example/'>",
    "<link rel=stylesheet href='//evil.example/x.css'>",
    "<style>@import '//evil.example/x.css';</style>",
    "<p style='background:url(javascript:alert(1))'>x</p>",
    "<p style='position:fixed;inset:0'>x</p>",
    "<div id=job-state hx-get=/account hx-trigger=load>x</div>",
    "<div data-hx-post=/jobs/retry>x</div>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<video><source onerror=alert(1)></video>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<!--><script>alert(1)</script>-->",
    "<textarea></textarea><script>alert(1)</script>",
    "<title><img src=x onerror=alert(1)></title>",
    "<p title='\"><script>alert(1)</script>'>x</p>",
    "\x00<script>alert(1)</script>",
    "<<script>script>alert(1)<</script>/script>",
]  # fmt: skip
FORBIDDEN = set("script style iframe object embed img svg math form input link meta base video template".split())
ALLOWED = {"href", "title", "lang", "dir", "span", "start", "colspan", "rowspan", "scope", "datetime", "rel"}


def dangers_in(html):
    """Elements and attributes that a browser would find in the result and that must not be there."""
    found = []
    for element in fragment_fromstring(str(html), create_parent="div").iter():
        if not isinstance(element.tag, str):
            found.append("a comment")
            continue
        if element.tag in FORBIDDEN:
            found.append(element.tag)
        found += [name for name in element.attrib if name not in ALLOWED]
        if not re.match(r"(?:https?:|mailto:|[^:]*$)", element.get("href", "").strip(), re.IGNORECASE):
            found.append(element.get("href"))
    return found


@pytest.mark.parametrize("probe", PROBES)
def test_nothing_that_acts_survives(probe):
    assert dangers_in(clean_html(probe)) == []


@given(st.lists(st.sampled_from([*PROBES, "<p>", "</p>", "<!--", "-->", "'", '"', "<", ">", "&lt;", "x"]), max_size=8))
def test_no_mixture_of_probes_survives(pieces):
    assert dangers_in(clean_html("".join(pieces))) == []


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_text_comes_out_harmless(text):
    assert dangers_in(clean_html(text)) == []


def test_what_readers_need_stays():
    html = "<h2>Rain</h2><p lang=ms>Hujan <em>lebat</em></p><ul><li>One</li></ul><table><tr><td>1</td></tr></table>"
    assert fragment_fromstring(str(clean_html(html)), create_parent="div").text_content() == "RainHujan lebatOne1"
    assert "<em>lebat</em>" in clean_html(html)


def test_links_tell_their_target_nothing():
    assert clean_html('<a href="https://example.org/">x</a>') == (
        '<a href="https://example.org/" rel="noopener noreferrer nofollow">x</a>'
    )


def test_the_words_of_a_dropped_element_stay_unless_it_holds_none_for_readers():
    assert clean_html("<center>kept</center><script>dropped</script>") == "kept"

"""Foreign HTML made safe to show on our pages: a short list of harmless elements passes, everything else is dropped."""

import nh3
from markupsafe import Markup

_TAGS = set(
    "a abbr b blockquote br caption cite code col colgroup dd del dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 "
    "hr i ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub sup table tbody td tfoot th thead time tr "
    "u ul var".split()
)
_ATTRIBUTES = {
    "*": {"lang", "dir"},
    "a": {"href", "title"},
    "abbr": {"title"},
    "col": {"span"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
}  # fmt: skip
# What stands inside these is no text for readers, so it goes with them.
_WITH_CONTENT = set("script style noscript template iframe object svg math textarea title xmp".split())


def clean_html(html: str) -> Markup:
    """The HTML without anything that acts, loads, looks like ours or leads elsewhere than to http, https or mail.

    Links open without telling the target where the reader came from. The result needs no escaping.
    """
    cleaned = nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_WITH_CONTENT,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )
    return Markup(cleaned)  # noqa: S704 - this is the one place that declares foreign HTML safe, after cleaning it

"""Takes off a page what surrounds its article: hidden words, comments, notices about cookies, teasers of other pages.

What is left is read by others; menus and footers are known by their elements, which the readers leave out themselves.
"""

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import SplitResult, urljoin, urlsplit

from almanac.documents.chunker import word_weight
from almanac.documents.html import HtmlTree
from almanac.language.boilerplate import find_instructions, is_byline

_NEVER_SHOWN = ("script", "style", "noscript", "template", "svg", "math", "canvas", "iframe", "object")
_PAGE_ITSELF = frozenset({"html", "body", "main", "article"})
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_COMMENTS = re.compile(
    r"(?:^|[\s_-])comments(?:$|[\s_-])|(?:^|\s)(?:comment(?:[_-]?(?:list|section|area|thread))?|respond)(?:$|\s)|disqus",
    re.IGNORECASE,
)
_CONSENT = re.compile(r"cookie|consent|gdpr|onetrust|didomi", re.IGNORECASE)
_LONGEST_NOTICE = 600
_LONGEST_HIDDEN = 5_000
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_ENTRIES = ("li", "div", "section", "tr", "dd")
_FEWEST_TEASERS, _LONGEST_TEASER, _FEWEST_WORDS_OF_LINK = 4, 80, 3


def strip_boilerplate(tree: HtmlTree, url: str) -> None:
    """Remove from a tree what no reader takes for the article."""
    _drop(tree.iter(*_NEVER_SHOWN))
    _drop(element for element in tree.iter() if _is_hidden(element) or _is_beside(element))
    _drop(header for header in tree.iter("header") if not _within(header, "article", "main") and _has_no_title(header))
    _drop(title for title in tree.iter("h1") if _leads_home(title, url) or is_byline(title.text_content()))
    _drop(_teasers(tree, url))


def find_hidden_instructions(tree: HtmlTree) -> tuple[str, ...]:
    """Sentences addressed to machines in what a visitor doesn't see. To be asked before that is taken off."""
    hidden = (element for element in tree.iter() if _is_hidden(element))
    texts = (text for element in hidden if len(text := element.text_content()) <= _LONGEST_HIDDEN)
    return tuple(dict.fromkeys(sentence for text in texts for sentence in find_instructions(text)))


def _drop(elements: Iterator[HtmlTree]) -> None:
    for element in list(elements):
        if element.getparent() is not None:
            element.drop_tree()


def _is_hidden(element: HtmlTree) -> bool:
    """Scripts of some sites show the page itself once it has loaded, so that is never hidden."""
    if not isinstance(element.tag, str) or element.tag in _PAGE_ITSELF:
        return False
    if element.get("hidden") is not None or _HIDING.search(element.get("style") or ""):
        return True
    return str(element.get("aria-hidden")).lower() == "true" and _has_no_title(element)


def _is_beside(element: HtmlTree) -> bool:
    if not isinstance(element.tag, str) or element.tag in _PAGE_ITSELF:
        return False
    named = f"{element.get('id') or ''} {element.get('class') or ''}"
    if _COMMENTS.search(named):
        return _has_no_title(element)
    return (
        bool(_CONSENT.search(named))
        and _has_no_title(element)
        and word_weight(element.text_content()) <= _LONGEST_NOTICE
    )


def _has_no_title(element: HtmlTree) -> bool:
    return element.find(".//h1") is None and element.find(".//article") is None


def _within(element: HtmlTree, *tags: str) -> bool:
    return next(element.iterancestors(*tags), None) is not None


def _teasers(tree: HtmlTree, url: str) -> Iterator[HtmlTree]:
    """The parts of a page that tell of others: short, each with a heading or first words that lead to another page."""
    headings = [heading for heading in tree.iter(*_HEADINGS) if _leads_elsewhere(_link_of(heading), url)]
    if len(headings) >= _FEWEST_TEASERS:
        held = Counter(ancestor for heading in headings for ancestor in heading.iterancestors())
        for heading in headings:
            yield from _teaser(heading, held)
    cards = [card for card in tree.iter("article") if _has_no_title(card) and _is_short(card)]
    if len(cards) >= _FEWEST_TEASERS:
        yield from cards
    for parent in tree.iter():
        entries = [child for child in parent.iterchildren(*_ENTRIES) if _begins_with_link(child, url)]
        if len(entries) > _FEWEST_TEASERS:
            yield from entries


def _begins_with_link(entry: HtmlTree, url: str) -> bool:
    link = entry.find(".//a[@href]")
    if not _leads_elsewhere(link, url) or not _is_short(entry):
        return False
    words, text = link.text_content().split(), "".join(entry.text_content().split())
    title = "".join(words)
    # After a link in the middle of a sentence this sentence goes on in small letters.
    goes_on = text[len(title) : len(title) + 1].islower()
    return len(words) >= _FEWEST_WORDS_OF_LINK and text.startswith(title) and not goes_on


def _link_of(heading: HtmlTree) -> HtmlTree | None:
    link = heading.find(".//a[@href]")
    return next(heading.iterancestors("a"), None) if link is None else link


def _leads_elsewhere(link: HtmlTree | None, url: str) -> bool:
    """Whether a link leads to another page of the same site."""
    here, there = urlsplit(url), _target(link, url)
    return there is not None and here.netloc == there.netloc and here.path != there.path


def _leads_home(title: HtmlTree, url: str) -> bool:
    """The name of the paper, which is no title of an article."""
    there = _target(title.find(".//a[@href]"), url)
    return there is not None and not there.path.strip("/") and bool(urlsplit(url).path.strip("/"))


def _target(link: HtmlTree | None, url: str) -> SplitResult | None:
    try:
        return None if link is None else urlsplit(urljoin(url, link.get("href") or ""))
    except ValueError:
        return None


def _teaser(heading: HtmlTree, held: Counter[HtmlTree]) -> Iterator[HtmlTree]:
    """What holds this heading and no other; where headings stand side by side, what follows until the next."""
    element = heading
    for ancestor in heading.iterancestors():
        if held[ancestor] > 1 or ancestor.tag in ("html", "body", "main"):
            break
        element = ancestor
    if not _is_short(element):
        return
    yield element
    if element is heading:
        for following in heading.itersiblings():
            if following.tag in ("h1", *_HEADINGS) or not _is_short(following):
                return
            yield following


def _is_short(element: HtmlTree) -> bool:
    return word_weight(element.text_content()) <= _LONGEST_TEASER

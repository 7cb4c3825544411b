"""Takes off a page what surrounds its article: hidden words, comments, notices about cookies, teasers of other pages.

What is left is read by others; menus and footers are known by their elements, which the readers leave out themselves.
"""

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from almanac.knowledge.reading.cutting import weigh
from almanac.knowledge.reading.markup import Tree

_NEVER_SHOWN = ("script", "style", "noscript", "template", "svg", "math", "canvas", "iframe", "object")
_PAGE_ITSELF = frozenset({"html", "body", "main", "article"})
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_COMMENTS = re.compile(r"(?:^|[\s_-])(?:comments?|disqus|respond)(?:$|[\s_-])|comment-?list", re.IGNORECASE)
_CONSENT = re.compile(r"cookie|consent|gdpr|onetrust|didomi", re.IGNORECASE)
_LONGEST_NOTICE = 600
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_FEWEST_TEASERS, _LONGEST_TEASER = 4, 80


def strip_surroundings(tree: Tree, url: str) -> None:
    """Remove from a tree what no reader takes for the article."""
    _drop(tree.iter(*_NEVER_SHOWN))
    _drop(element for element in tree.iter() if _is_hidden(element) or _is_beside(element))
    _drop(header for header in tree.iter("header") if not _within(header, "article", "main") and _has_no_title(header))
    _drop(_teasers(tree, url))


def _drop(elements: Iterator[Tree]) -> None:
    for element in list(elements):
        if element.getparent() is not None:
            element.drop_tree()


def _is_hidden(element: Tree) -> bool:
    """Scripts of some sites show the page itself once it has loaded, so that is never hidden."""
    if not isinstance(element.tag, str) or element.tag in _PAGE_ITSELF:
        return False
    if element.get("hidden") is not None or _HIDING.search(element.get("style") or ""):
        return True
    return str(element.get("aria-hidden")).lower() == "true" and _has_no_title(element)


def _is_beside(element: Tree) -> bool:
    if not isinstance(element.tag, str) or element.tag in _PAGE_ITSELF:
        return False
    named = f"{element.get('id') or ''} {element.get('class') or ''}"
    if _COMMENTS.search(named):
        return _has_no_title(element)
    return bool(_CONSENT.search(named)) and _has_no_title(element) and weigh(element.text_content()) <= _LONGEST_NOTICE


def _has_no_title(element: Tree) -> bool:
    return element.find(".//h1") is None and element.find(".//article") is None


def _within(element: Tree, *tags: str) -> bool:
    return next(element.iterancestors(*tags), None) is not None


def _teasers(tree: Tree, url: str) -> Iterator[Tree]:
    """The parts of a page that tell of others: short, each under a heading that leads to another page of the site."""
    headings = [heading for heading in tree.iter(*_HEADINGS) if _leads_elsewhere(heading, url)]
    if len(headings) >= _FEWEST_TEASERS:
        held = Counter(ancestor for heading in headings for ancestor in heading.iterancestors())
        for heading in headings:
            yield from _teaser(heading, held)
    cards = [card for card in tree.iter("article") if _has_no_title(card) and _is_short(card)]
    if len(cards) >= _FEWEST_TEASERS:
        yield from cards


def _leads_elsewhere(heading: Tree, url: str) -> bool:
    link = heading.find(".//a[@href]")
    if link is None:
        link = next(heading.iterancestors("a"), None)
    try:
        here, there = urlsplit(url), urlsplit(urljoin(url, link.get("href") or "") if link is not None else url)
    except ValueError:
        return False
    return here.netloc == there.netloc and here.path != there.path


def _teaser(heading: Tree, held: Counter[Tree]) -> Iterator[Tree]:
    """What holds this heading and no other; where headings stand side by side, what follows until the next."""
    whole = heading
    for ancestor in heading.iterancestors():
        if held[ancestor] > 1 or ancestor.tag in ("html", "body", "main"):
            break
        whole = ancestor
    if not _is_short(whole):
        return
    yield whole
    if whole is heading:
        for following in heading.itersiblings():
            if following.tag in ("h1", *_HEADINGS) or not _is_short(following):
                return
            yield following


def _is_short(element: Tree) -> bool:
    return weigh(element.text_content()) <= _LONGEST_TEASER

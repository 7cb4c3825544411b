"""Markup in the fields of every desk stays text on every page."""

import re
from urllib.parse import urldefrag, urljoin, urlsplit

import lxml.html
import pytest

MARK = "zqx"
HOSTILE = (
    f'"><script>alert("{MARK}")</script><img src=x onerror=alert("{MARK}")>'
    f"'><svg/onload=alert('{MARK}')><a href=\"javascript:alert('{MARK}')\">{{{{7*7}}}}</a>"
)
SHORT = f"<b onclick=a()>{MARK}</b>"
ADDRESSES = ("href", "src", "action", "formaction", "data", "poster", "xlink:href", "hx-get", "hx-post", "srcdoc")
MOST_PAGES = 400
# Leaving, and streams that have no end of their own, are no pages.
NOT_PAGES = re.compile(
    r"/live\b|/events$|/sign-out|\.pdf$|\.(xml|json|atom|rss|csv|eml|zip|docx|html)$|/files/|/metrics|/opml"
)


def faults(page):
    """What in a page would run something, or could only have come out of a text."""
    for element in page.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag == "script" and not element.get("src", "").startswith("/static/"):
            yield "a script that isn't ours"
        for name, value in element.attrib.items():
            if name.lower().startswith("on"):
                yield f"{element.tag} has {name}"
            if name in ADDRESSES and re.match(r"\s*(javascript|vbscript|data:text/html)", value, re.IGNORECASE):
                yield f"{element.tag} leads to {value[:40]}"
        if element.tag in ("iframe", "object", "embed", "base", "meta") and MARK in str(element.attrib):
            yield f"{element.tag} from a text"


def links(page, path):
    for element in page.iter("a", "form"):
        target = element.get("href") or (element.get("action") if element.get("method", "get") == "get" else None)
        if target and not urlsplit(target).netloc and not target.startswith(("javascript:", "mailto:")):
            yield urldefrag(urljoin(path, target))[0]


def shape(address):
    """Pages that differ in an id or in a query are looked at once."""
    path = re.sub(r"/[^/]*\d[^/]*(?=/|$)", "/*", urlsplit(address).path)
    return path, tuple(sorted(part.partition("=")[0] for part in urlsplit(address).query.split("&")))


MADE = [
    ("/api/v1/users", {"email": "hostile@example.org", "name": HOSTILE[:100]}),
    ("/api/v1/tokens", {"name": SHORT, "scopes": ["read"]}),
    ("/api/v1/newsletters", {"title": HOSTILE[:150]}),
    ("/api/v1/habits", {"name": SHORT, "description": HOSTILE[:200]}),
    ("/api/v1/habits/groups", {"name": SHORT}),
    ("/api/v1/saved-queries", {"name": SHORT, "query": MARK}),
    ("/api/v1/webhooks", {"url": "https://example.org/h", "description": SHORT, "events": ["approval.asked"]}),
    (
        "/api/v1/news/tasks",
        {
            "task_name": SHORT,
            "prompt_template": SHORT,
            "sources": [{"address": "https://example.org/f", "title": SHORT}],
        },
    ),
    ("/api/v1/news/rules", {"name": SHORT, "action": "exclude", "query": MARK}),
    ("/api/v1/news/links", {"urls": [f"https://example.org/?{SHORT}"]}),
    ("/api/v1/reminders/customers", {"customer_id": "c-1", "name": HOSTILE[:100], "notes": HOSTILE}),
    (
        "/api/v1/reminders/invoices",
        {"customer_id": "c-1", "number": SHORT, "amount": "12.50", "currency": "EUR", "due": "2026-01-02"},
    ),
    ("/api/v1/reminders/holds", {"customer_id": "c-1", "kind": "dispute", "note": HOSTILE}),
    (
        "/api/v1/reminders/templates",
        {"template_id": "hostile", "template_name": SHORT, "subject_template": SHORT, "body_template": SHORT * 9},
    ),
    ("/api/v1/mail/suppressions", {"email": "no@example.org", "reason": HOSTILE[:200]}),
]


@pytest.fixture
async def filled(admin):
    """An installation full of hostile words, put there by an administrator's own program."""
    headers = {"X-CSRF-Token": await admin.csrf()}
    for path, body in MADE:
        answer = await admin.http.post(path, json=body, headers=headers)
        assert answer.status_code < 300, f"{path}: {answer.text}"
    upload = {"file": (f"{SHORT}.txt", f"{HOSTILE} Rain fell. {HOSTILE}".encode(), "text/plain")}
    answer = await admin.http.post("/api/v1/knowledge", files=upload, data={"title": SHORT}, headers=headers)
    assert answer.status_code == 201, answer.text


@pytest.mark.usefixtures("filled")
async def test_no_page_runs_or_shows_markup_that_came_as_text(admin, ways):
    waiting = [way.path for way in ways if way.method == "GET" and not way.is_api and not way.parameters]
    waiting += [f"/search?q={MARK}", f"/nothing/{SHORT}", f"/sign-in?next=/{SHORT}", f"/search?q={SHORT}"]
    seen, shapes, result, marked = set(), set(), [], set()
    while waiting and len(seen) < MOST_PAGES:
        path = waiting.pop(0)
        kind = shape(path)
        if path in seen or NOT_PAGES.search(urlsplit(path).path) or kind in shapes:
            continue
        seen.add(path)
        shapes.add(kind)
        answer = await admin.get(path)
        assert answer.status_code < 500, f"{path}: {answer.status_code}"
        if not answer.headers.get("content-type", "").startswith("text/html") or not answer.text:
            continue
        page = lxml.html.document_fromstring(answer.text)
        result += [f"{path}: {fault}" for fault in faults(page)]
        if MARK in answer.text:
            marked.add(path)
        waiting += links(page, path)
    assert not result, "\n".join(result)
    assert len(marked) >= 20, sorted(marked)


def test_the_search_for_faults_finds_them():
    for text in (HOSTILE, SHORT):
        assert list(faults(lxml.html.document_fromstring(f"<body>{text}</body>")))
    assert not list(faults(lxml.html.document_fromstring("<body><script src='/static/a.js'></script><b>ok</b></body>")))

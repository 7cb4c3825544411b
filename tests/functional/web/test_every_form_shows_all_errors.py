"""Every form with required fields: sent empty, it comes back with each error in its summary, and nothing is lost.

The walk follows links from the pages without parameters, as the accessibility walk does, and sends each form that has a
required field with its required fields empty and its other fields filled.
"""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import DEMO, make_worker
from page_walk import PageWalk, list_page_routes

TYPED = "Typed by hand"
# Fields that take no words.
NO_WORDS = {"checkbox", "radio", "file", "submit"}
# Forms that answer otherwise, and why. A form that is mended must leave this list.
_ERROR_PAGE = "not mended yet: answers with a page without the form"
_NO_LINK = "not mended yet: the summary doesn't link to its fields"
EXCEPTIONS = {
    "/habits/rest-days": "no day means today",
    "/habits/settings": "its only required field is a list that always has a choice; nothing means midnight",
    "/habits/{}/done": "not mended yet: an empty amount leads back to the list without an error",
    "/mail/{}/settle": _ERROR_PAGE,
    "/news/feeds/opml": _ERROR_PAGE,
    "/news/queue/add": _ERROR_PAGE,
    "/newsletter/{}/outline/items": _NO_LINK,
    "/newsletter/{}/outline/paste": _NO_LINK,
    "/newsletter/{}/outline/sections": _NO_LINK,
    "/newsletter/{}/outline/sections/{}": _ERROR_PAGE,
    "/reminders/customers/{}/payments": "not mended yet: the summary doesn't link to the currency",
    "/reminders/drafts/{}/edit": _NO_LINK,
    "/reminders/drafts/{}/reject": _NO_LINK,
    "/reminders/ladder": "its rows share their names, which this test can't fill and compare one by one",
}


@dataclass
class FormField:
    """An input, text area or select as the page shows it."""

    name: str
    id: str
    type: str
    required: bool
    checked: bool
    value: str = ""


@dataclass
class PageForm:
    """A form that posts, with its fields."""

    action: str
    fields: list[FormField]

    @property
    def required(self):
        return [field for field in self.fields if field.required and field.type not in NO_WORDS]

    @property
    def shape(self):
        return re.sub(r"/(?=[^/]*\d)[^/]+", "/{}", urlsplit(self.action).path)


class FormReader(HTMLParser):
    """The forms of a page, its links, and the links of its error summary."""

    def __init__(self, html, address):
        super().__init__()
        self.forms, self.links, self.summary = [], [], []
        self._form = self._field = None
        self._summary_depth, self._address = 0, address
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if tag == "div":
            self._summary_depth += bool(self._summary_depth or "error-summary" in has.get("class", "").split())
        if tag == "a" and has.get("href"):
            (self.summary if self._summary_depth else self.links).append(has["href"])
        if tag == "form":
            self._form = PageForm(has.get("action") or self._address, [])
            if has.get("method") == "post":
                self.forms.append(self._form)
        if tag in {"input", "textarea", "select"} and self._form and has.get("name"):
            kind = has.get("type", "text") if tag == "input" else tag
            self._field = FormField(
                has["name"], has.get("id", ""), kind, "required" in has, "checked" in has, has.get("value") or ""
            )
            self._form.fields.append(self._field)
        if tag == "option" and self._field and ("selected" in has or not self._field.value):
            self._field.value = has.get("value", "")

    def handle_data(self, data):
        if self._field and self._field.type == "textarea":
            self._field.value += data

    def handle_endtag(self, tag):
        if tag == "div" and self._summary_depth:
            self._summary_depth -= 1
        if tag == "form":
            self._form = None
        if tag in {"textarea", "select"}:
            self._field = None


def fill(form):
    """What is sent: nothing in required fields, words in optional ones that take words, all else as the page has it."""
    sent, typed = {}, []
    for field in form.fields:
        if field.type in NO_WORDS:
            if field.checked:
                sent[field.name] = field.value
            continue
        sent[field.name] = "" if field.required else field.value
        if not field.required and field.type in {"text", "textarea"}:
            sent[field.name] = TYPED
            typed.append(field.name)
    return sent, typed


def judge(form, answer, typed):
    """What is wrong with the answer to a form sent empty, as sentences."""
    if answer.status_code not in {400, 422} or "text/html" not in answer.headers["Content-Type"]:
        return [f"answers {answer.status_code} {answer.headers.get('Content-Type')}"]
    page = FormReader(answer.text, form.action)
    again = next((other for other in page.forms if other.action == form.action), None)
    if again is None:
        return ["the form is gone"]
    ids = {link.removeprefix("#") for link in page.summary}
    faults = [f"the summary doesn't link to {f.name}" for f in again.required if f.id not in ids and not f.value]
    values = {field.name: field.value for field in again.fields}
    return faults + [f"{name} lost what was typed" for name in typed if values.get(name, "").strip() != TYPED]


@pytest.fixture
async def owner(services, signed_in, person):
    """Somebody with the demonstration's content."""
    visitor = await signed_in(user=await person(Role.ADMIN, email="ada@example.org"))
    worker = make_worker(services)
    await DEMO.queue(services, visitor.user.id)
    await worker.drain()
    await visitor.post("/teams", {"name": "Desk"})
    return visitor


async def find_forms(visitor):
    """The first example of each form with required fields, with the page that shows it."""
    routes = [route for route in list_page_routes() if route.needs_person]
    walk, forms = PageWalk(routes), {}
    walk.add(route.path for route in routes if "{" not in route.path)
    for address in walk:
        page = FormReader((await visitor.get(address)).text, address)
        walk.add(link for link in page.links if link.startswith("/"))
        for form in page.forms:
            if form.required:
                forms.setdefault(form.shape, (address, form))
    return forms


async def test_every_form_sent_empty_comes_back_with_all_errors_and_what_was_typed(owner):
    forms = await find_forms(owner)
    faults = {}
    for shape, (address, form) in sorted(forms.items()):
        sent, typed = fill(form)
        answer = await owner.http.post(form.action, data=sent, headers={"Referer": f"http://testserver{address}"})
        if results := judge(form, answer, typed):
            faults[shape] = f"{address}: {'; '.join(results)}"
    assert len(forms) > 45
    unexpected = {shape: words for shape, words in faults.items() if shape not in EXCEPTIONS}
    assert not unexpected, "\n".join(f"{shape} ({words})" for shape, words in unexpected.items())
    assert faults.keys() == EXCEPTIONS.keys(), "mended: take it from the list"

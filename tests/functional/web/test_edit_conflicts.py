"""Two people edit the same thing: whoever saves second sees both versions, loses nothing and decides.

The walk finds the forms by themselves: a form with a version and text fields in the walk's pages must take part.
"""

import html
import re
from datetime import timedelta
from html.parser import HTMLParser

import pytest

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money


class FormReader(HTMLParser):
    """The forms of a page: their action and every field with its value, as a browser would send them."""

    def __init__(self):
        super().__init__()
        self.forms, self.select, self.area = [], None, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        name = attrs.get("name")
        if tag == "form":
            self.forms.append({"action": attrs.get("action"), "fields": [], "text": set()})
        elif not self.forms:
            return
        elif tag == "input" and name and (attrs.get("type") not in ("checkbox", "radio") or "checked" in attrs):
            self.forms[-1]["fields"].append((name, attrs.get("value", "on")))
            if attrs.get("type", "text") == "text":
                self.forms[-1]["text"].add(name)
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and "selected" in attrs:
            self.forms[-1]["fields"].append((self.select, attrs["value"]))
        elif tag == "textarea":
            self.area = name
            self.forms[-1]["fields"].append((name, ""))

    def handle_data(self, data):
        if self.area:
            self.forms[-1]["fields"][-1] = (self.area, data)

    def handle_endtag(self, tag):
        if tag == "textarea":
            self.area = None
        if tag == "select":
            self.select = None


def forms_of(text):
    reader = FormReader()
    reader.feed(text)
    return [form for form in reader.forms if any(name == "version" for name, _ in form["fields"])]


def form_of(text, field):
    """The form that edits this field on a version."""
    forms = [form for form in forms_of(text) if field in dict(form["fields"])]
    assert forms, (field, re.findall("<h1[^>]*>[^<]*", text), forms_of(text))
    return forms[0]


async def send(client, form, page, **changes):
    """Submit what the form holds, with some fields changed."""
    data: dict[str, list[str]] = {}
    for name, value in form["fields"]:
        data.setdefault(name, []).append(value)
    data |= {name: [value] for name, value in changes.items()}
    return await client.http.post(form["action"] or page, data=data)


@pytest.fixture
async def things(admin, person, services):
    """One thing of each kind that people edit: the page, its field, and a first and a second new value."""
    grace = await person(Role.EDITOR, email="grace@example.org")
    team = await admin.post("/teams", {"name": "Collections"})
    hook = await services.webhooks.register(CONSOLE, url="https://hooks.example.com/a", events=["approval.asked"])
    saved = await admin.post("/saved", {"name": "Water", "query": "water"})
    task = await admin.post("/news/tasks/new", {"task_name": "Rivers", "prompt_template": "rivers"})
    await admin.post("/news/rules", {"name": "Wells", "query": "wells", "action": "tag", "tag": "wells"})
    habits = (await admin.post("/habits/new", {"name": "Read", "kind": "daily", "goal": "done"})).text
    await reminders.add_customer(services, AUTOMATION, "lotus", CustomerEdit(name="Lotus", email="a@lotus.example"))
    due = services.clock.now().date()
    invoice = NewInvoice(customer_id="lotus", number="L-1", amount=Money("10.00", "EUR"), due=due)
    await reminders.add_invoice(services, AUTOMATION, invoice)
    await reminders.add_customer(services, AUTOMATION, "reed", CustomerEdit(name="Reed", email="a@reed.example"))
    late = NewInvoice(customer_id="reed", number="R-1", amount=Money("10.00", "EUR"), due=due - timedelta(days=20))
    await reminders.add_invoice(services, AUTOMATION, late)
    draft = await reminders.draft_reminder(services, AUTOMATION, "reed")
    newsletter = await admin.post("/newsletter/new", {"title": "Rivers"})
    habit = re.search(r'href="(/habits/[^/"]{20,})"', habits)[1]
    rule = re.search(r"/news/rules/\d+/edit", (await admin.get("/news/rules")).text)[0]
    return {
        "account": ("/account", "name", "Ada First", "Ada Second"),
        "person": (f"/people/{grace.id}", "name", "Grace First", "Grace Second"),
        "team": (team.url.path, "name", "First team", "Second team"),
        "webhook": (f"/webhooks/{hook.endpoint.id}", "description", "First hook", "Second hook"),
        "saved query": (saved.url.path, "name", "First water", "Second water"),
        "task": (f"{task.url.path}/edit", "task_name", "First rivers", "Second rivers"),
        "rule": (rule, "name", "First wells", "Second wells"),
        "habit": (habit + "/edit", "name", "First read", "Second read"),
        "customer": ("/reminders/customers/lotus/edit", "name", "First lotus", "Second lotus"),
        "invoice": ("/reminders/customers/lotus/invoices/L-1", "amount", "11.00", "12.00"),
        "note": (habit, "note", "First note", "Second note"),
        "ladder": ("/reminders/ladder", "grace_days", "3", "4"),
        "draft": (f"/reminders/drafts/{draft.id}?edit=yes", "subject", "First subject", "Second subject"),
        "newsletter": (f"{newsletter.url.path}", "title", "First title", "Second title"),
        "organisation": ("/setup/organisation", "organisation", "First name", "Second name"),
        "time zone": ("/setup/time-zone", "time_zone", "Tokyo, Japan", "Berlin, Germany"),
        "notifications": ("/account/notifications", "quiet_from", "21:00", "22:00"),
    }


async def test_the_second_of_two_writers_sees_both_versions_and_decides(admin, things):
    wrong = {}
    for kind, (page, field, first, second) in things.items():
        both = {"quiet_to": "06:00"} if kind == "notifications" else {}
        opened = await admin.get(page)
        assert opened.status_code == 200, (kind, page)
        read = form_of(opened.text, field)
        assert (await send(admin, read, page, **{field: first}, **both)).status_code == 200, kind
        late = await send(admin, read, page, **{field: second}, **both)
        text = html.unescape(late.text)
        if late.status_code != 412 or "Someone else saved a different version" not in text:
            wrong[kind] = late.status_code, "no conflict"
            continue
        rows = re.sub(r"<[^>]+>|\s+", " ", text[text.index("Both versions") :])[:900]
        if first not in rows or second not in rows:
            wrong[kind] = rows
        if dict(form_of(text[text.index("Take theirs") :], field)["fields"])[field] != second:
            wrong[kind] = "the form lost what was typed"
        if form_of((await admin.get(page)).text, field)["fields"].count((field, first)) != 1:
            wrong[kind] = "overwritten without a decision"
        kept = await send(admin, form_of(text, field), page)
        if kept.status_code != 200 or (field, second) not in form_of((await admin.get(page)).text, field)["fields"]:
            wrong[kind] = kept.status_code, "mine wasn't kept"
    assert wrong == {}

"""What anybody may send: forms that a part declares, and nothing else; robots and other sites' pages send nothing."""

import asyncio
import json
import logging
from urllib.parse import urlencode

import httpx
import pytest

from almanac.errors import FieldErrors, InputError
from almanac.http.rate_limit.forms import StoredFormGate, delete_old_form_counts
from almanac.public import PublicField, PublicForm, PublicPage, PublicPart, PublicRoute
from almanac.public.form_door import LONGEST_BODY, FormDoor
from almanac.public.links import PublicLinks
from almanac.public.renderer import PublicFrame, PublicRenderer
from almanac.public.site import PublicSite
from almanac.relational import Database

BASE = "https://open.example.org"
PATH = "/en/notes/7"


class Unlimited:
    """Lets everything through."""

    wait_seconds = 0

    async def spend(self, *_: object, **__: object) -> "Unlimited":
        return self


class Shown:
    """Shows what a template would be given of a form."""

    def render(self, name, /, **values):
        form = values.get("form")
        return json.dumps({"name": name, "values": form and form.values, "errors": form and form.errors})


def check_colour(text):
    if text not in ("red", "blue"):
        raise InputError("Choose red or blue.")


async def show_note(request):
    async def load():
        return {}

    return PublicPage(template="note.html", title="Note", stamp=1, load=load)


PART = PublicPart(
    name="notes",
    title="Notes",
    home="/notes",
    routes=(PublicRoute("/notes/{id}", show_note), PublicRoute("/notes", show_note)),
    forms=(
        PublicForm(
            name="notes.add",
            path="/notes/{id}",
            about="Leave a note.",
            done="/notes",
            fields=(
                PublicField(name="text", most=20, many_lines=True),
                PublicField(name="colour", check=check_colour),
                PublicField(name="by", required=False, most=10),
            ),
            per_hour=3,
            in_all=5,
        ),
    ),
)


@pytest.fixture
async def gate(databases, clock):
    async with databases.lend() as address, Database(address) as database:
        yield StoredFormGate(database, clock, b"key")


@pytest.fixture
def taken():
    return []


@pytest.fixture
async def site(gate, taken):
    """Makes a client with an address."""

    async def receive(sent):
        if sent.values["by"] == "nobody":
            raise FieldErrors({"by": "Nobody can't leave notes."})
        taken.append(sent)
        return "/notes/9?thanks=yes" if sent.values["by"] == "guide" else None

    links = PublicLinks.build(BASE, BASE)
    door = FormDoor(
        receivers={"notes.add": receive},
        gate=gate,
        origins={BASE},
        caller_of=lambda request: request.client.host if request.client else "",
    )
    app = PublicSite(
        parts=[PART],
        ports=None,
        links=links,
        renderer=PublicRenderer(Shown(), links, PublicFrame("Open", [PART], "/s.css", "/i.svg")),
        limiter=Unlimited(),
        caller_of=lambda request: "",
        choose_language=lambda text: "en",
        static=None,
        door=door,
    )
    clients = []

    def client(address="203.0.113.1"):
        made = httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 1)), base_url=BASE)
        clients.append(made)
        return made

    yield client
    for made in clients:
        await made.aclose()


GOOD = {"text": "Hello\r\nthere", "colour": "red", "by": ""}


async def test_a_form_is_taken_and_leads_to_a_page_that_caches_keep(site, taken):
    answer = await site().post(PATH, data={**GOOD, "unknown": "x", "colour": " red "})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/en/notes"
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    assert (await site().get("/en/notes")).headers["cache-control"].startswith("public")
    (sent,) = taken
    assert sent.values == {"text": "Hello\nthere", "colour": "red", "by": ""}
    assert (sent.language, sent.params) == ("en", {"id": "7"})


async def test_a_receiver_may_lead_elsewhere(site):
    answer = await site().post("/ja/notes/7", data={**GOOD, "by": "guide"})
    assert answer.headers["location"] == "/ja/notes/9?thanks=yes"


async def test_every_error_is_shown_at_once_with_what_was_typed(site, taken):
    answer = await site().post(PATH, data={"text": "x" * 21, "colour": "green", "by": "somebody else"})
    assert answer.status_code == 422
    assert answer.headers["cache-control"] == "no-store"
    shown = answer.json()
    assert shown["values"] == {"text": "x" * 21, "colour": "green", "by": "somebody else"}
    assert set(shown["errors"]) == {"text", "colour", "by"}
    assert shown["errors"]["colour"] == "Choose red or blue."
    missing = (await site().post(PATH, data={"text": " ", "colour": ""})).json()
    assert set(missing["errors"]) == {"text", "colour"}
    refused = (await site().post(PATH, data={**GOOD, "by": "nobody"})).json()
    assert refused["errors"] == {"by": "Nobody can't leave notes."}
    assert taken == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Origin": BASE, "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": f"{BASE}.evil.example"}, 403),
        ({"Origin": "http://open.example.org"}, 403),
    ],
)
async def test_a_page_of_another_site_sends_nothing(site, taken, headers, status):
    answer = await site().post(PATH, data=GOOD, headers=headers)
    assert answer.status_code == status
    assert len(taken) == (status == 303)


async def test_a_robot_is_thanked_and_nothing_is_taken(site, taken):
    answer = await site().post(PATH, data={**GOOD, "homepage": "https://spam.example"})
    person = await site().post(PATH, data=GOOD)
    assert (answer.status_code, answer.headers["location"]) == (person.status_code, person.headers["location"])
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"text=a&colour=red&more=" + b"x" * LONGEST_BODY, "application/x-www-form-urlencoded", 413),
        (urlencode([("text", "a")] * 100).encode(), "application/x-www-form-urlencoded", 403),
        (b"text=%ff&colour=red", "application/x-www-form-urlencoded", 403),
        (b"text=\xff&colour=red", "application/x-www-form-urlencoded", 403),
        (b'{"text": "a", "colour": "red"}', "application/json", 403),
        (b"text=a&colour=red", "text/plain", 403),
    ],
)
async def test_what_isnt_a_form_is_refused(site, taken, body, content_type, status):
    answer = await site().post(PATH, content=body, headers={"Content-Type": content_type})
    assert answer.status_code == status
    assert taken == []


@pytest.mark.parametrize("path", ["/en/notes", "/xx/notes/7", "/en/nothing", "/sitemap.xml", "/"])
async def test_nothing_can_be_sent_where_no_form_is(site, taken, path):
    answer = await site().post(path, data=GOOD)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert taken == []


async def test_other_methods_stay_closed_where_a_form_is(site):
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
        answer = await site().request(method, PATH)
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST")


async def test_one_address_sends_so_many_an_hour_and_so_do_all_of_them(site, taken, clock):
    statuses = [(await site("203.0.113.1").post(PATH, data=GOOD)).status_code for _ in range(4)]
    assert statuses == [303, 303, 303, 429]
    others = [await site(f"203.0.113.{last}").post(PATH, data=GOOD) for last in (2, 3)]
    assert [answer.status_code for answer in others] == [303, 429]
    assert 0 < int(others[1].headers["retry-after"]) <= 3600
    clock.advance(hours=1)
    assert (await site("203.0.113.1").post(PATH, data=GOOD)).status_code == 303
    assert len(taken) == 5


async def test_forms_sent_at_the_same_moment_are_counted_each(site, taken):
    answers = await asyncio.gather(*(site().post(PATH, data=GOOD) for _ in range(8)))
    assert [answer.status_code for answer in answers].count(303) == 3
    assert len(taken) == 3


async def test_counts_name_nobody_and_go_after_an_hour(site, gate, clock):
    await site("203.0.113.77").post(PATH, data=GOOD)
    async with gate._database.unit() as unit:
        rows = await unit.all("SELECT form, sender FROM public_form_counts")
        assert len(rows) == 2
        assert "203.0.113.77" not in str(rows)
        await delete_old_form_counts(unit, clock.advance(hours=-1))
        assert await unit.value("SELECT count(*) FROM public_form_counts") == 2
        await delete_old_form_counts(unit, clock.advance(hours=2))
        assert await unit.value("SELECT count(*) FROM public_form_counts") == 0


async def test_nothing_that_was_typed_is_logged(site, caplog):
    caplog.set_level(logging.DEBUG)
    for data in (GOOD, {**GOOD, "by": "nobody"}, {**GOOD, "homepage": "x"}):
        await site("203.0.113.78").post(PATH, data={**data, "text": "secret words"})
    ours = [record for record in caplog.records if record.name.startswith("almanac")]
    assert ours
    assert not any(word in str(vars(record)) for record in ours for word in ("secret words", "203.0.113.78"))

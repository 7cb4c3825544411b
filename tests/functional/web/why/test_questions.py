"""How questions are read, and where answers stand: in the palette, on the page without scripts, in other languages."""

import re

import pytest

from almanac.accounts.permissions import Role
from almanac.why import parse_question


@pytest.mark.parametrize(
    ("typed", "words", "is_asked"),
    [
        ("lotus", "lotus", False),
        ("why lotus", "lotus", True),
        ("Why: Lotus Print?", "Lotus Print", True),
        ("lotus?", "lotus", True),
        ("? lotus", "lotus", True),
        ("why is lotus print not reminded?", "lotus print", True),
        ("why can't Ana approve", "Ana", True),
        ("warum lotus", "lotus", True),
        ("lotus kenapa", "lotus", True),
        ("なぜ ロータス", "ロータス", True),
        ("为什么莲花", "莲花", True),
        ("whyte", "whyte", False),
        ("why", "", True),
        ("https://example.org/a?b=c", "https://example.org/a?b=c", False),
    ],
)
def test_a_question_is_read_in_every_language(typed, words, is_asked):
    question = parse_question(typed)
    assert (question.words, question.is_asked) == (words, is_asked)


async def palette(visitor, words):
    answer = await visitor.get("/palette", params={"q": words}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.text


async def test_a_name_in_the_palette_offers_its_answer_after_the_things(admin, reminded):
    await reminded(4)
    text = await palette(admin, "lotus")
    titles = re.findall(r'data-title="([^"]*)"', text)
    assert titles.index("Lotus Print") < titles.index("Why: Lotus Print")
    assert "Not reminded: the last one was sent 4 days ago. Next possible Monday 9 March." in text
    assert 'href="/why?about=customer%3Alotus"' in text


async def test_who_asks_why_gets_answers_first(admin, owing):
    await owing()
    await owing("lily", name="Lily Lotus")
    titles = re.findall(r'data-title="([^"]*)"', await palette(admin, "why lotus"))
    assert set(titles[:2]) == {"Why: Lotus Print", "Why: Lily Lotus"}
    assert "Lotus Print" in titles[2:]


async def test_an_address_in_the_palette_is_answered_at_once(admin):
    text = await palette(admin, "https://selat.example/rice")
    assert "Never seen: no task finds links on selat.example." in text


async def test_the_page_says_what_can_be_asked_lists_choices_and_admits_ignorance(admin, signed_in, owing):
    empty = (await admin.get("/why")).text
    assert all(words in empty for words in ("What you can ask", "A customer", "A mail address", "A habit of yours"))
    member = (await (await signed_in(Role.MEMBER)).get("/why")).text
    assert "A habit of yours" in member
    assert "A customer" not in member
    await owing()
    await owing("lily", name="Lily Lotus")
    choices = (await admin.get("/why", params={"about": "lotus"})).text
    assert "Which one do you mean?" in choices
    assert 'href="/why?about=customer%3Alily"' in choices
    unknown = await admin.get("/why", params={"about": "nonesuch thing"})
    assert all(words in unknown.text for words in ("Nothing found", "See what became of a link", "What you can ask"))


async def test_the_page_shows_the_trace_with_its_actions_as_forms(admin, owing):
    await owing()
    page = (await admin.get("/why", params={"about": "customer:lotus"})).text
    assert "The first reminder over 100.00 EUR may go out now." in page
    form = re.search(r'<form method="post" action="/reminders/customers/lotus/draft">(.*?)</form>', page, re.DOTALL)
    assert form
    assert 'name="currency" value="EUR"' in form[1]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Nicht erinnert: Die letzte Zahlungserinnerung ging vor 4 Tagen hinaus."),
        ("ja", "次に送れる日：3月9日（月曜日）。"),
        ("zh", "最早：3月9日 星期一。"),
        ("ms", "Paling awal: Isnin, 9 Mac."),
    ],
)
async def test_sentences_and_days_are_in_the_readers_language(admin, reminded, language, sentence):
    await reminded(4)
    page = await admin.get("/why", params={"about": "customer:lotus", "lang": language})
    assert sentence in page.text


async def test_states_lead_to_their_question(admin, owing, keeping):
    await owing()
    _, habit = await keeping(admin)
    assert 'href="/why?about=customer%3Alotus"' in (await admin.get("/reminders/customers")).text
    assert f"/why?about=habit:{habit.id}" in (await admin.get("/habits")).text

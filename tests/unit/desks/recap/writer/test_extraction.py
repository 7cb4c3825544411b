"""Without a model: a recap that names decisions and figures, says nothing unsupported and leaves no speech out."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.facts.debate import trace_debate
from almanac.desks.recap.model.recap import join_sentences
from almanac.desks.recap.writer.extractive.business_names import newspaper_name
from almanac.desks.recap.writer.extractive.decision_sentences import decision_sentences
from almanac.desks.recap.writer.extractive.labels import attribution, speaker_with_group, stance_sentence
from almanac.verify import CitedClaim, check

NAMES = [sample.name for sample in sample_meetings()]
SENTENCES = sorted(
    {line for sample in sample_meetings() for speech in sample.meeting.spoken for line in speech.text.split()}
)


def sentences_of(recap):
    """Every sentence of every level with the orders that it names."""
    levels = (recap.key_points, recap.summary, recap.soft_language_summary)
    parts = (part.sentences for part in recap.middle_summary)
    cited = [(each.text, each.based_on_orders) for level in (*levels, *parts) for each in level]
    exchanged = [each for candidate in recap.exchanges for each in (candidate.question, *candidate.answers)]
    bullets = [
        (text, (dialog.order,))
        for dialog in recap.dialogs
        for text in (dialog.summary, *(bullet for part in dialog.summary_sections for bullet in part.bullets))
        if text
    ]
    people = [(person.summary, person.based_on_orders) for person in recap.participants if person.summary]
    return [*cited, *((each.text, each.based_on_orders) for each in exchanged), *bullets, *people]


def without(text, sides):
    return next((text.removeprefix(side) for side in sides if text.startswith(side)), text)


def unattributed(text, names):
    return next((text.replace(name, "") for name in names if name in text), text)


def is_told_plainly(text, recap):
    """Whether a sentence of the plain summary tells decisions, by the name that newspapers give them."""
    subjects = [newspaper_name(decision.subject) for decision in recap.facts.decisions]
    return text.startswith(("衆議院", "参議院")) and any(subject in text for subject in subjects)


def assert_nothing_is_invented(meeting, recap):
    # The record tells who spoke, in which office or for which group, beside the words.
    sources = {str(speech.order): f"{speech.text}\n{speaker_with_group(speech)}" for speech in meeting.speeches}
    # A decision and a side are held against the procedure, in tests of their own: the chair says 本案 where a reader
    # needs the title, and a speaker's group is in the record beside the speech.
    course = trace_debate(meeting)
    decided = {text for decision in recap.facts.decisions for text in decision_sentences(decision)}
    decided |= {text for text in (each.text for each in recap.soft_language_summary) if is_told_plainly(text, recap)}
    sides = [side for speech in meeting.spoken if (side := stance_sentence(speech, course))]
    # Who spoke is the record's own, as long as it is the speaker of a speech that the sentence names.
    names = {speech.order: f"（{attribution(speech)}）" for speech in meeting.speeches}
    pieces = [
        (unattributed(without(text, sides), [names[order] for order in orders]), orders)
        for text, orders in dict.fromkeys(sentences_of(recap))
    ]
    written = [(text, orders) for text, orders in pieces if text and text not in decided]
    claims = [CitedClaim(text, tuple(map(str, orders))) for text, orders in written]
    assert [(fault.text, fault.findings) for fault in check(claims, sources).faults] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_is_supported_by_the_speeches_it_names(sample_of, recap_of, name):
    assert_nothing_is_invented(sample_of(name), recap_of(sample_of(name)))


@pytest.mark.parametrize("name", NAMES)
def test_every_order_is_there_exactly_once_with_the_speaker_of_the_record(sample_of, recap_of, name):
    meeting, dialogs = sample_of(name), recap_of(sample_of(name)).dialogs
    summaries = [(each.order, each.speaker, each.group, each.position, each.speech_id) for each in dialogs]
    assert summaries == [(each.order, each.speaker, each.group, each.position, each.id) for each in meeting.speeches]


def test_key_points_name_the_decisions_and_the_votes(sample_of, recap_of):
    points = [point.text for point in recap_of(sample_of("sangiin-honkaigi")).key_points]
    assert "地域生活交通の維持に関する法律案は、賛成214、反対25で可決されました。" in points
    (committee, *_) = recap_of(sample_of("chiiki-kotsu-iinkai")).key_points
    assert committee.text == "地域生活交通の維持に関する法律案は、起立多数で可決すべきものと決しました。"
    assert committee.kind == "decision"


def test_key_points_give_the_figures(sample_of, recap_of):
    points = join_sentences(recap_of(sample_of("chiiki-kotsu-iinkai")).key_points)
    assert "320億円" in points
    assert "一人当たり30万円" in points


def test_positions_are_told_with_a_reason(sample_of, recap_of):
    summaries = [point.text for point in recap_of(sample_of("sangiin-kokkou")).key_points if point.kind == "position"]
    assert re.match("球磨正人（[^）]+）は反対の討論をしました。評価の基準が甘く", summaries[0])
    assert re.match("天竜みどり（[^）]+）は賛成の討論をしました。", summaries[1])


def test_the_plain_summary_has_no_manners_of_the_house(sample_of, recap_of):
    for name in NAMES:
        text = join_sentences(recap_of(sample_of(name)).soft_language_summary)
        assert not any(
            words in text for words in ("ございます", "おります", "申し上げます", "につきまして", "いたします")
        )


def test_questions_come_with_their_answers(sample_of, recap_of):
    recap = recap_of(sample_of("chiiki-kotsu-iinkai"))
    exchange = next(candidate for candidate in recap.exchanges if candidate.question.based_on_orders == (12,))
    assert "足りないのではありませんか" in exchange.question.text
    assert [answer.based_on_orders for answer in exchange.answers] == [(13,)]
    question = next(dialog for dialog in recap.dialogs if dialog.order == 12)
    assert question.answered_by == (13,)
    assert question.summary_sections[0].title == "交付金の320億円という規模について"


def test_a_speech_of_the_chair_is_marked_as_procedural(sample_of, recap_of):
    recap = recap_of(sample_of("shugiin-honkaigi"))
    assert [dialog.order for dialog in recap.dialogs if dialog.procedural] == [0, 1, 2, 4, 6, 8, 10]


def test_the_title_says_what_came_of_it(sample_of, recap_of):
    titles = {name: recap_of(sample_of(name)).title for name in NAMES}
    assert titles["chiiki-kotsu-iinkai"] == "地域生活交通の維持に関する法律案を可決（衆議院国土交通委員会）"
    assert titles["shugiin-honkaigi"] == "地域生活交通の維持に関する法律案など2件を可決（衆議院本会議）"
    assert titles["yosan-iinkai"] == "令和8年度一般会計予算など3件を審議（衆議院予算委員会）"


def test_a_bill_that_passed_is_never_told_as_rejected_with_its_amendment(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            ("榛名一成", "○榛名委員長　内閣提出、水道法案を議題といたします。"),
            ("九重由香", "○九重委員　費用は三億円で足りますか。"),
            ("榛名一成", "○榛名委員長　水道法案及びこれに対する修正案について採決いたします。"),
            ("榛名一成", "○榛名委員長　起立少数。よって、本修正案は否決されました。次に、原案について採決いたします。"),
            ("榛名一成", "○榛名委員長　起立多数。よって、本案は原案のとおり可決すべきものと決しました。"),
        )
    )
    assert recap.title.startswith("水道法案を可決")
    summaries = [point.text for point in recap.key_points if point.kind == "decision"]
    assert summaries == [
        "水道法案は、起立多数で可決すべきものと決しました。",
        "水道法案に対する修正案は、起立少数で否決されました。",
    ]


def test_a_sentence_that_points_back_comes_with_the_one_before(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            ("榛名一成", "○榛名委員長　九重由香君。"),
            (
                "九重由香",
                """○九重委員　市の水道管の四割は五十年以上前に敷かれたものです。\
昨年度の工事の費用は三億円を計上しました。ただし、この三億円は議会の承認を条件として支給されるものです。""",
            ),
        )
    )
    bullets = [
        bullet
        for dialog in recap.dialogs
        for section in dialog.summary_sections
        for bullet in section.bullets
        if "条件として" in bullet
    ]
    assert bullets
    for bullet in bullets:
        assert bullet.startswith(("ただし", "昨年度"))
        assert "ただし、" in bullet
    texts = [text for dialog in recap.dialogs for section in dialog.summary_sections for text in section.bullets]
    at = next(at for at, text in enumerate(texts) if "条件として" in text)
    assert "三億円を計上" in "".join(texts[: at + 1]) or "3億円を計上" in "".join(texts[: at + 1])


def test_a_long_sitting_is_represented_by_all_who_asked(sample_of, recap_of):
    recap = recap_of(sample_of("yosan-iinkai"))
    assert recap.provenance.model == "extractive"
    assert recap.provenance.coverage.speakers_shown == recap.provenance.coverage.speakers
    assert recap.provenance.coverage.speeches_shown >= 80
    assert len([part for part in recap.middle_summary if part.title.startswith("質疑：")]) == 5


def test_the_same_record_gives_the_same_recap(sample_of, recap_of):
    meeting = sample_of("kyushoku-sankounin")
    assert recap_of.__wrapped__(meeting) == recap_of(meeting)


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("",),
        ("　\r\n　",),
        ("あ" * 3000,),
        ("一二三億円" * 40,),
        ("（「『〔" * 500 + "。",),
        ("I ask what it costs. It costs 5 yen.",),
    ],
)
def test_odd_records_are_written_about_too(meeting_with, recap_of, texts):
    meeting = meeting_with(*texts)
    recap = recap_of(meeting)
    assert [dialog.order for dialog in recap.dialogs] == [speech.order for speech in meeting.speeches]
    assert recap.title
    assert recap.categories


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_record_made_of_real_sentences_is_covered_and_supported(meeting_with, recap_of, data):
    line = st.sampled_from(SENTENCES) | st.text(max_size=12)
    text = st.lists(line, max_size=5).map("\r\n　".join)
    speaker = st.sampled_from(["九重由香", "榛名一成", "穂高律子", ""])
    order = st.integers(min_value=0, max_value=30)
    speech = st.fixed_dictionaries({"order": order, "speaker": speaker, "text": text})
    meeting = meeting_with(*data.draw(st.lists(speech, max_size=10)))
    recap = recap_of(meeting)
    assert [dialog.order for dialog in recap.dialogs] == [speech.order for speech in meeting.speeches]
    assert_nothing_is_invented(meeting, recap)


def test_the_weightiest_decision_leads_and_says_what_it_was_about(meeting_with, recap_of):
    water, budget = "水道法の一部を改正する法律案", "令和8年度一般会計予算"
    texts = (
        "議長は、総務委員長に若狭謙君を指名いたします。",
        f"日程第一　{water}\r\n　日程第二　{budget}\r\n　以上両案を一括して議題といたします。",
        f"まず、{water}について採決いたします。本案に賛成の諸君の起立を求めます。",
        f"起立多数。よって、本案は可決いたしました。次に、{budget}について採決いたします。",
        "投票総数二百三十　賛成百五十　反対八十　よって、本案は可決いたしました。",
    )
    speeches = [("浜名徹", f"○議長（浜名徹君）　{text}") for text in texts]
    recap = recap_of(meeting_with(*speeches, house="衆議院", meeting="本会議"))
    assert recap.title == f"{budget}など2件を可決（衆議院本会議）"
    assert [point.text for point in recap.key_points] == [
        f"{budget}は、賛成150、反対80で可決されました。",
        f"{water}は、起立多数で可決されました。",
        "総務委員長に若狭謙君が指名されました。",
    ]
    assert recap.description.startswith(f"{budget}は、賛成150、反対80で可決されました。")

"""A text carries its references as markers; sentences are checked one by one, free text only for contradictions."""

import pytest

from almanac.verify import ClaimKind, FindingKind, Verdict, check_text, recheck
from almanac.verify.markers import plain_positions

SOURCES = {
    "agri": "Paddy output in Kedah rose 4.5 percent to 1,250,300 tonnes.",
    "port-2": "The port handled 812 ships in May.",
}


def test_each_sentence_is_checked_against_the_source_it_names():
    report = check_text(
        "Paddy output in Kedah rose 4.5 percent. [@agri] The port handled 812 ships in May. [@port-2]", SOURCES
    )
    assert [sentence.references for sentence in report.sentences] == [("agri",), ("port-2",)]
    assert report.supported
    assert [report.counts[verdict] for verdict in (Verdict.SUPPORTED, Verdict.CHANGED, Verdict.UNSUPPORTED)] == [
        2,
        0,
        0,
    ]


@pytest.mark.parametrize("markers", ["[@agri][@port-2]", "[@agri; @port-2]", "[@agri, @port-2]", "[@agri] [@port-2]"])
def test_a_sentence_may_rest_on_several_sources(markers):
    report = check_text(f"Paddy output rose 4.5 percent while the port handled 812 ships. {markers}", SOURCES)
    assert report.sentences[0].references == ("agri", "port-2")
    assert report.supported


def test_a_marker_may_stand_before_the_full_stop():
    report = check_text("The port handled 812 ships in May [@port-2]. It did well [@agri].", SOURCES)
    assert [sentence.references for sentence in report.sentences] == [("port-2",), ("agri",)]


def test_a_marker_follows_a_japanese_sentence_without_a_space():
    sources = {"a": "収穫量は718万トンだった。", "b": "費用は350億円。"}
    report = check_text("収穫量は718万トンだった。[@a]費用は350億円。[@b]", sources)
    assert [(sentence.references, sentence.verdict) for sentence in report.sentences] == [
        (("a",), Verdict.SUPPORTED),
        (("b",), Verdict.SUPPORTED),
    ]


def test_a_reference_to_nothing_is_unsupported():
    report = check_text("The port handled 812 ships in May. [@port-9]", SOURCES)
    sentence = report.sentences[0]
    assert (sentence.verdict, sentence.findings[0].kind) == (Verdict.UNSUPPORTED, FindingKind.DANGLING_REFERENCE)
    assert sentence.findings[0].reason == "There is no source called “port-9”."


def test_a_sentence_without_a_reference_is_unsupported():
    report = check_text("The port handled 812 ships in May.", SOURCES)
    assert [finding.kind for finding in report.sentences[0].findings] == [FindingKind.NO_REFERENCE]


def test_headings_and_rules_need_no_source():
    report = check_text("# News of May\n\nPaddy output in Kedah rose 4.5 percent. [@agri]\n\n---\n", SOURCES)
    assert report.supported
    assert sum(sentence.needs_source for sentence in report.sentences) == 1


@pytest.mark.parametrize("sentence", ["Dear readers,", "Welcome!", "Thanks.", "Western Grid is bankrupt.", "谢谢。"])
def test_no_sentence_is_short_enough_to_need_no_source(sentence):
    (checked,) = check_text(sentence, SOURCES).sentences
    assert [finding.kind for finding in checked.findings] == [FindingKind.NO_REFERENCE]


class TestOwnSentences:
    """`[@own]`: the editor's own sentence needs no source, but must not contradict the sources of the text."""

    @pytest.mark.parametrize(
        "sentence",
        [
            "Dear readers, welcome to our letter!",
            "What do you think about the port?",
            "Write to editor@example.org or call 0700 123 456.",
            "We bring you 5 stories from 3 towns this week.",
            "The port handled 812 ships in May, which we find remarkable.",
        ],
    )
    def test_a_greeting_question_opinion_or_contact_line_needs_no_source(self, sentence):
        (checked,) = check_text(f"{sentence} [@own]", SOURCES).sentences
        assert (checked.kind, checked.verdict, checked.references) == (ClaimKind.OWN, Verdict.SUPPORTED, ())

    @pytest.mark.parametrize(
        ("sentence", "kind"),
        [
            ("Come and see the port that handled 912 ships in May!", FindingKind.NUMBER),
            ("The port handled 812 ships in June.", FindingKind.DATE),
        ],
    )
    def test_a_fact_that_a_source_contradicts_is_a_fault(self, sentence, kind):
        (checked,) = check_text(f"{sentence} [@own]", SOURCES).sentences
        assert (checked.verdict, [finding.kind for finding in checked.findings]) == (Verdict.CHANGED, [kind])

    def test_a_source_that_agrees_outweighs_one_that_differs(self):
        sources = {**SOURCES, "later": "The port handled 912 ships in May, by a later count."}
        assert check_text("Come and see the port that handled 912 ships in May! [@own]", sources).supported

    def test_an_opinion_may_be_worded_against_the_source(self):
        assert check_text("We wish the paddy output in Kedah had not risen. [@own]", SOURCES).supported

    def test_an_invitation_may_tell_events_in_another_order(self):
        sources = {"trip": "Three people fell ill after travelling to the island, and a sixth person has died there."}
        own = "Write to us before you travel to the island, where a sixth person has died. [@own]"
        assert check_text(own, sources).supported

    def test_a_sentence_with_a_reference_is_checked_in_full(self):
        (checked,) = check_text("The port handled 912 ships in May. [@own][@port-2]", SOURCES).sentences
        assert (checked.kind, checked.verdict) == (ClaimKind.SENTENCE, Verdict.CHANGED)


class TestHeadings:
    """A heading is worded freely, but must not say the opposite of the sources cited under it."""

    def test_a_heading_may_leave_out_and_reword(self):
        assert check_text("## Kedah's paddy\n\nPaddy output in Kedah rose 4.5 percent. [@agri]", SOURCES).supported

    def test_a_heading_that_contradicts_what_stands_under_it_is_a_fault(self):
        text = "## Paddy output in Kedah fell 4.5 percent\n\nPaddy output in Kedah rose 4.5 percent. [@agri]"
        heading, sentence = check_text(text, SOURCES).sentences
        assert (heading.kind, heading.verdict) == (ClaimKind.HEADING, Verdict.CHANGED)
        assert sentence.verdict is Verdict.SUPPORTED


class TestTablesAndImages:
    """One reference for the whole; each row is checked against it."""

    ROWS = "| Month | Ships |\n|---|---:|\n| May | 812 ships |\n| May | 821 ships |"
    PAGE = "\n\nPaddy output in Kedah rose 4.5 percent. [@agri]"

    @pytest.mark.parametrize(
        "table",
        [
            f"{ROWS}\n\n[@port-2]",
            f"{ROWS}\n[@port-2]",
            f"{ROWS.removesuffix('|')}[@port-2] |",
            f"{ROWS}\n\nTable 1: Ships in May. [@port-2]",
        ],
    )
    def test_every_row_is_checked_against_the_reference_of_the_table(self, table):
        sentences = check_text(table + self.PAGE, SOURCES).sentences
        rows = [each for each in sentences if each.kind is ClaimKind.ROW]
        assert [(row.references, row.verdict) for row in rows] == [
            (("port-2",), Verdict.SUPPORTED),
            (("port-2",), Verdict.CHANGED),
        ]
        assert sentences[-1].references == ("agri",)
        assert all(each.findings == () for each in sentences if each not in rows)

    def test_a_table_without_a_reference_has_no_source(self):
        rows = [each for each in check_text(self.ROWS, SOURCES).sentences if each.kind is ClaimKind.ROW]
        assert [row.findings[0].kind for row in rows] == [FindingKind.NO_REFERENCE] * 2

    def test_a_row_may_name_another_source(self):
        table = "| What | Figure |\n|---|---|\n| Ships | 812 |\n| Paddy | 4.5 percent [@agri] |\n\n[@port-2]"
        rows = [each.references for each in check_text(table, SOURCES).sentences if each.kind is ClaimKind.ROW]
        assert rows == [("port-2",), ("agri",)]

    def test_an_image_needs_a_reference_and_its_description_must_not_contradict_it(self):
        def verdict(text):
            (checked,) = check_text(text, SOURCES).sentences
            return checked.kind, checked.verdict

        image = "![Photograph: the port handled {} ships in May](https://example.org/port.png)"
        assert verdict(f"{image.format(812)} [@port-2]") == (ClaimKind.CAPTION, Verdict.SUPPORTED)
        assert verdict(f"{image.format(912)} [@port-2]") == (ClaimKind.CAPTION, Verdict.CHANGED)
        assert verdict(image.format(812)) == (ClaimKind.CAPTION, Verdict.UNSUPPORTED)
        assert verdict(f"{image.format(812)} [@own]") == (ClaimKind.OWN, Verdict.SUPPORTED)


def test_markdown_is_no_part_of_a_checked_sentence():
    raw = "- The **port** handled [812 ships](https://example.org/in_june) in May [@port-2]."
    words, positions = plain_positions(raw)
    assert words == "The port handled 812 ships in May ."
    assert [raw[at] for at in positions if not raw[at].isspace()] == [each for each in words if each != " "]
    assert check_text(raw, SOURCES).supported


def test_offsets_are_those_of_the_text_and_of_the_source():
    text = "## Ports\n\nThe port handled 812 ships in May. [@port-2]\n"
    sentence = next(each for each in check_text(text, SOURCES).sentences if each.needs_source)
    assert text[sentence.start : sentence.end].startswith("The port handled 812 ships in May.")
    assert sentence.best_source == "port-2"
    start, end = sentence.matched
    assert SOURCES["port-2"][start:end] == "The port handled 812 ships in May."


def test_items_of_a_list_are_sentences():
    report = check_text(
        "- Paddy output rose 4.5 percent. [@agri]\n- The port handled 821 ships in May. [@port-2]\n", SOURCES
    )
    assert [sentence.verdict for sentence in report.sentences] == [Verdict.SUPPORTED, Verdict.CHANGED]


class TestAfterAnEdit:
    """A person rewrites: what is still supported keeps its link, what isn't is told."""

    BEFORE = "Paddy output in Kedah rose 4.5 percent. [@agri] The port handled 812 ships in May. [@port-2]"

    def test_a_rewritten_sentence_keeps_its_reference(self):
        previous = check_text(self.BEFORE, SOURCES)
        report = recheck(previous, "In Kedah, paddy output grew by 4.5%. In May 812 ships called at the port.", SOURCES)
        assert [sentence.references for sentence in report.sentences] == [("agri",), ("port-2",)]
        assert report.supported

    def test_a_figure_changed_by_hand_is_found(self):
        previous = check_text(self.BEFORE, SOURCES)
        report = recheck(previous, "Paddy output in Kedah rose 5.4 percent.", SOURCES)
        assert (report.sentences[0].references, report.sentences[0].verdict) == (("agri",), Verdict.CHANGED)

    def test_a_new_sentence_inherits_nothing(self):
        previous = check_text(self.BEFORE, SOURCES)
        report = recheck(previous, "Penguins gather on the ice every winter.", SOURCES)
        assert [finding.kind for finding in report.sentences[0].findings] == [FindingKind.NO_REFERENCE]

    def test_a_marker_that_was_kept_wins(self):
        previous = check_text(self.BEFORE, SOURCES)
        report = recheck(previous, "Paddy output in Kedah rose 4.5 percent. [@port-2]", SOURCES)
        assert report.sentences[0].references == ("port-2",)


def test_a_marker_after_a_full_stop_ends_a_sentence():
    report = check_text("An engineer told us.[@a] Work begins in 18 weeks.[@b]", {})
    assert [(sentence.text, sentence.references) for sentence in report.sentences] == [
        ("An engineer told us.", ("a",)),
        ("Work begins in 18 weeks.", ("b",)),
    ]
    (whole,) = check_text("In the U.S.[@a] growth was 3 percent.", {}).sentences
    assert whole.references == ("a",)

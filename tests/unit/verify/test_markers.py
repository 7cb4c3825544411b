"""A text carries its references as markers; sentences are checked one by one, headings and greetings are not."""

import pytest

from almanac.verify import FindingKind, Verdict, check_text, recheck

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
    assert report.counts == {Verdict.SUPPORTED: 2, Verdict.CHANGED: 0, Verdict.UNSUPPORTED: 0}


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


def test_headings_rules_and_greetings_need_no_source():
    text = "# News of May\n\nDear readers,\n\nPaddy output in Kedah rose 4.5 percent. [@agri]\n\n---\n\nKind regards"
    report = check_text(text, SOURCES)
    assert report.supported
    assert sum(sentence.needs_source for sentence in report.sentences) == 1


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

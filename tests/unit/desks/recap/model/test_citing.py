"""Sentences with their speeches, and words that are explained where they first occur."""

from hypothesis import given
from hypothesis import strategies as st

from almanac.desks.recap.model.cited_levels import Glossary
from almanac.desks.recap.model.minutes import fold_text, highlight_words, split_search_words
from almanac.desks.recap.model.recap import GlossaryTerm, KeyPoint, WrittenSentence

TERMS = (
    GlossaryTerm(term="放送法", definition="放送についての法律", order=2),
    GlossaryTerm(term="放送法第七十条", definition="収支予算の承認", order=3),
)


def test_the_longest_term_is_explained_and_only_where_it_first_occurs():
    glossary = Glossary(TERMS)
    pieces = glossary.pieces("放送法第七十条と放送法と放送法。")
    assert [(piece.text, piece.term) for piece in pieces] == [
        ("放送法第七十条", 1),
        ("と", None),
        ("放送法", 0),
        ("と放送法。", None),
    ]


def test_sentences_keep_their_orders_and_points_their_kind():
    (point,) = Glossary(()).cite([KeyPoint(text="可決した。", based_on_orders=(3, 5), kind="decision")])
    (sentence,) = Glossary(()).cite([WrittenSentence(text="可決した。", based_on_orders=())])
    assert (point.orders, point.kind, sentence.kind) == ((3, 5), "decision", "")


def test_a_term_that_is_no_word_explains_nothing():
    assert Glossary([GlossaryTerm(term="", definition="x", order=1)]).pieces("本文") == Glossary(()).pieces("本文")


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=5), max_size=4))
def test_pieces_always_make_up_the_text_again(text, words):
    terms = [GlossaryTerm(term=word, definition="", order=1) for word in words]
    assert "".join(piece.text for piece in Glossary(terms).pieces(text)) == text
    assert "".join(span.text for span in highlight_words(text, split_search_words(" ".join(words)))) == text


@given(st.text(min_size=1, max_size=20))
def test_folding_twice_changes_nothing(text):
    assert fold_text(fold_text(text)) == fold_text(text)


def test_half_width_and_full_width_letters_are_the_same():
    assert [span.text for span in highlight_words("ｶﾞﾝ対策とガン対策", split_search_words("ガン")) if span.marked] == [
        "ｶﾞﾝ",
        "ガン",
    ]

"""A query of very many words is ranked by the first of them, so that it takes no longer than anybody waits."""

from almanac.search.query_parser import parse_query
from almanac.search.text_search import MAX_RANKING_PHRASES, build_expressions


def test_few_words_are_ranked_as_they_are_asked_for():
    assert build_expressions(parse_query("rice (wheat OR maize) -tea")).ranking == "'rice' & (('wheat') | ('maiz'))"


def test_of_many_words_any_of_the_first_counts():
    words = [f"w{number}" for number in range(3 * MAX_RANKING_PHRASES)]
    for query in (" ".join(words), " OR ".join(words)):
        sought = build_expressions(parse_query(query))
        assert sought.everything.count("'w") == len(words)
        assert sought.ranking.count("'w") == MAX_RANKING_PHRASES
        assert sought.ranking.startswith("(('w0') | ('w1')")

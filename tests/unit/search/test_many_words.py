"""A query of very many words is ranked by the first of them, so that it takes no longer than anybody waits."""

from almanac.search.syntax import parse
from almanac.search.tsquery import MOST_RANKED_BY, matching


def test_few_words_are_ranked_as_they_are_asked_for():
    assert matching(parse("rice (wheat OR maize) -tea")).ranking == "'rice' & (('wheat') | ('maiz'))"


def test_of_many_words_any_of_the_first_counts():
    words = [f"w{number}" for number in range(3 * MOST_RANKED_BY)]
    for query in (" ".join(words), " OR ".join(words)):
        sought = matching(parse(query))
        assert sought.everything.count("'w") == len(words)
        assert sought.ranking.count("'w") == MOST_RANKED_BY
        assert sought.ranking.startswith("(('w0') | ('w1')")

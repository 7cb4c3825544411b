"""`almanac search` and `almanac reindex` do what they say, for people and as JSON."""


def test_a_search_that_finds_nothing_says_so(installed_machine):
    assert "Nothing found." in installed_machine.run("search", "zzzz").out
    assert installed_machine.run("search", "zzzz", "--json").json["hits"] == []


def test_a_query_that_cannot_be_read_is_one_sentence(installed_machine):
    answer = installed_machine.run("search", "(rice")
    assert answer.code == 2
    assert "this parenthesis is never closed" in answer.err
    assert "Traceback" not in answer.err
    assert installed_machine.run("search", "rice", "--sort", "sideways").code == 2


def test_the_index_is_built_again(installed_machine):
    assert installed_machine.run("reindex").code == 0
    assert isinstance(installed_machine.run("reindex", "--anew", "--json").json, list)


def test_a_kind_that_nobody_provides_is_refused(installed_machine):
    answer = installed_machine.run("reindex", "--kind", "letters")
    assert answer.code == 2
    assert "There are no documents of the kind letters" in answer.err

"""The query syntax: what is understood, how it prints, and what is said about what is not understood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.errors import InputError
from almanac.search.fields import known_fields
from almanac.search.query import QueryAll, QueryAny, QueryField, QueryNot, QueryText, SearchQuery
from almanac.search.query_parser import MAX_DEPTH, MAX_QUERY_LENGTH, InvalidQuery, parse_query

FIELDS = ("tag", "country")


def read(text):
    return parse_query(text, FIELDS).root


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("rice", QueryText("rice")),
        ("rice harvest", QueryAll((QueryText("rice"), QueryText("harvest")))),
        ("rice AND harvest", QueryAll((QueryText("rice"), QueryText("harvest")))),
        ('"rice harvest"', QueryText("rice harvest", quoted=True)),
        ("“rice harvest”", QueryText("rice harvest", quoted=True)),
        (r'"a \"b\" c"', QueryText('a "b" c', quoted=True)),
        ('"C:\\"', QueryText("C:\\", quoted=True)),
        (r'"a\b \\"', QueryText("a\\b \\", quoted=True)),
        ("rice -wheat", QueryAll((QueryText("rice"), QueryNot(QueryText("wheat"))))),
        ("rice NOT wheat", QueryAll((QueryText("rice"), QueryNot(QueryText("wheat"))))),
        ("rice －wheat", QueryAll((QueryText("rice"), QueryNot(QueryText("wheat"))))),
        ("a b OR c", QueryAny((QueryAll((QueryText("a"), QueryText("b"))), QueryText("c")))),
        ("a (b OR c)", QueryAll((QueryText("a"), QueryAny((QueryText("b"), QueryText("c")))))),
        ("(a) ((b))", QueryAll((QueryText("a"), QueryText("b")))),
        ("a b a (b a)", QueryAll((QueryText("a"), QueryText("b")))),
        ("a OR (b OR a)", QueryAny((QueryText("a"), QueryText("b")))),
        ("a a OR a", QueryText("a")),
        ("（日本 ＯＲ 中国）", QueryAny((QueryText("日本"), QueryText("中国")))),
        ("tag:Rice", QueryField("tag", "Rice")),
        ("TAG：Rice", QueryField("tag", "Rice")),
        ('tag:"two words"', QueryField("tag", "two words")),
        ("-tag:x y", QueryAll((QueryNot(QueryField("tag", "x")), QueryText("y")))),
        ("e-mail", QueryText("e-mail")),
        ("--verbose", QueryText("--verbose")),
        ("or and not", QueryAll((QueryText("or"), QueryText("and"), QueryText("not")))),
        ("https://example.org/a?b=c", QueryText("https://example.org/a?b=c")),
        ("10:30", QueryText("10:30")),
        ("rice & …", QueryText("rice")),
        ("   ", None),
    ],
)
def test_what_is_understood(text, tree):
    assert read(text) == tree


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("date:2026", "2026-01-01", "2027-01-01"),
        ("date:2026-12", "2026-12-01", "2027-01-01"),
        ("date:2024-02-29", "2024-02-29", "2024-03-01"),
        ("date:2026/1/5", "2026-01-05", "2026-01-06"),
        ("date:２０２６", "2026-01-01", "2027-01-01"),
        ("date:2026-01-01..2026-02-01", "2026-01-01", "2026-02-02"),
        ("date:2025..2026-03", "2025-01-01", "2026-04-01"),
        ("date:2026..", "2026-01-01", None),
        ("date:..2026", None, "2027-01-01"),
        ("after:2026-02", "2026-02-01", None),
        ("before:2026-02", None, "2026-02-01"),
    ],
)
def test_days_are_understood(text, since, until):
    days = read(text)
    assert [moment and moment.date().isoformat() for moment in (days.since, days.until)] == [since, until]


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ('rice "harvest', 6, "never closed"),
        ('tag:"harvest', 5, "never closed"),
        ("rice (harvest", 6, "never closed"),
        ("rice (", 6, "never closed"),
        ("rice harvest)", 13, "closes nothing"),
        ("rice ()", 6, "nothing between these parentheses"),
        ('rice ""', 6, "no word between these quotation marks"),
        ("rice tag:", 6, "write tag:value without a space"),
        ("rice tag: x", 6, "write tag:value without a space"),
        ('tag:""', 1, "write tag:value"),
        ("title:!!", 1, "write title:value"),
        ("colour:red", 1, "no field “colour”; use one of title, kind, lang, date, after, before, until, country, tag"),
        ("-rice", 1, "add a word to search for"),
        ("-rice -tag:x", 1, "add a word to search for"),
        ("rice OR -wheat", 9, "each side of OR"),
        ("(-a) OR b", 1, "each side of OR"),
        ("OR rice", 1, "nothing comes before OR"),
        ("rice OR", 6, "nothing comes after OR"),
        ("rice OR OR wheat", 6, "nothing comes after OR"),
        ("(rice OR)", 7, "nothing comes after OR"),
        ("rice AND", 6, "nothing comes after AND"),
        ("rice NOT", 6, "nothing comes after NOT"),
        ("rice -)", 6, "nothing comes after -"),
        ("date:soon", 1, "“soon” isn't a date; write a year, month or day such as 2026, 2026-01 or 2026-01-31"),
        ("date:2026-13", 1, "isn't a date"),
        ("date:2026-02-30", 1, "isn't a date"),
        ("date:9999", 1, "isn't a date"),
        ("date:..", 1, "has no date"),
        ("date:2026..2025", 1, "ends before it starts"),
        ("...", 1, "no word to search for"),
        ("(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1), MAX_DEPTH + 1, "simplify it"),
        ("a" * (MAX_QUERY_LENGTH + 1), MAX_QUERY_LENGTH + 1, "leave something out"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, position, says):
    with pytest.raises(InvalidQuery) as refused:
        read(text)
    assert refused.value.position == position
    assert says in refused.value.sentence
    assert refused.value.sentence.startswith(f"At character {position} of the query: ")
    assert refused.value.sentence.endswith(".")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("begun", ['"', 'tag:"', 'rice "'])
def test_a_long_row_of_backslashes_is_refused_at_once(begun):
    with pytest.raises(InvalidQuery, match="never closed"):
        read(begun + "\\" * 1000)


def test_a_tree_made_by_hand_prints_as_a_query_that_reads_back():
    tree = QueryAll(
        (
            QueryText("two words"),
            QueryText("OR"),
            QueryText("-x"),
            QueryText("tag:y"),
            QueryNot(QueryAny((QueryText("a"), QueryField("tag", "//b c")))),
        )
    )
    assert str(SearchQuery(tree)) == '"two words" "OR" "-x" "tag:y" -(a OR tag:"//b c")'


def test_every_field_is_named_once():
    assert known_fields(["tag", "kind"]) == ("title", "kind", "lang", "date", "after", "before", "until", "tag")


SCRAPS = st.sampled_from(
    [
        '"',
        "“",
        "(",
        ")",
        "（",
        "-",
        "－",
        "--",
        " ",
        "　",
        "OR",
        "AND",
        "NOT",
        "tag:",
        "date:",
        "title:",
        "2026-01",
        "..",
        "\\",
        '\\"',
        "rice",
        "日本経済",
        "ｱ",
        "'",
        ":",
        "：",
        "//",
        "a",
        "\x00",
        "\ud800",
        "é",
        "🍣",
        "x:y",
        "kind:z",
    ]
)


def test_an_asterisk_after_a_sign_stands_for_nothing():
    assert parse_query("why?*", FIELDS) == parse_query("why?", FIELDS)


@given(st.lists(SCRAPS | st.text(max_size=4), max_size=14).map("".join))
def test_any_text_is_read_or_refused_and_prints_back_to_itself(text):
    try:
        query = parse_query(text, FIELDS)
    except InputError:
        return
    assert parse_query(str(query), FIELDS) == query
    assert str(parse_query(str(query), FIELDS)) == str(query)


@pytest.mark.parametrize(
    ("alias", "name"), [("language:zh", "lang:zh"), ("type:x", "kind:x"), ("since:2026", "after:2026")]
)
@pytest.mark.parametrize("fields", [(), ("language", "tag")])
def test_twins_are_one_field(alias: str, name: str, fields: tuple[str, ...]) -> None:
    assert parse_query(alias, fields) == parse_query(name, fields)


def test_an_unknown_field_is_told_with_the_nearest() -> None:
    with pytest.raises(InvalidQuery, match="no field “contry”; did you mean “country”"):
        parse_query("contry:MY", ["country"])

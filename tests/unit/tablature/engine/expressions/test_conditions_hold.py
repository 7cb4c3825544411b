"""What conditions mean: every operator and function on every type it knows, and on what isn't there."""

import pytest

ITEM = {
    "word": {"S": "banana"},
    "accent": {"S": "né"},
    "blank": {"S": ""},
    "five": {"N": "5"},
    "ten": {"N": "10"},
    "bytes": {"B": "AQID"},
    "yes": {"BOOL": True},
    "nay": {"BOOL": False},
    "nothing": {"NULL": True},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2.5"]},
    "blobs": {"BS": ["AQ==", "Ag=="]},
    "queue": {"L": [{"N": "1"}, {"S": "x"}, {"L": [{"S": "deep"}]}]},
    "doc": {"M": {"nest": {"M": {"leaf": {"S": "y"}}}, "set": {"SS": ["p", "q"]}}},
}
VALUES = {
    ":five": {"N": "5.0"},
    ":nine": {"N": "9"},
    ":ten": {"N": "10"},
    ":ban": {"S": "ban"},
    ":text": {"S": "banana"},
    ":zebra": {"S": "zebra"},
    ":b1": {"B": "AQ=="},
    ":b12": {"B": "AQI="},
    ":yes": {"BOOL": True},
    ":null": {"NULL": True},
    ":ab": {"SS": ["b", "a"]},
    ":a": {"S": "a"},
    ":n25": {"N": "2.50"},
    ":one": {"N": "1"},
    ":two": {"N": "2"},
    ":three": {"N": "3"},
    ":deep": {"L": [{"S": "deep"}]},
    ":doc": {"M": {"set": {"SS": ["q", "p"]}, "nest": {"M": {"leaf": {"S": "y"}}}}},
    ":y": {"S": "y"},
    ":s": {"S": "S"},
    ":m": {"S": "M"},
    ":nulltype": {"S": "NULL"},
}

TRUE = [
    "five = :five",
    "five <> :nine",
    "five < :nine",
    "five < :ten",
    "ten > :nine",
    "five <= :five",
    "five >= :five",
    "word = :text",
    "word < :zebra",
    "bytes > :b12",
    "yes = :yes",
    "nothing = :null",
    "texts = :ab",
    "doc = :doc",
    "doc.nest.leaf = :y",
    "queue[1] <> :y",
    "gone <> :five",
    "five <> :text",
    "NOT gone = :five",
    "five BETWEEN :one AND :nine",
    "word BETWEEN :ban AND :zebra",
    "five IN (:one, :five)",
    "texts IN (:one, :ab)",
    "attribute_exists(five)",
    "attribute_exists(doc.nest.leaf)",
    "attribute_exists(queue[2][0])",
    "attribute_exists(nothing)",
    "attribute_not_exists(gone)",
    "attribute_not_exists(queue[3])",
    "attribute_not_exists(five.leaf)",
    "attribute_type(word, :s)",
    "attribute_type(doc, :m)",
    "attribute_type(nothing, :nulltype)",
    "begins_with(word, :ban)",
    "begins_with(bytes, :b12)",
    "contains(word, :ban)",
    "contains(texts, :a)",
    "contains(numbers, :n25)",
    "contains(blobs, :b1)",
    "contains(queue, :one)",
    "contains(queue, :deep)",
    "contains(bytes, :b12)",
    "size(word) > :five",
    "size(accent) = :three",
    "size(bytes) = :three",
    "size(texts) = :two",
    "size(queue) = :three",
    "size(doc) = :two",
    "size(blank) < :one",
    "five = :five AND ten = :ten",
    "five = :nine OR ten = :ten",
    "five = :five OR five = :nine AND ten = :nine",
    "NOT five = :nine AND ten = :ten",
    "NOT (five = :nine OR ten = :nine)",
    "(five) = (:five)",
    "(doc.nest).leaf = :y",
    "five BETWEEN :one AND :nine AND ten = :ten",
]

FALSE = [
    "five = :text",
    "five = :nine",
    "gone = :five",
    "gone < :five",
    "gone = absent",
    "word < :five",
    "word BETWEEN :one AND :nine",
    "gone IN (:five, :one)",
    "yes = :text",
    "nay = :yes",
    "attribute_exists(gone)",
    "attribute_exists(queue[9])",
    "attribute_exists(word[0])",
    "attribute_type(gone, :s)",
    "begins_with(five, :ban)",
    "begins_with(word, :b1)",
    "contains(five, :five)",
    "contains(texts, :five)",
    "contains(gone, :a)",
    "contains(doc, :y)",
    "size(five) = :one",
    "size(gone) = :one",
    "NOT gone <> :five",
]


@pytest.mark.parametrize("text", TRUE)
def test_holds(holds, text):
    assert holds(text, ITEM, _used(text)) is True


@pytest.mark.parametrize("text", FALSE)
def test_does_not_hold(holds, text):
    assert holds(text, ITEM, _used(text)) is False


def _used(text):
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return {key: value for key, value in VALUES.items() if key in words}


def test_keywords_may_be_written_in_any_case(holds):
    text = "five bEtWeEn :one aNd :nine oR nOt ten iN (:ten)"
    assert holds(text, ITEM, {key: VALUES[key] for key in (":one", ":nine", ":ten")})


def test_names_with_dots_and_spaces_are_reached_through_placeholders(holds):
    item = {"a.b c": {"M": {"size": {"N": "1"}}}}
    assert holds("#odd.#size = :one", item, {":one": {"N": "1"}}, odd="a.b c", size="size")


def test_whitespace_of_every_kind_separates(holds):
    assert holds("five\t=\r\n  :five", ITEM, {":five": {"N": "5"}})
    assert holds("five=:five", ITEM, {":five": {"N": "5"}})


def test_numbers_compare_beyond_the_precision_of_floats(holds):
    item = {"n": {"N": "12345678901234567890123456789012345678"}}
    assert holds("n > :v", item, {":v": {"N": "12345678901234567890123456789012345677"}})
    assert holds("n < :v", item, {":v": {"N": "1E+100"}})

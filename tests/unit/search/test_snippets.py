"""What is shown of a text on one line: where a paragraph ends, its script decides whether a space is left."""

import pytest

from almanac.search.hits import build_marker, build_snippet
from almanac.search.query_parser import parse_query


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("お答えします。\n\u3000法案は二つあります。", "お答えします。法案は二つあります。"),
        ("（拍手）\n\u3000次に進みます。", "（拍手）次に進みます。"),
        ("午後一時開議\n日程第一", "午後一時開議 日程第一"),
        ("It was read.\n\nIt was passed.", "It was read. It was passed."),
    ],
)
def test_the_end_of_a_paragraph_leaves_a_space_only_where_sentences_have_one(text, shown):
    spans = build_snippet(text, build_marker(parse_query("")))
    assert "".join(span.text for span in spans) == shown

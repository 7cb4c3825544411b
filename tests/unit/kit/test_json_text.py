"""Texts for people are stored in English, and what can't be stored says so."""

import pytest

from almanac.kit.json_text import encode_json, to_builtins
from almanac.kit.messages import gettext, speaking


def test_a_text_for_people_is_stored_in_english():
    with speaking("de"):
        assert encode_json({"why": gettext("Sign in")}) == b'{"why":"Sign in"}'
        assert to_builtins({"why": [gettext("Sign in")]}) == {"why": ["Sign in"]}


def test_what_has_no_json_form_is_refused():
    with pytest.raises(TypeError, match="object can't be written as JSON"):
        encode_json({"x": object()})

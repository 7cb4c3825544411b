"""A sentence stored in English is shown in the reader's language when one of our texts made it."""

import pytest

from almanac.kit.messages import gettext, ngettext, translate
from almanac.kit.stored_messages import translate_stored

STORED = [
    gettext("The source says %(expected)s, not %(claimed)s.", expected="5 dollars", claimed="6 dollars"),
    gettext("Cancelled by a person."),
    gettext(
        "Failed after %(attempt)s attempts: %(reason)s", attempt=3, reason=gettext("Sending stopped unexpectedly.")
    ),
    ngettext("%(num)s new document", "%(num)s new documents", 1200),
]


@pytest.mark.parametrize("language", ["ja", "zh", "ms", "de"])
@pytest.mark.parametrize("message", STORED)
def test_it_is_said_as_if_it_had_never_been_stored(message, language):
    shown = translate_stored(str(message), language)
    assert shown == translate(message, language)
    assert shown != message


def test_anybody_elses_sentence_stays_as_it_is():
    assert translate_stored("550 5.1.1 no such user here", "de") == "550 5.1.1 no such user here"


def test_english_readers_get_it_unchanged():
    assert translate_stored("Cancelled by a person.", "en") == "Cancelled by a person."

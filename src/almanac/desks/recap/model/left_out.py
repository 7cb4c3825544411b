"""Why a sentence that a model wrote isn't shown, in words for people."""

from almanac.desks.recap.model.recap import LeftOutSentence
from almanac.kit.messages import gettext, join_texts, pgettext

_LEFT_OUT = {
    "unsupported": gettext("The record doesn't say this."),
    "decision": gettext("The sitting decided otherwise."),
    "instruction": gettext("It is addressed to machines."),
    "limit": gettext("More was written than could be used."),
}


def left_out_words(sentence: LeftOutSentence) -> str:
    """Why a sentence of a model is not shown."""
    quoted = pgettext("words", "”, “")
    words = gettext("“%(words)s”", words=join_texts(sentence.words, quoted)) if sentence.words else ""
    if sentence.kind == "uncovered":
        return gettext("The record doesn't confirm %(words)s.", words=words)
    if sentence.kind == "differs":
        return gettext("The record says “%(expected)s”, not %(words)s.", expected=sentence.expected, words=words)
    return _LEFT_OUT.get(sentence.kind, sentence.reason)

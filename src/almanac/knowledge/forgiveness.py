"""Whether the name of a source fits what is typed: spellings that count as one, and typing errors, as in search."""

import re

from almanac.language.spellings import fold_characters, spell_out_umlauts
from almanac.language.terms import fold_word
from almanac.search.corrections import allowed_edits, distance_of_beginning

_WORD = re.compile(r"\w+")


def fits_typed(typed: str, name: str) -> bool:
    """Whether each typed word is in the name, or begins almost as one of its words does."""
    forms = _forms(name)
    words = {word for form in forms for word in _WORD.findall(form)}
    return all(
        any(typed_form in form for typed_form in _forms(part) for form in forms) or _is_near(fold_word(part), words)
        for part in typed.split()
    )


def _forms(text: str) -> set[str]:
    """A text folded, and folded with its umlauts spelled out."""
    return {fold_characters(fold_word(form)) for form in (text, spell_out_umlauts(text) or text)}


def _is_near(word: str, words: set[str]) -> bool:
    edits = allowed_edits(word)
    return bool(edits) and any(distance_of_beginning(word, other, edits) <= edits for other in words)

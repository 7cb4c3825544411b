"""Other wordings of a sentence: without an opener that ties it to the one before."""

from almanac.desks.recap.model.parliaments.languages import LanguageRules
from almanac.desks.recap.model.parliaments.parliament import any_of


def wording_options(text: str, rules: LanguageRules) -> tuple[str, ...]:
    """The wordings of a sentence, the one that reads best by itself first and the speaker's own last."""
    alone = any_of(rules.openers).sub("", text, count=1)
    alone = alone[:1].upper() + alone[1:]
    return (alone, text) if alone and alone != text else (text,)

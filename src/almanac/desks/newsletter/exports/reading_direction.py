"""On which side a line of text begins, by its first letter that has a direction."""

import unicodedata

from almanac.desks.newsletter.publication.tree import Spans, plain_text


def begins_at_the_right(spans: Spans) -> bool | None:
    """Whether the first letter is of a script written from the right; nothing if no letter tells."""
    for character in plain_text(spans):
        match unicodedata.bidirectional(character):
            case "L":
                return False
            case "R" | "AL":
                return True
    return None

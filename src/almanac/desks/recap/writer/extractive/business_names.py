"""What business is called where people read it: by what it is about, as newspapers name it."""

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits
from almanac.kit.lazy import lazy_regex

# A title by its law alone: 放送法第七十条第二項の規定に基づき、承認を求めるの件; a speech says what is approved.
_BY_LAW = lazy_regex(r"\A[^、。]{2,20}法第[^、。]{2,20}の規定に(?:基づ|よ)")
_APPROVAL_OF = lazy_regex(r"は、(?P<what>[^、。][^。]{3,60}?)(?:について|につき)、?国会の(?:承認|承諾)を求め")
_AMENDING = lazy_regex(r"の一部を改正する(?:等の)?法律案\Z")


def what_is_approved(meeting: Meeting, title: str) -> tuple[str, int] | None:
    """What is approved where the title only names the law that asks for it, and the speech that tells; else None."""
    if not _BY_LAW.match(title):
        return None
    stated = ((_APPROVAL_OF.search(speech.text), speech.order) for speech in meeting.spoken)
    return next(((kanji_to_digits(match["what"]), order) for match, order in stated if match), None)


def newspaper_name(title: str) -> str:
    """A bill's title as newspapers write it: 水道法改正案 for 水道法の一部を改正する法律案."""
    return kanji_to_digits(_AMENDING.sub("改正案", title))

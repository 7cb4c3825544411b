"""The opening of a sentence that tells who spoke for which side about what: true by the reading of the debate."""

import re

from almanac.desks.recap.model.meeting import DIET, Meeting, Speech
from almanac.desks.recap.model.parliaments.record_reader import plain_name, trace_course
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.writer.multilingual.phrasebook import phrases_for

_REASON = r"(?:\s*[.:]|,?\s+(?:because|since|saying(?: that)?|arguing(?: that)?|weil|da|denn)\b)"


def remove_side_opening(text: str, meeting: Meeting, orders: tuple[int, ...]) -> str:
    """A sentence without “Ada Marsh spoke against the Coastal Homes Bill because”, if its only speech did so.

    What is left is still to be checked; it may be empty. A sentence with another speaker, side or heading stays whole.
    """
    parliament, speech = parliament_of(meeting), meeting.by_order.get(orders[0]) if len(orders) == 1 else None
    if parliament.id == DIET or speech is None:
        return text
    stance = phrases_for(parliament.language).stances.get(trace_course(meeting).reactions[speech.order], "")
    opening = _opening(speech, stance) if stance and plain_name(speech.speaker) else None
    return re.sub(opening, "", text, count=1).strip() if opening else text


def _opening(speech: Speech, stance: str) -> str:
    who = rf"{re.escape(plain_name(speech.speaker))}(?: \({re.escape(speech.position or speech.group or '')}\))?"
    headings = "|".join(re.escape(re.sub(r"\s*[\[(].*$", "", each)) for each in speech.heading_path if each)
    about = rf"(?:(?: of| gegen| für)?(?: the| das| den| die)? (?:{headings}|Bill|motion))?" if headings else ""
    side = re.escape(stance.rstrip(".")).replace(re.escape("{who}"), who)
    return rf"^{side}{about}{_REASON}"

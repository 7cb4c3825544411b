"""Sittings of the Commons as a source returns them, written for these tests."""

from collections.abc import Sequence
from datetime import date

from msgspec import UNSET

from almanac.desks.recap.model.meeting import Meeting, Speech, SpeechKind, with_ordered_speeches

SECRETARY = "The Secretary of State for the Environment"


def said(speaker: str, text: str, *, group: str | None = None, position: str | None = None) -> Speech:
    """Something that somebody said."""
    return Speech(order=0, speaker=speaker, text=text, group=group, position=position)


def noted(text: str, kind: SpeechKind = "note") -> Speech:
    """Something that the record reports."""
    return Speech(order=0, text=text, kind=kind)


def sitting(*parts: tuple[Sequence[str], Sequence[Speech]], house: str = "House of Commons") -> Meeting:
    """A sitting: headings, each with the speeches under it."""
    placed = [(tuple(headings), speech) for headings, speeches in parts for speech in speeches]
    speeches = tuple(
        Speech(
            order=order,
            speaker=speech.speaker,
            text=speech.text,
            group=speech.group,
            position=speech.position,
            kind=speech.kind,
            headings=headings or UNSET,
        )
        for order, (headings, speech) in enumerate(placed, 1)
    )
    return with_ordered_speeches(
        Meeting(
            issue_id="uk-commons-2026-06-02",
            session=2024,
            house=house,
            meeting="Chamber",
            date=date(2026, 6, 2),
            speeches=speeches,
            parliament="uk",
        )
    )


def coastal_homes() -> Meeting:
    """Oral questions, then the Second Reading of a bill with a division."""
    return sitting(
        (
            ("Oral Answers to Questions", "Environment", "Flood Defences"),
            (
                said(
                    "Ada Marsh", "What steps she is taking to repair flood defences on the east coast?", group="Green"
                ),
                said(
                    "Priya Holt",
                    "We are investing £240 million in flood defences on the east coast over three years.",
                    position=SECRETARY,
                ),
                said(
                    "Ada Marsh",
                    "I thank the Secretary of State for her answer. Residents of Skipsea have lost eleven homes since "
                    "2020. When will the sea wall be rebuilt?",
                    group="Green",
                ),
                said("Priya Holt", "Work on the sea wall will begin in March 2027.", position=SECRETARY),
            ),
        ),
        (
            ("Coastal Homes Bill [Lords]",),
            (
                said("Lindsay Hoyle", "I call the Secretary of State."),
                said(
                    "Priya Holt",
                    "I beg to move, That the Bill be now read a Second time. The Bill will require councils to warn "
                    "buyers of homes within 50 metres of an eroding cliff. “Condemned home” means a home that a "
                    "council has ordered to be left within twelve months.",
                    position=SECRETARY,
                ),
                said(
                    "Tom Reed",
                    "We cannot support this Bill because it leaves councils to pay for the demolition of homes. Of "
                    "course the coast needs help. But the Bill puts an unfair burden of £90 million on local "
                    "taxpayers.",
                    group="Conservative",
                ),
                said(
                    "Jo Lane",
                    "I rise to support the Bill, which is long overdue. My constituents will benefit from honest "
                    "warnings before they buy a home.",
                    group="Liberal Democrat",
                ),
                noted("Question put, That the Bill be now read a Second time."),
                noted("The House divided: Ayes 312, Noes 188.", "division"),
                noted("Question accordingly agreed to.\nBill accordingly read a Second time."),
            ),
        ),
        (
            ("Coastal Homes Bill [Lords] (Programme)",),
            (
                noted(
                    "Motion made, and Question put forthwith (Standing Order No. 83A(7)), That the following "
                    "provisions shall apply to the Coastal Homes Bill [Lords]: Committal.\nQuestion agreed to."
                ),
            ),
        ),
        (
            ("Adjournment",),
            (
                noted(
                    "Motion made, and Question proposed, That this House do now adjourn.—(Anna Field.)\nQuestion put "
                    "and agreed to.\nHouse adjourned at two minutes past Seven o’clock."
                ),
            ),
        ),
    )

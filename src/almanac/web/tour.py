"""The tour of the first visit: three steps that explain what the product promises, each with a page to open."""

from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.kit.messages import gettext, pgettext

END_TOUR_PATH = "/tour/end"


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step of the tour: its short name, what it explains, and a page that shows it."""

    name: str
    title: str
    text: str
    look: str
    href: str


TOUR_STEPS = (
    TourStep(
        gettext("Your day"),
        gettext("Nothing gets lost: your work is on this page"),
        gettext(
            "Decisions, unfinished drafts and failed work are listed here, oldest first, then what to do and to read."
            " Everything else runs in the background, is retried when it fails, and is told under Happened."
        ),
        gettext("See your list"),
        "#decide",
    ),
    TourStep(
        gettext("Sources"),
        gettext("Nothing is made up: every sentence has a source"),
        gettext(
            "Every written sentence names its source, and rules compare the two: figures, dates, names and words."
            " They can miss a changed meaning, so read what matters. If something was left out, its page says why."
        ),
        gettext("Look up a link"),
        "/news/fate",
    ),
    TourStep(
        pgettext("tour", "Sending"),
        gettext("Nothing is sent twice or without your approval"),
        gettext(
            "Reminders go out only after somebody approved their exact text; any later change needs a new approval."
            " Each is sent once. If it's unclear whether one was sent, somebody checks before anything else goes out."
        ),
        gettext("See drafts to decide"),
        "/reminders",
    ),
)


@dataclass(frozen=True, slots=True)
class Tour:
    """The current step of the tour, counted from 0."""

    current: int

    @property
    def step(self) -> TourStep:
        return TOUR_STEPS[self.current]

    @property
    def links(self) -> list[tuple[str, str]]:
        """Label and URL of every step, for the stepper macro."""
        return [(step.name, tour_url(number)) for number, step in enumerate(TOUR_STEPS)]

    @property
    def back(self) -> str:
        return tour_url(self.current - 1) if self.current else ""

    @property
    def onwards(self) -> str:
        return tour_url(self.current + 1) if self.current + 1 < len(TOUR_STEPS) else ""


def tour_url(number: int) -> str:
    """The URL of a step."""
    return f"/?tour={number + 1}"


def get_tour(principal: Principal, requested: str | None) -> Tour | None:
    """The requested step, or the first one until the person has ended the tour."""
    if requested is not None and requested.isdecimal() and 1 <= int(requested[:3]) <= len(TOUR_STEPS):
        return Tour(int(requested[:3]) - 1)
    is_new = principal.via == "session" and not principal.preferences.toured
    return Tour(0) if is_new else None

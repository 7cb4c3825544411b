"""The tour of the first visit: three steps that say what this place promises, each with something to look at."""

from dataclasses import dataclass

from almanac.accounts.model import Principal

END_TOUR_PATH = "/tour/end"


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step: its short name, what it teaches, and a place where that is seen."""

    name: str
    title: str
    text: str
    look: str
    href: str


TOUR_STEPS = (
    TourStep(
        "What waits for you",
        "Nothing is lost: what needs you is on this page",
        "Drafts to go on with, decisions to make and work that failed are listed here, the longest-waiting first."
        " Everything else runs by itself, is tried again when it fails, and says here what came of it.",
        "See what waits",
        "#waits",
    ),
    TourStep(
        "Where it came from",
        "Nothing is invented: everything says where it came from",
        "Every sentence that was written for you names its source, and code checks that the source says so."
        " Whatever was left out or refused keeps its reason: ask why something is not here.",
        "Ask why something is not here",
        "/news/fate",
    ),
    TourStep(
        "What leaves",
        "Nothing is sent twice, and nothing leaves without a person",
        "Mail to customers goes out only after somebody approved exactly that text; any later change asks again."
        " Each is sent once, and one in doubt is settled before anything else happens.",
        "See the drafts to decide",
        "/reminders",
    ),
)


@dataclass(frozen=True, slots=True)
class Tour:
    """The step that is shown, counted from nothing."""

    current: int

    @property
    def step(self) -> TourStep:
        return TOUR_STEPS[self.current]

    @property
    def links(self) -> list[tuple[str, str]]:
        """Every step with its address, as the stepper takes them."""
        return [(step.name, tour_url(number)) for number, step in enumerate(TOUR_STEPS)]

    @property
    def back(self) -> str:
        return tour_url(self.current - 1) if self.current else ""

    @property
    def onwards(self) -> str:
        return tour_url(self.current + 1) if self.current + 1 < len(TOUR_STEPS) else ""


def tour_url(number: int) -> str:
    """Where a step is shown."""
    return f"/?tour={number + 1}"


def get_tour(principal: Principal, asked: str | None) -> Tour | None:
    """The step that was asked for, or the first one until the person has ended the tour."""
    if asked is not None and asked.isdecimal() and 1 <= int(asked[:3]) <= len(TOUR_STEPS):
        return Tour(int(asked[:3]) - 1)
    is_new = principal.via == "session" and not principal.preferences.toured
    return Tour(0) if is_new else None

"""One sentence that says what will be written, as the configuration stands."""

from almanac.desks.newsletter.model.configuration import AUDIENCES, FORMATS, Configuration, Tone
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan

_LOW, _HIGH = 35, 65
_MANNERS = {
    (False, False): "friendly and plain",
    (False, True): "friendly but technical",
    (True, False): "professional and plain",
    (True, True): "professional and technical",
}
_ARTICLES = {"email": "an e-mail", "pdf": "a PDF", "web": "a web page", "html": "an HTML file"}


def describe(configuration: Configuration, plan: RetrievalPlan) -> str:
    """What will be written, for whom, from what."""
    length = configuration.length
    kind = _ARTICLES.get(configuration.format_type, FORMATS.get(configuration.format_type, "an issue"))
    focus = f" about {configuration.geographic_focus}" if configuration.geographic_focus else ""
    return (
        f"{_capitalised(_when(configuration.frequency))}: {kind} of {length.fewest:,} to {length.most:,} words "
        f"for {_joined(configuration.target_audience)}{focus}, {manner(configuration.tone)}, written from up to "
        f"{plan.chunks} sources of the last {plan.days} days."
    )


def manner(tone: Tone) -> str:
    """How a tone sounds, in words."""
    middling = _LOW < tone.professional < _HIGH and _LOW < tone.technical < _HIGH
    return "balanced in tone" if middling else _MANNERS[tone.professional >= 50, tone.technical >= 50]


def _when(frequency: str) -> str:
    return "on your own schedule" if frequency == "custom" else frequency


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _joined(names: tuple[str, ...]) -> str:
    words = ["yourself" if name == "myself" else AUDIENCES.get(name, name).lower() for name in names] or ["readers"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

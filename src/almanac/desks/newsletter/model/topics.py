"""Step 2: the twelve topic types in their groups, custom topics, and recommendations per audience."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.language.terms import search_terms

MAX_TOPICS, MAX_TOPIC_LENGTH = 30, 80
GROUPS: Mapping[str, str] = {
    "news": gettext("News"),
    "insights": gettext("Insights"),
    "opportunities": gettext("Opportunities"),
    "resources": gettext("Resources"),
}
_FOR_AUDIENCE: Mapping[str, tuple[str, ...]] = {
    "myself": ("breaking_news", "policy_updates", "research_findings"),
    "researchers": ("research_findings", "publications", "funding", "climate_smart"),
    "development_partners": ("food_security", "project_updates", "policy_updates", "funding"),
    "policy_makers": ("policy_updates", "food_security", "market_access", "breaking_news"),
    "ag_tech_industry": ("technology_innovation", "market_access", "funding", "events"),
    "field_staff": ("project_updates", "livestock", "climate_smart", "events"),
    "farmers": ("climate_smart", "livestock", "market_access", "technology_innovation"),
}


@dataclass(frozen=True, slots=True)
class TopicType:
    """A topic type: its key, the display name it is stored under, and its search words."""

    key: str
    name: str
    group: str
    words: tuple[str, ...]


TOPIC_TYPES: tuple[TopicType, ...] = (
    TopicType(
        "breaking_news",
        "Breaking News & Updates",
        "news",
        ("announced", "emergency", "alert", "warning", "outbreak", "crisis", "launched", "declared"),
    ),
    TopicType(
        "policy_updates",
        "Policy Updates",
        "news",
        ("policy", "minister", "government", "regulation", "parliament", "law", "strategy", "agreement"),
    ),
    TopicType(
        "food_security",
        "Food Security",
        "news",
        ("food", "hunger", "famine", "nutrition", "malnutrition", "harvest", "IPC", "aid"),
    ),
    TopicType(
        "research_findings",
        "Research Findings",
        "insights",
        ("study", "research", "researchers", "findings", "trial", "survey", "evidence", "analysis"),
    ),
    TopicType(
        "technology_innovation",
        "Technology & Innovation",
        "insights",
        ("technology", "digital", "mobile", "satellite", "innovation", "data", "app", "sensor"),
    ),
    TopicType(
        "climate_smart",
        "Climate-Smart Agriculture",
        "insights",
        ("climate", "drought", "rainfall", "irrigation", "adaptation", "resilience", "forecast", "soil"),
    ),
    TopicType(
        "market_access",
        "Market Access",
        "insights",
        ("market", "price", "trade", "export", "traders", "border", "value", "demand"),
    ),
    TopicType(
        "project_updates",
        "Project Updates",
        "insights",
        ("project", "programme", "phase", "implementation", "beneficiaries", "pilot", "partners", "target"),
    ),
    TopicType(
        "livestock",
        "Livestock",
        "insights",
        ("livestock", "cattle", "camels", "goats", "pasture", "pastoralists", "vaccination", "herders"),
    ),
    TopicType(
        "funding",
        "Funding Opportunities",
        "opportunities",
        ("grant", "funding", "fund", "call", "proposals", "applications", "deadline", "loan"),
    ),
    TopicType(
        "events",
        "Events",
        "opportunities",
        ("conference", "workshop", "webinar", "forum", "training", "summit", "meeting", "register"),
    ),
    TopicType(
        "publications",
        "Publications",
        "resources",
        ("report", "publication", "guide", "manual", "toolkit", "dataset", "bulletin", "published"),
    ),
)
_BY_KEY = {topic.key: topic for topic in TOPIC_TYPES}
_BY_NAME = {topic.name.casefold(): topic for topic in TOPIC_TYPES}

# Topics are stored by their English names; readers see them in their language.
TOPIC_LABELS: Mapping[str, str] = {
    str(label): label
    for label in (
        gettext("Breaking News & Updates"),
        gettext("Policy Updates"),
        gettext("Food Security"),
        gettext("Research Findings"),
        gettext("Technology & Innovation"),
        gettext("Climate-Smart Agriculture"),
        gettext("Market Access"),
        gettext("Project Updates"),
        gettext("Livestock"),
        gettext("Funding Opportunities"),
        gettext("Events"),
        gettext("Publications"),
    )
}


def find_topic_type(name: str) -> TopicType | None:
    """The type with this display name or key; None for a custom topic."""
    return _BY_KEY.get(name) or _BY_NAME.get(name.casefold())


def topic_words(name: str) -> tuple[str, ...]:
    """The search words of a type, or the name of a custom topic."""
    topic = find_topic_type(name)
    return topic.words if topic else (name,)


def clean_topics(given: Iterable[str]) -> tuple[str, ...]:
    """Topics as they are stored: display names without duplicates. Raises FieldErrors."""
    names: dict[str, str] = {}
    for text in given:
        topic = find_topic_type(one_line(text))
        name = topic.name if topic else one_line(text)
        if not name or len(name) > MAX_TOPIC_LENGTH:
            raise FieldErrors(
                {"selected_types": gettext("A topic has 1 to %(limit)s characters.", limit=MAX_TOPIC_LENGTH)}
            )
        if not search_terms(name):
            raise FieldErrors({"selected_types": gettext("A topic needs a word or a number.")})
        names.setdefault(name.casefold(), name)
    if len(names) > MAX_TOPICS:
        raise FieldErrors({"selected_types": gettext("Choose at most %(limit)s topics.", limit=MAX_TOPICS)})
    return tuple(names.values())


def recommend_topics(audiences: Iterable[str]) -> tuple[TopicType, ...]:
    """The types that suit these audiences, the most suitable first."""
    votes: dict[str, int] = {}
    for audience in audiences:
        for place, key in enumerate(_FOR_AUDIENCE.get(audience, ())):
            votes[key] = votes.get(key, 0) + 10 - place
    order = {topic.key: at for at, topic in enumerate(TOPIC_TYPES)}
    return tuple(_BY_KEY[key] for key in sorted(votes, key=lambda key: (-votes[key], order[key])))

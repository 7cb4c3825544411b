"""The eight query tasks that come with the desk, to begin from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """A task to begin from: its name, what it looks for, and how often."""

    name: str
    prompt: str
    schedule: str


TEMPLATES = (
    Template("Renewable energy in Malaysia", "Malaysia renewable energy news {month}", "daily"),
    Template("Renewable energy in ASEAN", "ASEAN renewable energy news {month}", "daily"),
    Template("Solar in Malaysia", "Malaysia solar energy LSS rooftop NEM news {month}", "daily"),
    Template("Electric vehicles in Malaysia", "Malaysia electric vehicles EV charging news {month}", "daily"),
    Template("Electric vehicles in ASEAN", "ASEAN electric vehicles battery factory news {month}", "daily"),
    Template("Energy policy in ASEAN", "ASEAN energy policy tariff regulation power grid news {month}", "daily"),
    Template("Energy technology", "energy storage battery hydrogen solar technology news {month}", "daily"),
    Template("AI and energy", "artificial intelligence data centre energy demand news {month}", "daily"),
)

"""The fixed words around a record's own in an article: labels, headings, and how a decision is told."""

from collections.abc import Mapping
from dataclasses import dataclass

from almanac.desks.recap.model.parliaments.parliament import Language
from almanac.desks.recap.model.recap import Reaction
from almanac.desks.recap.model.record import Outcome


@dataclass(frozen=True, kw_only=True)
class Phrasebook:
    """Texts with `{…}` for the record's words.

    `verbs` tell an outcome after the subject, `count` and `undivided` how it was reached; `headlines` are shorter.
    `sections` are the headings of a speech's notes and of the detailed level by what the speech does.
    """

    verbs: Mapping[Outcome, str]
    otherwise: str
    sentence: str
    count: str
    undivided: str
    plain: Mapping[Outcome, str]
    plain_otherwise: str
    plain_count: str
    headline: str
    headline_count: str
    more_decisions: tuple[str, str]
    dealt_with: str
    and_others: str
    discussed: str
    on_agenda: str
    asked_on: str
    speaker: str
    speaker_group: str
    attributed: str
    stances: Mapping[Reaction, str]
    stances_on: Mapping[Reaction, str]
    sections: Mapping[Reaction, str]
    agenda: str
    result: str
    procedure: str
    position: str
    reasons: str
    points: str
    vote: str
    and_word: str


_ENGLISH = Phrasebook(
    verbs={
        "agreed": "was agreed to",
        "passed": "was agreed to",
        "approved": "was approved",
        "rejected": "was rejected",
        "withdrawn": "was withdrawn",
        "introduced": "was introduced",
        "referred": "was referred to a committee",
        "amended": "was agreed to as amended",
        "adopted": "was adopted",
    },
    otherwise="was decided",
    sentence="{subject} {verb}{how}.",
    count=" by {ayes} votes to {noes}",
    undivided=" without a division",
    plain={
        "agreed": "The House said yes to this: {subject}.",
        "passed": "The House said yes to this: {subject}.",
        "approved": "The House said yes to this: {subject}.",
        "rejected": "The House said no to this: {subject}.",
        "withdrawn": "This was withdrawn: {subject}.",
        "introduced": "This was introduced: {subject}.",
        "referred": "A committee will look at this: {subject}.",
    },
    plain_otherwise="The House decided on this: {subject}.",
    plain_count=" {ayes} voted for and {noes} against.",
    headline="{subject} {verb}",
    headline_count=", {ayes} to {noes}",
    more_decisions=("; {count} more decision", "; {count} more decisions"),
    dealt_with="{titles} debated",
    and_others="{titles} and {count} more",
    discussed="Debate on {titles}",
    on_agenda="On the agenda: {titles}.",
    asked_on="Questions on {titles}",
    speaker="{name}",
    speaker_group="{name} ({group})",
    attributed="{who}: {text}",
    stances={"賛成": "{who} spoke in favour.", "反対": "{who} spoke against."},
    stances_on={"賛成": "{who} spoke in favour of the {item}.", "反対": "{who} spoke against the {item}."},
    sections={
        "質問": "Question",
        "答弁": "Answer",
        "趣旨説明": "Opening speech",
        "報告": "Statement",
        "賛成": "In favour",
        "反対": "Against",
        "意見": "Speech",
        "動議": "Motion",
        "採決": "Vote",
    },
    agenda="Agenda",
    result="Result",
    procedure="Procedure",
    position="Position",
    reasons="Reasons",
    points="Main points",
    vote="Vote",
    and_word="and",
)

_GERMAN = Phrasebook(
    verbs={
        "agreed": "angenommen",
        "passed": "angenommen",
        "approved": "angenommen",
        "rejected": "abgelehnt",
        "withdrawn": "zurückgezogen",
        "introduced": "eingebracht",
        "referred": "an den Ausschuss überwiesen",
        "amended": "in geänderter Fassung angenommen",
        "adopted": "angenommen",
    },
    otherwise="entschieden",
    sentence="{subject}: {verb}{how}.",
    count=" mit {ayes} zu {noes} Stimmen",
    undivided="",
    plain={
        "agreed": "Das Parlament hat Ja gesagt: {subject}.",
        "passed": "Das Parlament hat Ja gesagt: {subject}.",
        "approved": "Das Parlament hat Ja gesagt: {subject}.",
        "rejected": "Das Parlament hat Nein gesagt: {subject}.",
        "withdrawn": "Das wurde zurückgezogen: {subject}.",
        "introduced": "Das wurde eingebracht: {subject}.",
        "referred": "Damit befasst sich nun ein Ausschuss: {subject}.",
    },
    plain_otherwise="Das Parlament hat darüber entschieden: {subject}.",
    plain_count=" {ayes} stimmten dafür, {noes} dagegen.",
    headline="{subject}: {verb}",
    headline_count=", {ayes} zu {noes}",
    more_decisions=("; {count} weiterer Beschluss", "; {count} weitere Beschlüsse"),
    dealt_with="{titles} beraten",
    and_others="{titles} und {count} weitere",
    discussed="Debatte: {titles}",
    on_agenda="Auf der Tagesordnung: {titles}.",
    asked_on="Fragen zu {titles}",
    speaker="{name}",
    speaker_group="{name} ({group})",
    attributed="{who}: {text}",
    stances={"賛成": "{who} sprach dafür.", "反対": "{who} sprach dagegen."},
    stances_on={"賛成": "{who} sprach für das Vorhaben „{item}“.", "反対": "{who} sprach gegen das Vorhaben „{item}“."},
    sections={
        "質問": "Frage",
        "答弁": "Antwort",
        "趣旨説明": "Einbringung",
        "報告": "Bericht",
        "賛成": "Dafür",
        "反対": "Dagegen",
        "意見": "Rede",
        "動議": "Antrag",
        "採決": "Abstimmung",
    },
    agenda="Tagesordnung",
    result="Ergebnis",
    procedure="Ablauf",
    position="Haltung",
    reasons="Gründe",
    points="Wichtigste Punkte",
    vote="Abstimmung",
    and_word="und",
)

_BOOKS: Mapping[Language, Phrasebook] = {"en": _ENGLISH, "de": _GERMAN}


def phrases_for(language: Language) -> Phrasebook:
    """The phrasebook of a language."""
    return _BOOKS[language]

"""What a parliament gives so that its sittings can be read: names, offices and the phrases of its procedure.

Patterns are regular expressions over single sentences of the record in the parliament's language. `docs/how-to/
add-a-parliament.md` builds a small one from nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Literal

from almanac.desks.recap.model.record import BillKind, Outcome

Language = Literal["ja", "en", "de"]
Patterns = tuple[str, ...]


@lru_cache(maxsize=512)
def any_of(patterns: Patterns) -> re.Pattern[str]:
    """One pattern for all, which must not have named groups; without any it matches nothing."""
    return re.compile("|".join(map(_enclosed, patterns)) or r"(?!)")


def _enclosed(pattern: str) -> str:
    """The pattern as a part of another; one that ignores case goes on doing so."""
    return f"(?i:{pattern[4:]})" if pattern.startswith("(?i)") else f"(?:{pattern})"


@lru_cache(maxsize=512)
def _compiled(patterns: Patterns) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)


def first_match(patterns: Patterns, text: str) -> re.Match[str] | None:
    """The match of the first pattern that has one; each may have named groups."""
    return next((match for pattern in _compiled(patterns) if (match := pattern.search(text))), None)


@dataclass(frozen=True, slots=True)
class ResultRule:
    """A sentence that announces a result, and what it means for the question that was put.

    A group `what` in the pattern names what was decided, for results without a question before them. A group `noun` is
    what the result calls it (“the amendment”) and `stage` at which stage; rules of questions then see both before the
    question, as in `amendment: …`.
    """

    pattern: str
    outcome: Outcome
    manner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRule:
    """What a question asks for, by its words: a reading, an amendment, a motion of a certain kind.

    `subject` is what was decided, with `{item}` for the title of the business and the pattern's own groups; without
    one the business itself is; `otherwise` is told where the record doesn't say which business it was. `carried` is what agreement means if it isn't mere agreement. A question on
    `whole_bill` decides about the bill; others, such as amendments, leave the bill without a result. A formal question
    concerns the conduct of the sitting and is no decision that readers see.
    """

    pattern: str
    subject: str = "{item}"
    otherwise: str = ""
    carried: Outcome | None = None
    whole_bill: bool = False
    is_formal: bool = False


@dataclass(frozen=True, slots=True)
class Presiding:
    """Somebody who presides over a house, in records that give only the name."""

    name: str
    since: date
    until: date | None = None


@dataclass(frozen=True, kw_only=True)
class ProcedureGrammar:
    """The phrases by which a sitting is followed. Only the chair and the notes of the record speak them.

    Headings of the record name the business, except those in `sections`, which only hold others together. Where a
    record has no headings, `opens` names it: patterns with a group `title`. `puts` are sentences that put a question,
    with a group `what`, and `moves` those by which a member moves one; a question that `points_back` (“the amendment be
    made”) is about what was moved or proposed before it. `counts` have the groups `ayes` and `noes`, which may stand in
    two sentences; where a `majority_decides`, a count without an announced result is a result.

    Under a heading that `joins`, several items are debated together, and each must be named to be decided. `papers` have
    a group `number`: a note that lists an item gives it its numbers, by which a question may name it; `names` have a
    group `title` and tell how else it does. `title_forms` are replacements that give a title the same words wherever it
    is named.
    """

    chair: Patterns
    chair_words: Patterns = ()
    presiding: tuple[Presiding, ...] = ()
    sections: Patterns = ()
    joins: Patterns = ()
    papers: Patterns = ()
    names: Patterns = ()
    opens: Patterns = ()
    moves: Patterns = ()
    puts: Patterns = ()
    points_back: Patterns = ()
    counts: Patterns = ()
    majority_decides: bool = False
    results: tuple[ResultRule, ...] = ()
    questions: tuple[QuestionRule, ...] = ()
    motion_on: str = "{item}"
    undivided: str = ""
    kinds: tuple[tuple[BillKind, str], ...] = ()
    title_notes: str = r"(?!)"
    title_forms: tuple[tuple[str, str], ...] = ()
    opened: Patterns = ()
    closed: Patterns = ()

    @cached_property
    def result_patterns(self) -> tuple[tuple[re.Pattern[str], ResultRule], ...]:
        return tuple((re.compile(rule.pattern), rule) for rule in self.results)

    @cached_property
    def question_patterns(self) -> tuple[tuple[re.Pattern[str], QuestionRule], ...]:
        return tuple((re.compile(rule.pattern), rule) for rule in self.questions)


@dataclass(frozen=True, kw_only=True)
class SpeechGrammar:
    """How speeches are told apart: who answers, which headings are questions to them, and what members open with.

    Under `question_headings`, and after a speech that opens with `asks`, members ask and the government answers. `explains` are the words by which the mover of a
    bill opens, `moves` those of other motions, `reports` those of a statement or a committee's report, `raises_order`
    those of a point of order. `in_favour` and `against` are sentences in which a member takes a side on the question.
    """

    officials: Patterns
    question_headings: Patterns = ()
    asks: Patterns = ()
    explains: Patterns = ()
    moves: Patterns = ()
    reports: Patterns = ()
    raises_order: Patterns = ()
    in_favour: Patterns = ()
    against: Patterns = ()
    formalities: Patterns = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Parliament:
    """A parliament. `houses` has the record's name of each house with the one that readers see.

    `sessions` are the first days of sessions with their numbers, for records that don't give the number.
    """

    id: str
    name: str
    language: Language
    houses: Mapping[str, str]
    source_url: str
    procedure: ProcedureGrammar | None = None
    speeches: SpeechGrammar | None = None
    sessions: tuple[tuple[date, int], ...] = ()

    def session_on(self, day: date) -> int:
        """The number of the session on a day; the year if the session isn't listed."""
        return next((number for first, number in reversed(self.sessions) if first <= day), day.year)

"""Checks each sentence of a draft against the chunks it cites: what blocks completion, and which words support it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from almanac.citations.model import PassageCitation, PassageLocation
from almanac.desks.newsletter.model.checks import SentenceConfirmation, VerdictCache
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.draft import DraftSection
from almanac.desks.newsletter.model.draft_text import fold_name
from almanac.desks.newsletter.model.newsletter import FullNewsletter, Newsletter
from almanac.desks.newsletter.urls import newsletter_path
from almanac.kit.messages import gettext, join_texts, ngettext
from almanac.verify import CheckedClaim, CitedClaim, ClaimKind, Verdict, VerificationReport
from almanac.verify.explanations import explain_fault
from almanac.verify.markers import read_claims
from almanac.verify.version import rules_version

_MAX_QUOTE_LENGTH = 1000
VERDICT_WORDS = {
    Verdict.SUPPORTED: gettext("Supported"),
    Verdict.UNCONFIRMED: gettext("Read this"),
    Verdict.CHANGED: gettext("Changed"),
    Verdict.UNSUPPORTED: gettext("Not supported"),
}


@dataclass(frozen=True, slots=True)
class CheckedSection:
    """A section with the verdict on each of its sentences, their keys, and who confirmed them."""

    section: DraftSection
    report: VerificationReport
    keys: tuple[str, ...]
    confirmations: Mapping[str, SentenceConfirmation] = field(default_factory=dict)

    @property
    def sentences(self) -> Iterator["SentenceStatus"]:
        """Every sentence with its key and confirmation, in order."""
        for key, checked in zip(self.keys, self.report.sentences, strict=True):
            confirmed = self.confirmations.get(key) if checked.verdict is Verdict.UNCONFIRMED else None
            yield SentenceStatus(key, checked, confirmed)

    @property
    def open_sentences(self) -> tuple["SentenceStatus", ...]:
        """The sentences that block completion."""
        return tuple(sentence for sentence in self.sentences if not sentence.is_finished)


@dataclass(frozen=True, slots=True)
class SentenceStatus:
    """A checked sentence. A confirmation counts only for an unconfirmed one: no person finishes a changed sentence."""

    key: str
    checked: CheckedClaim
    confirmation: SentenceConfirmation | None = None

    @property
    def is_finished(self) -> bool:
        return self.checked.verdict is Verdict.SUPPORTED or self.confirmation is not None

    @property
    def reason(self) -> str:
        """Why it isn't finished, in words for people."""
        return explain_fault(self.checked)


@dataclass(frozen=True, slots=True)
class CompletionObstacle:
    """Why the newsletter can't be completed yet; `section` is empty if it concerns the whole draft."""

    section: str
    sentence: str


def open_cache(full: FullNewsletter) -> VerdictCache:
    """The stored verdicts of a newsletter, ready to check its sentences."""
    return VerdictCache(full.checks.verdicts, full.sources, rules_version())


def check_sections(full: FullNewsletter, cache: VerdictCache | None = None) -> tuple[CheckedSection, ...]:
    """Every section of the draft; sentences without a stored verdict are checked against the retrieved chunks."""
    cache = cache or open_cache(full)
    return tuple(check_section(section, full, cache) for section in full.draft.draft.sections)


def check_section(section: DraftSection, full: FullNewsletter, cache: VerdictCache) -> CheckedSection:
    placed = read_claims(section.text)
    titles = {fold_name(chunk.title) for chunk in full.topics.chunks if chunk.title}
    return CheckedSection(
        section,
        VerificationReport(tuple(_accept_title(checked, titles) for checked in cache.check(placed))),
        tuple(cache.sentence_key(each.claim) for each in placed),
    )


def _accept_title(checked: CheckedClaim, titles: Collection[str]) -> CheckedClaim:
    """A heading that is the title of a source is the source's own words, even if its text is more exact."""
    is_title = checked.kind is ClaimKind.HEADING and fold_name(checked.text) in titles
    return replace(checked, verdict=Verdict.SUPPORTED, findings=(), uncovered=()) if is_title else checked


def list_cited_chunks(checked: tuple[CheckedSection, ...]) -> tuple[str, ...]:
    """The ids of the cited chunks, in the order of first citation."""
    cited = (
        chunk_id for section in checked for sentence in section.report.sentences for chunk_id in sentence.references
    )
    return tuple(dict.fromkeys(cited))


def list_obstacles(full: FullNewsletter, checked: tuple[CheckedSection, ...]) -> list[CompletionObstacle]:
    """What blocks completion, in the order of the text."""
    if not any(section.section.text.strip() for section in checked):
        return [CompletionObstacle("", gettext("There is no draft yet; generate one or write it yourself."))]
    planned = {section.id for section in full.outline.outline.to_write}
    missing = planned - {section.section.id for section in checked}
    obstacles = [_missing_sections(len(missing))] if missing else []
    return obstacles + [obstacle for section in checked if (obstacle := _section_obstacle(section)) is not None]


def list_remarks(checked: tuple[CheckedSection, ...]) -> list[str]:
    """What a person should know before exporting, but what doesn't block it."""
    empty = [section.section.name for section in checked if not section.section.text.strip()]
    return [gettext("“%(name)s” is empty and is left out of exports.", name=name) for name in empty]


def _missing_sections(sections: int) -> CompletionObstacle:
    return CompletionObstacle(
        "",
        ngettext(
            "The outline has %(num)s section missing from the draft; generate it again.",
            "The outline has %(num)s sections missing from the draft; generate it again.",
            sections,
        ),
    )


def _section_obstacle(checked: CheckedSection) -> CompletionObstacle | None:
    section, unfinished = checked.section, checked.open_sentences
    if not unfinished:
        return None
    to_read = sum(sentence.checked.verdict is Verdict.UNCONFIRMED for sentence in unfinished)
    faults = len(unfinished) - to_read
    without = ngettext("%(num)s sentence without support", "%(num)s sentences without support", faults)
    waiting = ngettext("%(num)s sentence to read", "%(num)s sentences to read", to_read)
    first = next((each for each in unfinished if each.checked.verdict is not Verdict.UNCONFIRMED), unfinished[0]).reason
    values = {"name": section.name, "without": without, "waiting": waiting, "reason": first}
    if faults and to_read:
        sentence = gettext("“%(name)s” has %(without)s and %(waiting)s: %(reason)s", **values)
    elif faults:
        sentence = gettext("“%(name)s” has %(without)s: %(reason)s", **values)
    else:
        sentence = gettext("“%(name)s” has %(waiting)s: %(reason)s", **values)
    return CompletionObstacle(section.id, sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTally:
    """How many sentences of a draft rest on what. Headings are not counted."""

    carried: int
    judged: Mapping[str, int]
    confirmed: Mapping[str, int]
    own: int
    to_read: int
    faults: int

    @property
    def total(self) -> int:
        checked = sum(self.judged.values()) + sum(self.confirmed.values())
        return self.carried + checked + self.own + self.to_read + self.faults

    @property
    def sentence(self) -> str:
        """What was found for how many sentences; empty without any."""
        if not self.total:
            return ""
        parts = [
            gettext("%(number)s whose facts and words the rules found in their source", number=self.carried)
            if self.carried
            else "",
            *(
                gettext("%(number)s judged by %(model)s", number=number, model=model)
                for model, number in self.judged.items()
            ),
            *(
                gettext("%(number)s read by %(person)s", number=number, person=person)
                for person, number in self.confirmed.items()
            ),
            gettext("%(number)s your own", number=self.own) if self.own else "",
            gettext("%(number)s to read", number=self.to_read) if self.to_read else "",
            gettext("%(number)s without support", number=self.faults) if self.faults else "",
        ]
        sentences = ngettext("%(num)s sentence", "%(num)s sentences", self.total)
        return gettext("%(sentences)s: %(parts)s.", sentences=sentences, parts=join_texts(filter(None, parts)))


def tally_checks(checked: Sequence[CheckedSection]) -> CheckTally:
    """Count the sentences of a draft by what they rest on."""
    sentences = [
        sentence
        for section in checked
        for sentence in section.sentences
        if sentence.checked.kind is not ClaimKind.HEADING
    ]
    supported = [sentence.checked for sentence in sentences if sentence.checked.verdict is Verdict.SUPPORTED]
    own = sum(claim.kind is ClaimKind.OWN for claim in supported)
    judged = Counter(claim.judged_by for claim in supported if claim.judged_by)
    confirmed = Counter(sentence.confirmation.by for sentence in sentences if sentence.confirmation is not None)
    unfinished = [sentence.checked.verdict for sentence in sentences if not sentence.is_finished]
    to_read = unfinished.count(Verdict.UNCONFIRMED)
    return CheckTally(
        carried=len(supported) - own - judged.total(),
        judged=judged,
        confirmed=confirmed,
        own=own,
        to_read=to_read,
        faults=len(unfinished) - to_read,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedPassage:
    """The sentence of a passage that matches best, by its position; `number` is that of the reference."""

    number: int
    chunk: RetrievedChunk
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedSentence:
    """A sentence of the draft, numbered from 0 within its section, and the quotes that support it.

    An editor's own sentence has none; an unconfirmed one may have a confirmation by a person.
    """

    section: str
    section_name: str
    number: int
    key: str
    checked: CheckedClaim
    confirmation: SentenceConfirmation | None
    rests_on: tuple[QuotedPassage, ...]


def trace_sentences(
    checked: Sequence[CheckedSection], chunks: Sequence[RetrievedChunk], cache: VerdictCache
) -> tuple[TracedSentence, ...]:
    """Every sentence that makes a claim, in the order of the text; references are numbered as in exports."""
    by_id = {chunk.id: chunk for chunk in chunks}
    numbers: dict[str, int] = {}
    return tuple(sentence for section in checked for sentence in _trace_section(section, by_id, numbers, cache))


def list_citation_uses(
    newsletter: Newsletter, traced: Sequence[TracedSentence], now: datetime
) -> list[tuple[PassageLocation, PassageCitation]]:
    """The passages of other desks that the issue cites, each once with its first quote."""
    uses: dict[str, tuple[PassageLocation, PassageCitation]] = {}
    for sentence in traced:
        for quoted in sentence.rests_on:
            chunk = quoted.chunk
            if chunk.place is not None and chunk.id not in uses:
                citation = PassageCitation(
                    code=newsletter.code,
                    title=newsletter.title,
                    owner_id=newsletter.owner_id,
                    passage=chunk.id,
                    path=f"{newsletter_path(newsletter.code, 'draft')}#section-{sentence.section}",
                    part=chunk.place.part,
                    quote=quoted.text[:_MAX_QUOTE_LENGTH],
                    cited_at=now,
                )
                uses[chunk.id] = (chunk.place, citation)
    return list(uses.values())


def _trace_section(
    checked: CheckedSection, chunks: Mapping[str, RetrievedChunk], numbers: dict[str, int], cache: VerdictCache
) -> Iterator[TracedSentence]:
    for number, sentence in enumerate(checked.sentences):
        claim = sentence.checked
        cited = [chunks[name] for name in claim.references if name in chunks]
        if claim.kind is ClaimKind.HEADING and not cited:
            continue
        for chunk in cited:
            numbers.setdefault(chunk.id, len(numbers) + 1)
        yield TracedSentence(
            section=checked.section.id,
            section_name=checked.section.name,
            number=number,
            key=sentence.key,
            checked=claim,
            confirmation=sentence.confirmation,
            rests_on=tuple(_nearest_quote(claim, chunk, numbers[chunk.id], cache) for chunk in cited),
        )


def _nearest_quote(sentence: CheckedClaim, chunk: RetrievedChunk, number: int, cache: VerdictCache) -> QuotedPassage:
    """The words of a chunk that match a sentence best."""
    if sentence.best_source != chunk.id:
        sentence = cache.check_claim(CitedClaim(sentence.text, (chunk.id,)))
    start, end = sentence.matched or (0, 0)
    return QuotedPassage(number=number, chunk=chunk, text=chunk.content[start:end], start=start, end=end)

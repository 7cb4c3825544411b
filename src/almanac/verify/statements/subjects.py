"""Finds a subject to which the source gives something else: another sentence's name, or subject and object swapped."""

from collections.abc import Iterator, Mapping, Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.han import HanName
from almanac.verify.names.latin import LatinName
from almanac.verify.names.mentions import NameMention, collect_han_cores, find_name_mentions
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import SourceSentence, SourceText
from almanac.verify.statements.marked_sentences import MarkedSentence, mark_sentence
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord

_HOME = 0.6
_FARTHEST = 2
_LONGEST_ROLE = 16
_NEAR_VERB = 4


def check_subjects(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """The first subject of the claim that is an object in the source."""
    return _check_swapped(claim, sentences) or _check_receiver(claim, sentences) or _check_compared(claim, sentences)


def check_named_subject(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> list[ClaimFinding]:
    """A name as the subject of what the source says of another name, or says far from any sentence with this name."""
    language = "zh" if language == "zh" else "ms"
    subject = _find_subject(facts, language)
    claim = mark_sentence(facts, language)
    others = [word for word in claim.words if not subject or not subject.start <= word.start < subject.end]
    if subject is None or not others:
        return []
    pool = [each for source in sources for each in source.sentences]
    own = [each for each in pool if _has_name(each, subject)]
    home = _find_home(others, [*alignment.sentences, *own, *(source.sentences[0] for source in sources)], language)
    if home is None or home in own or not own:
        return []
    is_near = any(each.number == 0 or 0 < home.number - each.number <= _FARTHEST for each in own)
    strange = _find_strange_name(facts, home, language)
    if is_near and strange is None:
        return []
    return [uncertain_difference(subject.text, strange or home.facts.text)]


def _find_home(others: Sequence[ContentWord], chosen: Sequence[SourceSentence], language: str) -> SourceSentence | None:
    """The sentence with most of these words; None where none has enough of them."""
    rated = [
        (
            sum(
                any(word.keys & each.carries for each in mark_sentence(sentence.facts, language).words)
                for word in others
            )
        )
        for sentence in chosen
    ]
    count = max(rated, default=0)
    return chosen[rated.index(count)] if count >= max(1, _HOME * len(others)) else None


def _find_subject(facts: SentenceFacts, language: str) -> NameMention | None:
    """The certain name that opens a claim, behind a role at most; None without one."""
    certain = {name.start for name in _certain_names(facts, language)}
    mentions = find_name_mentions(facts, collect_han_cores([facts], language))
    first = next((name for name in mentions if name.start in certain), None)
    return first if first and first.is_subject and first.start <= _LONGEST_ROLE else None


def _certain_names(facts: SentenceFacts, language: str) -> Iterator[LatinName | HanName]:
    yield from (name for name in facts.latin_names if name.is_certain and len(name.words) > 1)
    if language == "zh":
        yield from (name for name in facts.han_names("zh") if name.is_certain and not name.is_place)


def _find_strange_name(facts: SentenceFacts, home: SourceSentence, language: str) -> str | None:
    """A person or the like in the source's sentence whom the claim doesn't name."""
    certain = {name.start for name in _certain_names(home.facts, language)}
    for name in find_name_mentions(home.facts, collect_han_cores([home.facts], language)):
        is_named = name.text in facts.text or bool(name.keys & facts.word_keys)
        if (
            name.start in certain
            and name.is_subject
            and not is_named
            and not name.keys & read_words("institutional.txt")
        ):
            return name.text
    return None


def _has_name(sentence: SourceSentence, name: NameMention) -> bool:
    return name.text in sentence.facts.text or (name.text.isascii() and bool(name.distinctive_keys & sentence.words))


def _check_swapped(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`A urged B to train` for `B urged training`: the clause's subject stands behind its verb, another before it."""
    verbs = {marker.start: marker.text for marker in claim.markers("transitive")}
    for sentence in sentences:
        for clause in sentence.clauses:
            if claim.words and _is_swapped(claim.words, clause.words, verbs):
                return [uncertain_difference(claim.words[0].text, clause.words[0].text)]
    return []


def _is_swapped(claimed: Sequence[ContentWord], sourced: Sequence[ContentWord], verbs: Mapping[int, str]) -> bool:
    """Whether a verb in the same form has the clause's subject right behind it, and a word of another clause before."""
    if any(claimed[0].keys & word.carries for word in sourced):
        return False
    place = next((at for at, word in enumerate(claimed) if word.keys & sourced[0].carries), 0)
    verb = claimed[place - 1]
    same = any(word.text.casefold() == verb.text.casefold() for word in sourced[1:_NEAR_VERB])
    return 1 < place <= _NEAR_VERB and verb.start in verbs and same


def _check_receiver(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`A supplies B` for `B, with A as its customer, supplies it`: only where a word marks the receiver."""
    for marker in claim.markers("receiver"):
        before = [word for word in claim.words if word.end <= marker.start]
        after = claim.words_after(marker, 1)
        for sentence in sentences:
            giver, taker = (_find(words[0], sentence) if words else None for words in (before, after))
            if giver is not None and taker is not None and taker < giver and sentence.has("receiver"):
                return [uncertain_difference(before[0].text, sentence.text)]
    return []


def _check_compared(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`B is above A` where the same word of the source has A above B."""
    for marker in claim.markers("comparison"):
        before = [word for word in claim.words if word.end <= marker.start]
        after = claim.words_after(marker, 1)
        for sentence in sentences:
            for sourced in (each for each in sentence.markers("comparison") if each.text == marker.text):
                above = [word for word in sentence.words if word.end <= sourced.start]
                below = sentence.words_after(sourced, 1)
                if before and after and _have(before[:1], below) and _have(after, above):
                    return [uncertain_difference(before[0].text, sentence.text)]
    return []


def _have(claimed: Sequence[ContentWord], sourced: Sequence[ContentWord]) -> bool:
    return any(word.keys & each.carries for word in claimed for each in sourced)


def _find(word: ContentWord, sentence: MarkedSentence) -> int | None:
    """Where a sentence first has a word."""
    return next((each.start for each in sentence.words if word.keys & each.carries), None)

"""Whether a text agrees with what the sitting decided: results, counts, manner, house, posts and positions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from almanac.desks.recap.model.facts.business_names import alias_names, named_titles, short_names
from almanac.desks.recap.model.facts.claims import (
    ResultClaim,
    is_weak,
    list_claims,
    stated_counts,
    stated_method,
    states_majority,
    states_unanimity,
)
from almanac.desks.recap.model.facts.positions import Stance, confirmed_stances, contradicts_positions, list_stances
from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.facts.result_words import is_worded_alike, states_more, states_more_than_sides
from almanac.desks.recap.model.facts.speakers import is_chair
from almanac.desks.recap.model.facts.speech_text import spoken_sentences
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import HouseDecision
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

_ASPECTS = ("附帯決議", "修正案", "動議")
_UNANIMOUS = frozenset({"起立総員", "挙手総員", "総員起立", "総員挙手", "全会一致", "賛成総員", "総員", "異議なし"})
_DIVIDED = frozenset({"起立多数", "挙手多数", "賛成多数", "過半数", "多数", "起立少数", "挙手少数", "少数", "賛成少数"})
_HOUSES = {"衆院": "衆議院", "参院": "参議院", "衆議院": "衆議院", "参議院": "参議院"}
_BODY = lazy_regex(
    r"(?P<house>衆議院|参議院|衆院|参院)(?P<rest>[^、。（）をがは]{0,30}?委(?:員会)?(?=[でがはの）にを]|\Z)|本会議)?"
)
_SENT = lazy_regex(r"(?:衆議院|参議院|衆院|参院)(?:から)?(?:送付|提出|議員|規則|情報|憲法|回付)")
_PLENARY = "本会議"
_ENACTED = "成立"
_PERSON = lazy_regex(r"(?:\A|[、にのを及びちる])(?P<name>[^、。にのをは及びちる\s　]{2,12}?)君")
_MOVER = lazy_regex(r"[^、。にのをは及びる\s　]{2,12}君(?:外[^、。]{1,3}名)?提出")
_POST = lazy_regex(
    r"(?P<post>[^、。をは（）「」\s　]{2,30}?)に、?(?P<name>(?!指名|選任|任命|選出)[^、。をがには（）\s　]{2,12}?)"
    r"(?:君|氏|さん|議員)?(?:を|が|\Z)"
)
_GIVEN_POST = lazy_regex(r"(?P<name>[^、。をがには（）\s　]{2,12}?)(?:君|氏|さん|議員)を(?P<post>[^、。をに]{2,30})に")
_HOLDERS = lazy_regex(r"(?P<post>[^、。をに]{2,40})に(?P<names>[^をに]{2,400}?君)(?:を|\Z)")
_PREMIER = lazy_regex(r"(?P<name>[^、。]{2,12})君を(?:.*)(?P<post>内閣総理大臣)に指名")
_BALLOTS = lazy_regex(
    r"(?P<name>[^、。をがはに\s　（）]{2,12}?)(?:君|氏|さん|議員)?(?:が|は|に|の得票は|、)?"
    rf"(?P<votes>{NUMERAL_PATTERN})票"
)
_APPOINTED = lazy_regex(r"指名|選任|選出|任命|当選|就任|同意")
_RESIGNED = lazy_regex(r"辞[任職]")
_RESIGNATION = lazy_regex(
    r"(?P<name>[^、。をがはに\s　（）]{2,30})(?:君|氏|さん|議員)の[^、。]{0,20}?辞[任職](?:が|を|は|の許可)"
)
_AS_IT_WAS = lazy_regex(r"原案(?:の?[とど]おり|通り)")
_AMENDED = lazy_regex(r"修正議決|修正(?:の上|のうえ|して|可決|のうえで)")
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class SittingFacts:
    """What a text about a sitting is held against; `titles` has all business, decided or not."""

    house: str
    meeting: str
    decisions: tuple[HouseDecision, ...]
    titles: tuple[str, ...]
    sent_by_other_house: frozenset[str]
    stances: tuple[Stance, ...]
    aliases: Mapping[str, tuple[str, ...]]
    said: tuple["SaidResult", ...] = ()


@dataclass(frozen=True, slots=True)
class SaidResult:
    """A result that a speaker other than the chair told of, such as what another house decided."""

    order: int
    word: str
    pairs: frozenset[str]


def gather_facts(meeting: Meeting) -> SittingFacts:
    """The facts of a sitting that a text can contradict."""
    facts = read_facts(meeting)
    other = "参議院" if meeting.house == "衆議院" else "衆議院"
    sent = (
        bill.title
        for bill in facts.bills
        if any(note.startswith((f"{other}送付", f"{other}提出")) for note in bill.notes)
    )
    titles = tuple(dict.fromkeys(item.title for item in facts.agenda))
    return SittingFacts(
        house=meeting.house,
        meeting=meeting.meeting,
        decisions=facts.decisions,
        titles=titles,
        sent_by_other_house=frozenset(sent),
        stances=list_stances(meeting),
        aliases=alias_names(meeting, titles),
        said=tuple(_said_results(meeting)),
    )


def _said_results(meeting: Meeting) -> Iterator[SaidResult]:
    for speech in meeting.spoken:
        if is_chair(speech):
            continue
        for sentence in spoken_sentences(speech):
            for claim in list_claims(sentence.text):
                yield SaidResult(speech.order, claim.word, _pairs(claim.part))


def _pairs(text: str) -> frozenset[str]:
    """The neighbouring characters of a text, by which wordings are compared."""
    plain = re.sub(r"[\s　、。「」（）]", "", text)
    return frozenset(first + second for first, second in pairwise(plain))


def _is_said(claim: ResultClaim, facts: SittingFacts, orders: Sequence[int]) -> bool:
    """Whether a speaker said the same of something that the sitting itself didn't decide."""
    pairs = _pairs(claim.part)
    return any(
        each.word == claim.word and len(pairs & each.pairs) >= _ALIKE * len(pairs)
        for each in facts.said
        if not orders or each.order in orders
    )


def contradicts_record(text: str, facts: SittingFacts, orders: Sequence[int] = ()) -> bool:
    """Whether a text states a result, a count, a post or a side that the sitting doesn't have.

    Each claim is held against the decisions on the business it names; one that names none, against those announced in
    the speeches it cites, else against all of them.
    """
    if contradicts_positions(text, facts.stances, named_titles(text, facts.titles, facts.aliases)):
        return True
    if _is_of_another_body(text, facts) or _misnames_post(text, facts) or _miscounts_ballots(text, facts):
        return True
    named: list[str] = []
    for claim in list_claims(text):
        named = named_titles(claim.part, facts.titles, facts.aliases) or named
        if _is_false(claim, named, facts, orders):
            return True
    return False


def contradicts_decisions(text: str, decisions: Sequence[HouseDecision]) -> bool:
    """Whether a text states another result, count or post than these decisions, of whichever body; none without any."""
    titles = tuple(dict.fromkeys(each.subject for each in decisions if each.bill))
    facts = SittingFacts("", "", tuple(decisions), titles, frozenset(), (), {})
    return bool(decisions) and contradicts_record(text, facts)


def confirms_record(text: str, facts: SittingFacts, orders: Sequence[int] = ()) -> bool:
    """Whether a text states results of this sitting and nothing else; what contradicts them isn't looked for here."""
    claims, bound, named = list(list_claims(text)), list[HouseDecision](), list[str]()
    if not claims:
        return _confirms_sides(text, facts)
    for claim in claims:
        named = named_titles(claim.part, facts.titles, facts.aliases) or named
        held = _decisions_meant(claim, named, facts, orders)
        if not held or claim.in_passing or _disagrees(claim, held, facts, named[0] if named else ""):
            return False
        bound += held
    return not states_more(text, bound, _other_words(facts))


def _confirms_sides(text: str, facts: SittingFacts) -> bool:
    named = named_titles(text, facts.titles, facts.aliases)
    stances = confirmed_stances(text, facts.stances, named)
    words = [word for each in stances for word in (*each.names, each.group, each.target, *each.titles)]
    words += [name for each in stances for title in each.titles for name in short_names(title)]
    return bool(stances) and not states_more_than_sides(text, [word for word in words if word])


def _other_words(facts: SittingFacts) -> list[str]:
    names = [name for each in facts.aliases.values() for name in each]
    people = [each.name for decision in facts.decisions if decision.vote for each in decision.vote.ballots]
    return [f"{facts.house}{facts.meeting}", *names, *people]


def _is_false(claim: ResultClaim, named: list[str], facts: SittingFacts, orders: Sequence[int]) -> bool:
    pool = _of_aspect(claim, facts.decisions)
    if named:
        about = {title: [each for each in pool if _is_about(each, title)] for title in named}
        if not any(about.values()) and (is_weak(claim.word) or _is_said(claim, facts, orders)):
            return False
        return any(_disagrees(claim, held, facts, title) for title, held in about.items())
    if claim.in_passing:
        return False
    held = _decisions_meant(claim, named, facts, orders)
    if not held and (is_weak(claim.word) or _is_said(claim, facts, orders)):
        return False
    return _disagrees(claim, held or [each for each in pool if each.subject], facts, "")


def _decisions_meant(
    claim: ResultClaim, named: list[str], facts: SittingFacts, orders: Sequence[int]
) -> list[HouseDecision]:
    """The decisions that a claim is about: by title, by the people in it, by its words, or by the speech it cites."""
    pool = _of_aspect(claim, facts.decisions)
    if named:
        return [each for each in pool if any(_is_about(each, title) for title in named)]
    if len(pool) == 1 and any(word in claim.part for word in _ASPECTS):
        return pool
    people = [each for each in pool if any(name in claim.part for name in _people(each))]
    worded = [each for each in people or pool if is_worded_alike(claim.part, each.subject)]
    cited = [each for each in pool if each.order in orders or each.asked_at in orders]
    both = [each for each in worded if each in cited]
    return both or worded or people or (cited if len(cited) < len(pool) and not is_weak(claim.word) else [])


def _of_aspect(claim: ResultClaim, decisions: Sequence[HouseDecision]) -> list[HouseDecision]:
    """The decisions on what a text speaks of: an amendment, a supplementary resolution, a motion, or the business."""
    aspect = next((word for word in _ASPECTS if word in claim.part), "")
    if aspect:
        about = [
            each
            for each in decisions
            if aspect in each.subject and (each.outcome == "withdrawn") == (claim.direction == "withdrawn")
        ]
        movers = [(each, _MOVER.search(each.subject)) for each in about]
        named = [each for each, mover in movers if mover and mover[0] in claim.part]
        return named or [each for each in about if any(name in claim.part for name in _people(each))] or about
    return [each for each in decisions if not any(word in each.subject for word in _ASPECTS)]


def _is_about(decision: HouseDecision, title: str) -> bool:
    """Whether business is decided about; a draft (…法律案起草の件) is decided as the bill that it makes."""
    return title in decision.subject or (decision.bill is not None and title.startswith(decision.subject))


def _people(decision: HouseDecision) -> list[str]:
    return _PERSON.findall(decision.subject)


def _disagrees(claim: ResultClaim, held: Sequence[HouseDecision], facts: SittingFacts, title: str) -> bool:
    if not held:
        return not claim.in_passing or bool(title)
    if _wrong_direction(claim, held) or _wrong_count(claim.part, held):
        return True
    if claim.word == _ENACTED and not _may_be_law(facts, title):
        return True
    return _wrong_manner(claim.part, held) or _wrong_extent(claim.part, held)


def _wrong_direction(claim: ResultClaim, held: Sequence[HouseDecision]) -> bool:
    directions = {
        each.outcome if each.outcome in ("rejected", "continued", "withdrawn") else "carried" for each in held
    }
    return directions != {claim.direction}


def _wrong_count(part: str, held: Sequence[HouseDecision]) -> bool:
    stated = stated_counts(part)
    if not any(number is not None for number in stated):
        return False
    counted = [(each.vote.total, each.vote.in_favour, each.vote.against) for each in held if each.vote]
    return not any(
        all(number is None or number == real for number, real in zip(stated, counts, strict=True)) for counts in counted
    )


def _may_be_law(facts: SittingFacts, title: str) -> bool:
    """Whether a vote of this body can make a bill law: the plenary's, on what the other house has passed."""
    if facts.meeting != _PLENARY:
        return not facts.meeting
    return facts.house == "参議院" or title in facts.sent_by_other_house


def _wrong_manner(part: str, held: Sequence[HouseDecision]) -> bool:
    manners = {each.manner for each in held}
    against = {each.vote.against for each in held if each.vote and each.vote.against is not None}
    rivals = any(len(each.vote.ballots) > 1 for each in held if each.vote)
    divided = bool(manners & _DIVIDED) or bool(against - {0}) or rivals
    united = bool(manners & _UNANIMOUS) or against == {0}
    if (states_unanimity(part) and divided) or (states_majority(part) and united and not divided):
        return True
    methods = {each.method for each in held if each.method}
    stated = stated_method(part)
    return bool(stated and methods) and stated not in methods


def _wrong_extent(part: str, held: Sequence[HouseDecision]) -> bool:
    outcomes = {each.outcome for each in held}
    if _AMENDED.search(part) and "amended" not in outcomes:
        return True
    return bool(_AS_IT_WAS.search(part)) and outcomes == {"amended"}


def _is_of_another_body(text: str, facts: SittingFacts) -> bool:
    """Whether a text that states a result gives it to another house, or a committee's to the house."""
    if facts.house not in ("衆議院", "参議院") or not any(not each.in_passing for each in list_claims(text)):
        return False
    here = re.sub(rf"(?:{facts.house}|{facts.house[:1]}院){re.escape(facts.meeting)}", "", text)
    bodies = list(_BODY.finditer(_SENT.sub("", here)))
    in_committee = facts.meeting != _PLENARY
    for body in bodies:
        rest = body["rest"] or ""
        if _HOUSES[body["house"]] != facts.house or (in_committee and (not rest or rest == _PLENARY)):
            return True
        if not in_committee and rest and rest != _PLENARY and not re.search(r"すべき", text):
            return True
    return in_committee and not bodies and bool(re.search(r"本会議で[^。]{0,40}(?:可決|否決|成立|承認)", text))


def _misnames_post(text: str, facts: SittingFacts) -> bool:
    """Whether a text gives a post to somebody else than the sitting did, or lets somebody else resign."""
    resigned = [each.subject for each in facts.decisions if _RESIGNED.search(each.subject)]
    for leaves in _RESIGNATION.finditer(text) if resigned else ():
        if not any(leaves["name"][-2:] in subject for subject in resigned):
            return True
    holders = _post_holders(facts)
    for match in _GIVEN_POST.finditer(text):
        if match["post"] in holders and not any(name in match["name"] for name in holders[match["post"]]):
            return True
    if not _APPOINTED.search(text):
        return False
    return any(
        match["post"].endswith(post) and not any(name[:2] in match["name"] for name in names)
        for match in _POST.finditer(text)
        for post, names in holders.items()
    )


def _post_holders(facts: SittingFacts) -> dict[str, set[str]]:
    """Who got each post."""
    holders: dict[str, set[str]] = {}
    for decision in facts.decisions:
        if decision.outcome not in ("appointed", "designated", "consented"):
            continue
        for match in _HOLDERS.finditer(decision.subject):
            names = {name for name in re.split(r"君(?:、|及び)?", match["names"]) if name}
            holders.setdefault(match["post"].rpartition("、")[2], set()).update(names)
        if premier := _PREMIER.match(decision.subject):
            holders.setdefault(premier["post"], set()).add(premier["name"])
    return holders


def _miscounts_ballots(text: str, facts: SittingFacts) -> bool:
    ballots = {each.name: each.votes for decision in facts.decisions if decision.vote for each in decision.vote.ballots}
    for match in _BALLOTS.finditer(text) if ballots else ():
        votes = [count for name, count in ballots.items() if name.startswith(match["name"]) or name in match["name"]]
        if votes and parse_kanji_number(match["votes"]) not in votes:
            return True
    return False

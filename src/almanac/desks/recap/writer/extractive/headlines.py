"""Headlines: the weightiest decision of a sitting, else what it dealt with, in the record's own words."""

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.facts.weights import KINDS, PREMIER, weight_of_decision
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import AgendaItem, HouseDecision
from almanac.desks.recap.writer.extractive.analysis import MeetingAnalysis
from almanac.desks.recap.writer.extractive.decision_sentences import is_own_draft
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits, shorten_title
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN

_OUTCOMES = {
    "passed": "可決",
    "amended": "修正議決",
    "rejected": "否決",
    "approved": "承認",
    "consented": "同意",
    "adopted": "採択",
    "appointed": "選任",
    "permitted": "許可",
    "continued": "継続審査",
    "withdrawn": "撤回",
    "other": "議決",
}
_LONGEST = 60
# Business that leads a headline also where it was only explained or debated.
_WEIGHTY = ("budget", "bill", "treaty", "approval", "resolution")
_BY_RULE = lazy_regex(r"、[^、]{2,30}規則第[^、]{2,20}により、")
# A title by its law alone: 放送法第七十条第二項の規定に基づき、承認を求めるの件; a speech says what is approved.
_BY_LAW = lazy_regex(r"\A[^、。]{2,20}法第[^、。]{2,20}の規定に(?:基づ|よ)")
_APPROVAL_OF = lazy_regex(r"は、(?P<what>[^、。][^。]{3,60}?)(?:について|につき)、?国会の(?:承認|承諾)を求め")
_SESSION = lazy_regex(rf"会期[はを][^。]{{0,20}}?(?P<days>{NUMERAL_PATTERN}日間)とす")
_OWN_DRAFT = lazy_regex(
    r"(?P<matter>[^。]{4,80}?の件)につきまして(?:は)?、[^。]*これを(?P<draft>委員会提出の[^。、]{2,4}案)とする"
)
_NOMINEE = lazy_regex(r"(?P<post>[^、。に]{2,40})に(?P<name>[^、。に]{2,14}君)(?:を|\Z)")
_CONSENT = lazy_regex(r"(?P<who>[^。]{4,40}?)の任命について同意")
_INSTALLED = lazy_regex(r"の設置\Z")
_RESIGNED = lazy_regex(r"辞任\Z")
# What a newspaper leads with among decisions that are about no bill.
_OTHER_WEIGHTS = ("bill", "session", "personnel", "installed", "resigned")


def compose_title(analysis: MeetingAnalysis) -> str:
    """A headline: what was decided or dealt with, and where."""
    meeting = analysis.meeting
    where = f"{meeting.house}{meeting.meeting}" if meeting.house not in meeting.meeting else meeting.meeting
    subject = _decided_business(analysis) or _discussed_business(analysis)
    if subject:
        return f"{subject}（{where}）" if where else subject
    return f"{where}{meeting.issue}".strip() or meeting.issue_id


def _decided_business(analysis: MeetingAnalysis) -> str:
    """The weightiest decided business and its outcome; of several decisions on one bill the last one counts."""
    main = [each for each in analysis.facts.decisions if each.bill and "附帯決議" not in each.subject]
    last = sorted({each.subject: each for each in main}.values(), key=weight_of_decision)
    named = next((each for each in analysis.facts.decisions if PREMIER.search(each.subject)), None)
    if named is not None:
        rest = f"、ほか{len(last)}件を議決" if last else ""
        return f"{PREMIER.sub('内閣総理大臣に指名', _BY_RULE.sub('', named.subject))}{rest}"
    if not last:
        return ""
    first, noun = _name_of_business(analysis.meeting, last[0].subject), _outcome_noun(last[0])
    if len({each.outcome for each in last}) > 1:
        return f"{first}を{noun}、ほか{len(last) - 1}件を議決"
    rest = f"など{len(last)}件" if len(last) > 1 else ""
    return f"{first}{rest}を{noun}"


def _outcome_noun(decision: HouseDecision) -> str:
    return "委員会提出と決定" if is_own_draft(decision) else _OUTCOMES[decision.outcome]


def _name_of_business(meeting: Meeting, title: str) -> str:
    """The title; what it is about where the title only names the law that asks for an approval."""
    if _BY_LAW.match(title):
        stated = (_APPROVAL_OF.search(speech.text) for speech in meeting.spoken)
        match = next((each for each in stated if each), None)
        if match:
            return shorten_title(kanji_to_digits(match["what"]), _LONGEST)
    return shorten_title(title, _LONGEST)


def _discussed_business(analysis: MeetingAnalysis) -> str:
    """Without a decision on a bill: a weighty bill under discussion, other decisions, other business, or the topics."""
    items = sorted((item for item in analysis.business if item.bill), key=_kind_of_item)
    if items and bill_kind(items[0].title) in _WEIGHTY:
        return _dealt_with(items)
    if decided := _other_decisions(analysis):
        return decided
    if items:
        return _dealt_with(items)
    words = [word.keyword for word in analysis.keywords[:3]]
    return f"{'、'.join(words)}を議論" if words else ""


def _kind_of_item(item: AgendaItem) -> int:
    return KINDS.index(bill_kind(item.title))


def _dealt_with(items: list[AgendaItem]) -> str:
    rest = f"など{len(items)}件" if len(items) > 1 else ""
    return f"{shorten_title(items[0].title, _LONGEST)}{rest}を審議"


def _other_decisions(analysis: MeetingAnalysis) -> str:
    """Decisions about the house itself: drafts of its own, the session, posts, committees, resignations."""
    headlines = [(each, _headline(each)) for each in analysis.facts.decisions]
    ranked = sorted((line for _, line in headlines if line), key=lambda line: _OTHER_WEIGHTS.index(line[0]))
    if not ranked:
        return ""
    others = sum(1 for each, _ in headlines if each.subject) - 1
    return f"{ranked[0][1]}{f'、ほか{others}件を議決' if others else ''}"


def _headline(decision: HouseDecision) -> tuple[str, str] | None:
    """A decision that is about no bill as a headline, with its weight; None for what no rule can shorten."""
    subject = decision.subject
    if match := _OWN_DRAFT.match(subject):
        return "bill", f"{shorten_title(match['matter'], _LONGEST)}を{match['draft']}と決定"
    if match := _SESSION.search(subject):
        advised = "するよう議長に答申" if "答申" in decision.text else "決定"
        return "session", f"会期を{kanji_to_digits(match['days'])}と{advised}"
    if _INSTALLED.search(subject):
        return "installed", f"{shorten_title(subject, _LONGEST)}を決定"
    if decision.outcome == "permitted" and _RESIGNED.search(subject):
        return "resigned", f"{shorten_title(subject, _LONGEST)}を許可"
    named = _named_person(decision)
    return ("personnel", named) if named else None


def _named_person(decision: HouseDecision) -> str:
    """Who got which post, or whose appointment was consented to; the first of several."""
    if decision.outcome == "consented" and (match := _CONSENT.match(decision.subject)):
        return f"{match['who']}の任命に同意"
    match = _NOMINEE.match(decision.subject) if decision.outcome in ("appointed", "consented") else None
    if match is None:
        return ""
    chosen = "指名" if "指名" in decision.text else "選任"
    return f"{match['post']}に{match['name']}を{'任命することに同意' if decision.outcome == 'consented' else chosen}"

"""Headlines: the weightiest decision of a sitting, else what it dealt with, in the record's own words."""

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.facts.weights import (
    KINDS,
    OWN_DRAFT,
    PREMIER,
    SESSION,
    WEIGHTY_KINDS,
    is_weighty,
)
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import AgendaItem, HouseDecision
from almanac.desks.recap.writer.extractive.analysis import MeetingAnalysis
from almanac.desks.recap.writer.extractive.business_names import newspaper_name, what_is_approved
from almanac.desks.recap.writer.extractive.decision_sentences import is_own_draft
from almanac.desks.recap.writer.extractive.occasions import headline_of_occasion
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits, shorten_title
from almanac.kit.lazy import lazy_regex

_OUTCOMES = {
    "passed": "可決",
    "amended": "修正議決",
    "rejected": "否決",
    "approved": "承認",
    "consented": "同意",
    "adopted": "採択",
    "appointed": "選任",
    "designated": "指名",
    "introduced": "提出",
    "permitted": "許可",
    "continued": "継続審査",
    "withdrawn": "撤回",
    "other": "議決",
}
_LONGEST = 60
_BY_RULE = lazy_regex(r"、[^、]{2,30}規則第[^、]{2,20}により、")
_AUTHORITY = lazy_regex(r"(?:省|庁|委員会|委員長|銀行|自治体)\Z")
_TOPICS, _MANY_QUESTIONS = 3, 10
_NOMINEE = lazy_regex(r"(?P<post>[^、。に]{2,40})に(?P<name>[^、。に]{2,14}君)(?:を|\Z)")
_CONSENT = lazy_regex(r"(?P<who>[^。]{4,40}?)の任命について同意")
_INSTALLED = lazy_regex(r"の設置\Z")
_RESIGNED = lazy_regex(r"辞任\Z")
# What a newspaper leads with among decisions that are about no bill.
_OTHER_WEIGHTS = ("bill", "session", "personnel", "installed", "resigned")


def compose_title(analysis: MeetingAnalysis) -> str:
    """A headline: what was decided or dealt with, and where."""
    meeting = analysis.meeting
    where = place_of(meeting)
    subject = _decided_business(analysis) or headline_of_occasion(analysis) or _discussed_business(analysis)
    if subject:
        return f"{subject}（{where}）" if where else subject
    return f"{where}{meeting.issue}".strip() or meeting.issue_id


def place_of(meeting: Meeting) -> str:
    """The house and its meeting, such as 参議院本会議."""
    return f"{meeting.house}{meeting.meeting}" if meeting.house not in meeting.meeting else meeting.meeting


def has_weighty_business(analysis: MeetingAnalysis) -> bool:
    """Whether something was under discussion, or a speech was made, that leads before appointments and the like."""
    items = [item for item in analysis.business if item.bill and bill_kind(item.title) in WEIGHTY_KINDS]
    return bool(items) or bool(headline_of_occasion(analysis))


def _decided_business(analysis: MeetingAnalysis) -> str:
    """The weightiest decided business and its outcome; of several decisions on one bill the last one counts."""
    main = [each for each in analysis.facts.decisions if each.bill and "附帯決議" not in each.subject]
    last = sorted({each.subject: each for each in main}.values(), key=analysis.weight_of)
    if last and not is_weighty(last[0]) and headline_of_occasion(analysis):
        last = []
    last = [each for each in last if not PREMIER.search(each.subject)]
    named = next((each for each in analysis.facts.decisions if PREMIER.search(each.subject)), None)
    if named is not None:
        rest = f"、ほか{len(last)}件を議決" if last else ""
        return f"{PREMIER.sub('内閣総理大臣に指名', _BY_RULE.sub('', named.subject))}{_ballots(named)}{rest}"
    if not last:
        return ""
    first, noun = _name_of_business(analysis.meeting, last[0].subject), _outcome_noun(last[0])
    if len({each.outcome for each in last}) > 1:
        return f"{first}を{noun}、ほか{len(last) - 1}件を議決"
    rest = f"など{len(last)}件" if len(last) > 1 else ""
    return f"{first}{rest}を{noun}"


def _ballots(decision: HouseDecision) -> str:
    total = decision.vote.total if decision.vote else None
    return "" if total is None or decision.votes_won is None else f"、{total}票中{decision.votes_won}票"


def _outcome_noun(decision: HouseDecision) -> str:
    return "委員会提出と決定" if is_own_draft(decision) else _OUTCOMES[decision.outcome]


def _name_of_business(meeting: Meeting, title: str) -> str:
    """The title as newspapers write it; what it is about where it only names the law that asks for an approval."""
    approved = what_is_approved(meeting, title)
    return shorten_title(approved[0] if approved else newspaper_name(title), _LONGEST)


def _discussed_business(analysis: MeetingAnalysis) -> str:
    """Without a decision on a bill: a weighty bill under discussion, other decisions, other business, or the topics."""
    items = sorted((item for item in analysis.business if item.bill), key=_kind_of_item)
    if weighty := [item for item in items if bill_kind(item.title) in WEIGHTY_KINDS]:
        return _dealt_with(analysis, weighty)
    if decided := _other_decisions(analysis):
        return decided
    if items:
        return _dealt_with(analysis, items)
    return _topics(analysis)


def _topics(analysis: MeetingAnalysis) -> str:
    words = [word.keyword for word in analysis.keywords if not _AUTHORITY.search(word.keyword)]
    return f"{'、'.join(words[:_TOPICS])}を議論" if words else ""


def _kind_of_item(item: AgendaItem) -> int:
    return KINDS.index(bill_kind(item.title))


def _dealt_with(analysis: MeetingAnalysis, items: list[AgendaItem]) -> str:
    """What was under discussion; what was only explained isn't told as discussed."""
    rest = f"など{len(items)}件" if len(items) > 1 else ""
    named = f"{shorten_title(newspaper_name(items[0].title), _LONGEST)}{rest}"
    debated = {order for item in items for order in item.orders} & set(analysis.orders_of("質問", "賛成", "反対"))
    explained = {order for item in items for order in item.orders} & set(analysis.orders_of("趣旨説明"))
    if debated or not explained:
        return f"{named}を審議"
    talked = f"{_topics(analysis)}、" if len(analysis.orders_of("質問")) >= _MANY_QUESTIONS else ""
    return f"{talked}{named}の趣旨説明を聴取"


def _other_decisions(analysis: MeetingAnalysis) -> str:
    """Decisions about the house itself: drafts of its own, the session, posts, committees, resignations."""
    named = [each for each in analysis.facts.decisions if each.subject]
    headlines = [(line, each) for each in named if (line := _headline(each))]
    if not headlines:
        return ""
    (weight, first), decision = min(headlines, key=lambda pair: _OTHER_WEIGHTS.index(pair[0][0]))
    together = [each for each in named if each.order == decision.order and each.outcome == "appointed"]
    if weight == "personnel" and len(together) > 1:
        first = first.replace("君を", f"君ら{len(together)}人を", 1)
    others = len(named) - max(1, len(together) if weight == "personnel" else 1)
    return f"{first}{f'、ほか{others}件を議決' if others else ''}"


def _headline(decision: HouseDecision) -> tuple[str, str] | None:
    """A decision that is about no bill as a headline, with its weight; None for what no rule can shorten."""
    subject = decision.subject
    if match := OWN_DRAFT.match(subject):
        return "bill", f"{shorten_title(match['matter'], _LONGEST)}を{match['draft']}と決定"
    if match := SESSION.search(subject):
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

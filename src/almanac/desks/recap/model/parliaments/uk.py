"""The Parliament of the United Kingdom: the phrases of Hansard, in both houses."""

from datetime import date

from almanac.desks.recap.model.parliaments.parliament import (
    Parliament,
    Presiding,
    ProcedureGrammar,
    QuestionRule,
    ResultRule,
    SpeechGrammar,
)
from almanac.kit.messages import gettext

_PUT = r"(?:Main |Original )?Question,?(?: as amended,?)?(?: accordingly| again)?(?: put(?: forthwith)?(?: \([^)]*\))?,? and)?"
_NUMBER = r"\(?[A-Z]{0,3}\d+[A-Z]{0,2}\)?"

_PROCEDURE = ProcedureGrammar(
    chair=(
        r"^(?:Mr\.?|Madam) (?:Deputy )?Speaker\b",
        r"^(?:The )?(?:Lord |Deputy |Principal Deputy )?(?:Speaker|Chairman of Ways and Means)\b",
        r"\bin the Chair\)",
        r"^The (?:(?:First|Second|Temporary) )?(?:Deputy )?(?:Chair|Chairman|Chairwoman)\b",
        r"^The Deputy (?:Speaker|Chairman of Committees)\b",
    ),
    chair_words=(
        r"Order[.!] Order\b",
        r"I (?:now )?call (?!on\b|for\b|upon\b|it\b|this\b)(?:the |[A-Z])",
        r"The Question is\b",
        r"We (?:now )?come (?:now )?to (?:the|topical)\b",
        r"I (?:inform the House that I )?have selected\b",
        r"Before I call\b",
    ),
    presiding=(
        Presiding("Michael Martin", date(2000, 10, 23), date(2009, 6, 22)),
        Presiding("John Bercow", date(2009, 6, 22), date(2019, 11, 4)),
        Presiding("Lindsay Hoyle", date(2010, 6, 8)),
        Presiding("Dawn Primarolo", date(2010, 6, 8), date(2015, 3, 30)),
        Presiding("Eleanor Laing", date(2013, 10, 16), date(2024, 5, 30)),
        Presiding("Natascha Engel", date(2015, 6, 3), date(2017, 5, 3)),
        Presiding("Rosie Winterton", date(2017, 6, 28), date(2024, 5, 30)),
        Presiding("Nigel Evans", date(2020, 1, 8), date(2024, 5, 30)),
        Presiding("Nusrat Ghani", date(2024, 7, 23)),
        Presiding("Judith Cummins", date(2024, 7, 23)),
        Presiding("Caroline Nokes", date(2024, 7, 23)),
    ),
    sections=(
        r"(?i)house of (?:commons|lords)",
        r"(?i)oral answers(?: to questions)?|topical questions|engagements",
        r"(?i)prayers|points? of order|bills? presented|deferred divisions?|royal assent",
        r"(?i)business without debate|delegated legislation|backbench business|opposition day|private business",
        r"(?i)(?:first|second|third) reading|committee(?: stage)?|report(?: stage)?|consideration.*",
        r"(?i)(?:new )?(?:clauses?|schedules?)\b.*|amendments?\b.*|lords amendments?\b.*",
        r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day,? \d.*",
        r"(?i)the .{3,60} was asked[-—–]?",
    ),
    moves=(
        rf"I beg to move,? (?P<what>(?:[Tt]hat\b|amendment {_NUMBER}|(?:[Mm]anuscript )?[Aa]mendment|[Nn]ew [Cc]lause).*)",
        r"^Moved by\b.{0,80}?\b(?P<what>[Tt]hat .+)",
        rf"^Moved by .{{2,60}}? (?P<what>{_NUMBER}: .+)",
    ),
    puts=(
        r"^(?:Motion made,? and )?Question (?:again )?(?:proposed|put)(?: forthwith| accordingly)?(?: \(.*?\)(?=,))?,? [Tt]hat (?P<what>.+)",
        r"^(?P<what>Amendments? (?:again )?proposed\b.+)",
        r"^(?P<what>Manuscript amendment proposed\b.+)",
        r"The Question is,? [Tt]hat (?P<what>.+)",
        r"\bput forthwith the Questions?\b.*?, [Tt]hat (?P<what>.+)",
        r"^Motion (?:made|moved),? [Tt]hat (?P<what>.+)",
    ),
    points_back=(
        r"^the (?:amendment|clause|new clause|motion|schedule)s? (?:be|stand)\b",
        r"^the words (?:proposed to be left out|of the motion)",
        r"^as on the Order Paper",
    ),
    counts=(
        r"\bAyes:?,? (?P<ayes>[\d,]*\d)\b.{0,12}?\bNoes:?,? (?P<noes>[\d,]*\d)\b",
        r"\bContents:?,? (?P<ayes>[\d,]*\d)\b.{0,12}?\bNot-[Cc]ontents:?,? (?P<noes>[\d,]*\d)\b",
        r"[Aa]yes to the right(?: were|:|,)? (?P<ayes>\d+)\b.{0,40}?[Nn]oes to the left(?: were|:|,)? (?P<noes>\d+)\b",
    ),
    majority_decides=True,
    results=(
        ResultRule(rf"^{_PUT} (?:accordingly )?agreed to\b", "agreed"),
        ResultRule(rf"^{_PUT} (?:accordingly )?negatived\b", "rejected"),
        ResultRule(r"^(?:Motion|Amendment|Clause|Schedule),? by leave,? withdrawn\b", "withdrawn"),
        ResultRule(rf"^(?P<what>(?:Amendments?|Motion) {_NUMBER}[\w ,]*?) (?:\(.{{1,40}}\) )?withdrawn\b", "withdrawn"),
        ResultRule(rf"^(?P<what>Amendments? {_NUMBER}[\w ,]*?) (?:accordingly )?agreed\b", "agreed"),
        ResultRule(rf"^(?P<what>Amendments? {_NUMBER}[\w ,]*?) (?:accordingly )?disagreed\b", "rejected"),
        ResultRule(r"^Amendment (?:accordingly )?agreed to\b", "agreed"),
        ResultRule(r"^(?P<what>Amendments? made: .+)", "agreed"),
        ResultRule(r"^Motion (?:accordingly )?agreed\b", "agreed"),
        ResultRule(r"^Motion (?:accordingly )?disagreed\b", "rejected"),
        ResultRule(
            r"^(?P<what>Clauses? \d[\w ,]*?),?(?: as amended,)? (?:accordingly )?(?:agreed|ordered to stand part)",
            "agreed",
        ),
        ResultRule(
            r"^(?P<what>[Nn]ew [Cc]lause \w+) (?:accordingly )?(?:read a Second time,? and )?added to the Bill",
            "agreed",
        ),
        ResultRule(r"^(?P<what>Bill (?:accordingly )?read (?:a|the) (?:[Ff]irst|[Ss]econd|[Tt]hird) time)\b", "agreed"),
        ResultRule(r"^(?P<what>Bill passed)\b", "agreed"),
    ),
    questions=(
        QuestionRule(
            pattern=r"\bHouse do now adjourn\b|\bQuestion be now put\b|\bsit(?:ting)? in private\b|\bleave the Chair\b"
            r"|\bsitting be (?:now )?(?:adjourned|suspended)\b|\bdebate be now adjourned\b|\bHouse do now resume\b",
            subject="",
            is_formal=True,
        ),
        QuestionRule(
            pattern=r"\b(?P<name>[Dd]raft .{4,200}? \d{4})\b.*\bbe approved\b|\b(?P<other>[A-Z][^.]{4,200}? (?:Regulations|Order|Rules) \d{4})\b.*\bbe approved\b",
            subject="{name}{other}",
            carried="approved",
        ),
        QuestionRule(
            pattern=r"\bBill (?:be (?:now )?|accordingly )?read (?:a|the) [Tt]hird time\b|\bBill (?:do )?(?:now )?pass(?:ed)?\b",
            subject="Third Reading of the {item}",
            carried="passed",
            whole_bill=True,
        ),
        QuestionRule(
            pattern=r"\bBill (?:be (?:now )?|accordingly )?read a [Ss]econd time\b",
            subject="Second Reading of the {item}",
            whole_bill=True,
        ),
        QuestionRule(
            pattern=r"\bBill (?:be (?:now )?|accordingly )?read (?:a|the) [Ff]irst time\b",
            carried="introduced",
            whole_bill=True,
        ),
        QuestionRule(pattern=r"\bleave be given to bring in a Bill\b", subject="leave to bring in the {item}"),
        QuestionRule(pattern=r"\bfollowing provisions shall apply to\b", subject="programme motion for the {item}"),
        QuestionRule(pattern=r"\bexpedient to authorise\b", subject="money resolution for the {item}"),
        QuestionRule(
            pattern=rf"(?i:amendments?(?: (?:made|proposed)\b[^:]{{0,60}}:)?) (?P<number>{_NUMBER}(?: (?:to|and) {_NUMBER})?)",
            subject="amendment {number} to the {item}",
        ),
        QuestionRule(pattern=rf"^(?P<number>{_NUMBER}): ", subject="amendment {number} to the {item}"),
        QuestionRule(pattern=r"(?i)\bamendment\b.{0,40}\b(?:be made|proposed)\b", subject="amendment to the {item}"),
        QuestionRule(pattern=r"(?i)\bnew clause (?P<number>\d\w*)", subject="new clause {number} in the {item}"),
        QuestionRule(
            pattern=r"\bclause be (?:now )?(?:read a Second time|added to the Bill)", subject="new clause in the {item}"
        ),
        QuestionRule(pattern=r"^Clauses? (?P<number>\d[\w ,]*)", subject="clause {number} of the {item}"),
        QuestionRule(pattern=r"(?i)\bclause (?P<number>\d\w*) stand part", subject="clause {number} of the {item}"),
        QuestionRule(pattern=r"\bstand part of the Bill\b", subject="clause of the {item}"),
    ),
    motion_on="motion on {item}",
    undivided="without a division",
    kinds=(("bill", r"\bBill\b(?: \(No\. ?\d+\))?$"),),
    title_notes=r"\s*\[[^\]]{1,60}\]|\s*\((?:Programme|Money|Ways and Means|Business|Carry-over)\b[^)]*\)"
    r"|\s*[:–—-] (?:First|Second|Third) Reading$|\s*: (?:Committee|Report)(?: Stage)?$",
    opened=(r"The House (?:being )?met at [^\n.]{3,60}", r"House met at [^\n.]{3,60}"),
    closed=(r"(?:House|Sitting) (?:adjourned|rose) at [^\n.]{3,60}", r"[Aa]djourned at [^\n.]{3,60}"),
)

_SPEECHES = SpeechGrammar(
    officials=(
        r"(?<![Ss]hadow )(?<!Opposition )\b(?:Prime Minister|Minister|Secretary of State|Under-Secretary)\b",
        r"(?<![Ss]hadow )\b(?:Chancellor|Attorney General|Solicitor General|Advocate General|Home Secretary|Foreign Secretary)\b",
        r"(?<![Ss]hadow )\b(?:Leader of the House|Lord President|Paymaster General|Lord Privy Seal)\b",
        r"(?<![Ss]hadow )\b(?:Chief|Financial|Economic|Exchequer) Secretary\b",
        r"\b(?:Second )?Church Estates Commissioner\b|\bLord in Waiting\b|\bBaroness in Waiting\b|\bCaptain of the\b",
    ),
    question_headings=(
        r"(?i)^oral answers(?: to questions)?$",
        r"(?i)\burgent question\b",
        r"(?i)^topical questions$|^engagements$|^prime minister$",
        r"(?i)^(?:.{3,60}: )?question$",
    ),
    asks=(
        r"(?i)\(?urgent question\)?:? ?[Tt]o ask\b",
        r"^To ask (?:His|Her) Majesty['’]s Government\b|^To ask the\b",
        r"^(?:\d+\. )?(?:What|Whether|If|How) .{10,240}\?(?: \[\d+\])?$",
    ),
    explains=(
        r"I beg to move,? [Tt]hat (?:the|this) .{0,120}?Bill be (?:now )?read\b",
        r"^That the Bill be now read\b",
    ),
    moves=(r"\bI beg to move\b",),
    reports=(
        r"(?i)^with (?:your |the leave of the House,? )?permission\b.{0,80}\bstatement\b",
        r"\bI (?:will|shall|would like to|should like to|wish to) (?:now )?(?:make|repeat) (?:a|the) .{0,60}\bstatement\b",
        r"(?i)^my lords,? .{0,60}\brepeat\b.{0,40}\bstatement\b",
    ),
    raises_order=(r"(?i)^(?:on|further to that|further to the)\b.{0,12}\bpoint of order\b",),
    in_favour=(
        r"\b[Ii] (?:rise|stand|speak)(?: today)? (?:in (?:strong |full |wholehearted )?support of|to support|in favour of)\b",
        r"\b(?:I|[Ww]e) (?:will|shall)(?: therefore)? (?:be )?(?:vote|voting|support|supporting) (?:for |in favour of )?(?:the|this) (?:Bill|motion|amendment|regulations|order|Second|Third)\b",
        r"\b(?:I|[Ww]e) (?:very much |wholeheartedly |strongly |fully |therefore )?(?:support|commend|back) (?:the|this) (?:Bill|motion|amendment|regulations|order)\b",
    ),
    against=(
        r"\b[Ii] (?:rise|stand|speak)(?: today)? (?:to oppose|in opposition to|against)\b",
        r"\b(?:I|[Ww]e) (?:will|shall|must)(?: therefore)? (?:be )?(?:vote|voting|oppose|opposing) (?:against )?(?:the|this|it)\b",
        r"\b(?:I|[Ww]e) (?:cannot|can ?not|will not|shall not|do not)(?: therefore)? (?:be able to )?(?:support|vote for|back) (?:the|this|it)\b",
        r"\b(?:I|[Ww]e) (?:very much |strongly |firmly |therefore )?oppose (?:the|this) (?:Bill|motion|amendment|regulations|order)\b",
    ),
    formalities=(
        r"^(?:Order[.!,]? ?)+$",
        r"^I (?:now )?call\b",
        r"^Hear, hear\b",
        r"^(?:I )?[Tt]hank (?:you|my|the|him|her|them)\b.{0,160}(?:question|giving way|intervention|statement|speech|remarks|point|answer|Speaker|leave|time)\b[^.?!]{0,40}[.!]$",
        r"^I am (?:very |most |extremely )?(?:grateful|obliged)\b.{0,160}[.!]$",
        r"^It is (?:a|an|my) (?:great |real )?(?:pleasure|honour|privilege) to\b",
        r"^(?:Mr|Madam) (?:Deputy )?Speaker[.,!]?$",
        r"^(?:I (?:will|am happy to|shall) )?[Gg]ive way\b|^I give way\b",
        r"^(?:Will|Would) .{2,80} give way\?$",
        r"^I beg to move\b.{0,200}$",
        r"^(?:On|Further to) .{0,30}point of order,? .{0,30}[.]$",
        r"^(?:rose|indicated (?:assent|dissent))\b",
        r"^I (?:draw|refer) .{0,80}Register of Members['’] .*Interests[.]$",
        r"^My Lords[.,]?$",
    ),
)

# Parties as Hansard shortens them behind a member's constituency.
PARTIES = {
    "con": "Conservative",
    "lab": "Labour",
    "lab/co-op": "Labour (Co-op)",
    "ld": "Liberal Democrat",
    "snp": "Scottish National Party",
    "green": "Green",
    "pc": "Plaid Cymru",
    "dup": "Democratic Unionist Party",
    "sdlp": "Social Democratic and Labour Party",
    "uup": "Ulster Unionist Party",
    "tuv": "Traditional Unionist Voice",
    "alliance": "Alliance",
    "reform": "Reform UK",
    "ind": "Independent",
    "non-afl": "Non-affiliated",
    "cb": "Crossbench",
}

UNITED_KINGDOM = Parliament(
    id="uk",
    name=gettext("Parliament of the United Kingdom"),
    language="en",
    houses={"House of Commons": gettext("House of Commons"), "House of Lords": gettext("House of Lords")},
    source_url="https://hansard.parliament.uk/",
    procedure=_PROCEDURE,
    speeches=_SPEECHES,
    # The first day of each session; its number is the year in which it began, and 2020 for the one of December 2019.
    sessions=(
        (date(2010, 5, 18), 2010),
        (date(2012, 5, 9), 2012),
        (date(2013, 5, 8), 2013),
        (date(2014, 6, 4), 2014),
        (date(2015, 5, 18), 2015),
        (date(2016, 5, 18), 2016),
        (date(2017, 6, 13), 2017),
        (date(2019, 10, 14), 2019),
        (date(2019, 12, 17), 2020),
        (date(2021, 5, 11), 2021),
        (date(2022, 5, 10), 2022),
        (date(2023, 11, 7), 2023),
        (date(2024, 7, 9), 2024),
    ),
)

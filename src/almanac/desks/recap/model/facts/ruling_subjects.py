"""What a ruling is about in the chair's own words, if it is about no bill: posts, resignations, committees, motions."""

import re

from almanac.desks.recap.model.facts.floor import Floor
from almanac.kit.lazy import lazy_regex

_ELECTED = lazy_regex(r"(?P<names>[^、。\n]{2,14}君)が(?P<post>[^、。]{1,30})に御?当選")
_COMMITTEES = lazy_regex(r"(?:よりなる|から成る)([^、。\n]{2,50}?特別委員会)")
_RESOLVES = lazy_regex(r"(?:提案|提出)による(?P<what>[^、。]{2,80}?)(?:について|につき)決議(?:を)?すべし")
_WITHDRAWS = lazy_regex(
    r"(?P<what>[^、。]{2,80}?(?:案|動議|件))(?:(?:につきまして|について|は)、[^。]{0,40}|を)撤回[^。]{0,12}申出"
)
_RESIGNS = lazy_regex(r"(?P<who>[^。\n]{2,400}君)から、?(?:それぞれ)?(?P<post>[^、。]{2,40}?)を辞任いたしたい")
_LEAVES = lazy_regex(r"(?P<who>[^、。\n]{2,20}君)から、?(?:議員)?(?:辞職願|辞表)が")
_PROPOSES = lazy_regex(r"(?:いた)?したいと(?:存じ|思い)(?:、これを発議いたし)?ます|されたいと存じ")
_ASKED = lazy_regex(
    r"(?P<what>[^。]{2,600}?(?:する|した|与える|決する|とする)(?:こと)?)(?:に(?:つき)?|について|の)、?(?:賛成の|賛成する|賛否|御?異議)"
    r"|(?P<want>[^。]{2,900}?)(?:いたしたい|したい)と(?:存じ|思い)"
    r"|(?P<other>[^。]{2,600}?)(?:に|について)、?(?:賛成の|御?異議)"
)
# 議事進行係は、…同会派の…君にお願いいたしたい
_ENTRUSTED = lazy_regex(r"(?P<post>[^、。]{2,20}係)は、[^。]*?(?P<name>[^、。の]{2,14}君)にお願い")
# 理事会において協議の結果、…を設置することに意見が一致いたしました: what the chair then asks to confirm.
_AGREED = lazy_regex(
    r"(?:資料のとおり|協議[^、。]{0,12}結果、?(?:お手元の資料のとおり)?)(?P<what>[^。]{4,400}?こと)に意見が一致"
)
# …とし、その選挙は手続を省略して議長において指名すること: how it is carried out.
_LEFT_TO_CHAIR = lazy_regex(r"こととし、その選挙は[^。]*\Z")
# …から、…を求めることの動議が提出されました
_MOVED = lazy_regex(
    r"から、(?:[^、。]{0,14}賛成者を得て、)?(?P<what>[^。]{4,300}?(?:こと|べし|もの|求める)との?動議|[^。]{4,300}?の動議)"
)
_LONGEST_MOVER = 24
_OWN_RESULT = lazy_regex(
    r"(?:よって|右の結果|以上の結果|認め)、(?:本院は、)?(?P<what>[^。]{2,300}?)(?:に決|(?<=すべきもの)と(?!議長)[^。]{0,20}決)"
)
POINTS_BACK = lazy_regex(
    r"そ|さよう|議長|以上のとおり|(?:全会一致|多数|総員)[^、]{0,6}(?:同意|承認|可決)|委員長(?!報告のとおり内閣に|不信任|の辞任|及び)|いずれも|許可|同意|内閣申出のとおり|辞職を許可|選任|動議のとおり|本[^、]{1,8}[はをに]|これ|理事会|ただいまの|の?事務総長|(?:以上の?)?(?:両|各|[二三四五六七八九十]+)(?:法律案|法案|議案|案|件)[はをに]"
)
_OPENER = lazy_regex(
    r"\A(?:ただいまの事務総長の?(?:報告|説明)のとおり、?|(?:また|よって)、|割当て?会派(?:の?推薦|の?申出)のとおり、?|(?:次に|まず|この際|最後に|続いて|それでは|では|また|なお|つきましては|これより|ただいま|内閣からの申出中|初めに|引き続き)、?"
    r"|(?:衆議院|参議院|本院)[^、。]{0,30}(?:規則|規程)第[^、。]{1,12}(?:の規定)?(?:により|に基づき|に基づいて)、?)+"
)


def subject_of_ruling(floor: Floor, text: str) -> str:
    """What was decided, in the chair's words: those of the result, of the question, or of the matter before it."""
    if elected := _ELECTED.search(text):
        return f"{elected['post']}に{elected['names'].rpartition('、')[2]}"
    if floor.question.aspect.endswith("動議"):
        return _moved(floor)
    own, agreed = _OWN_RESULT.search(text), _AGREED.search(floor.question.before)
    candidates = (
        own["what"] if own else "",
        floor.question.subject,
        _opened(floor.question.opening),
        floor.matter,
        agreed["what"] if agreed else "",
    )
    words = (_LEFT_TO_CHAIR.sub("こと", each.strip("、 　")) for each in candidates)
    return next((_set_up(each) for each in words if each and not POINTS_BACK.match(each)), "")


def _moved(floor: Floor) -> str:
    """What a motion asks for, as the chair or its mover put it; empty if neither says more than who moved it."""
    if resolved := _RESOLVES.search(floor.motion):
        return resolved["what"]
    opened = _opened(floor.question.opening)
    if opened.endswith("動議") and len(opened) > _LONGEST_MOVER and not POINTS_BACK.match(opened):
        return opened
    asked = _MOVED.search(floor.motion)
    return asked["what"] if asked else ""


def _set_up(words: str) -> str:
    """The committees that are set up, without what each is for."""
    names = _COMMITTEES.findall(words) if "設置" in words else []
    return f"{'、'.join(names)}の設置" if len(names) > 1 else words


def asked_before(floor: Floor) -> str:
    """What これに or これを許可する asks about: the proposal, resignation or withdrawal of the sentence before."""
    before = floor.previous
    if resignation := _RESIGNS.search(before):
        return f"{strip_opener(resignation['who'])}の{resignation['post']}辞任"
    if leaves := _LEAVES.search(before):
        return f"{strip_opener(leaves['who'])}の辞職"
    if withdrawal := _WITHDRAWS.search(before):
        return f"{strip_opener(withdrawal['what']).removeprefix('議題となっております')}の撤回"
    return asked_in(before) if _PROPOSES.search(before) else ""


def _opened(text: str) -> str:
    match = re.search(r"(?P<what>[^。]{2,400}?)(?:について|の|を)採決", strip_opener(text))
    return match["what"] if match else ""


def asked_in(text: str) -> str:
    """What a question asks to be done; empty if it says nothing of its own."""
    if entrusted := _ENTRUSTED.search(text):
        return f"{entrusted['post']}に{entrusted['name']}"
    match = _ASKED.search(strip_opener(text))
    words = (match["what"] or match["want"] or match["other"]) if match else ""
    return words.replace("\n", "、") if len(words) > 3 else ""


def strip_opener(text: str) -> str:
    """The words without what chairs begin with: 次に, この際, これより."""
    return _OPENER.sub("", text.strip("　 、\n")).strip("　 、\n")

"""The words of a speech without what the record adds: the speaker's label, rules, notes in brackets, tables."""

from dataclasses import dataclass
from functools import lru_cache

from almanac.desks.recap.model.meeting import Speech
from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import split_sentences

_LABEL = lazy_regex(r"\A\s*○(?P<label>[^\s　]{1,60})　")
_RULE = lazy_regex(r"[\s　]*[━─―－…・◇＝=*＊-]{2,}[\s　━─―－…・◇＝=*＊-]*")
_NOTE = lazy_regex(r"〔[^〔〕]{0,2000}〕")
_ASIDE = lazy_regex(
    r"（(?:拍手|笑声|発言する者あり|(?:「[^」]{0,60}」)?と呼ぶ(?:者|声)あり|[^（）]{0,30}する者あり)[^（）]{0,20}）"
)
_LEAD = lazy_regex(r"\A[\s　─―…・]+")
_GAP = lazy_regex(r"(?<=\S)[\s　]+(?=\S)")
_ENDED = lazy_regex(r"[。！？?.!][」』）)\"]?\Z")


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence of a speech: `at` counts the sentences of the speech, `line` its paragraphs, both from 0."""

    order: int
    at: int
    line: int
    text: str

    @property
    def is_ended(self) -> bool:
        """Whether it is a whole sentence, not a line of a table or a list."""
        return bool(_ENDED.search(self.text))


def speaker_label(speech: Speech) -> str:
    """How the record calls the speaker at this place, as in 国務大臣（加藤勝信君）; empty where it doesn't."""
    found = _LABEL.match(speech.text[:200])
    return found["label"] if found else ""


def spoken_lines(speech: Speech) -> list[str]:
    """The paragraphs as spoken, without label, rules and notes."""
    text = _LABEL.sub("", speech.text.replace("\r\n", "\n").replace("\r", "\n"), count=1)
    kept = (_LEAD.sub("", line).rstrip(" 　\t") for line in _ASIDE.sub("", _NOTE.sub("", text)).split("\n"))
    return [line for line in kept if line and not _RULE.fullmatch(line)]


@lru_cache(maxsize=1024)
def spoken_sentences(speech: Speech) -> tuple[SpokenSentence, ...]:
    """The sentences of a speech in order."""
    found: list[SpokenSentence] = []
    for number, line in enumerate(spoken_lines(speech)):
        for sentence in split_sentences(line, "ja"):
            text = _LEAD.sub("", sentence.text)
            if text:
                found.append(SpokenSentence(speech.order, len(found), number, text))
    return tuple(found)


def remove_gaps(text: str) -> str:
    """Without the gaps that records set between the parts of a name or of a title."""
    return _GAP.sub("", text).strip(" 　\t")

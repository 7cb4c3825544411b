"""The spoken words of a speech, without what the record adds: speaker labels, rules, bracketed notes, tables."""

from dataclasses import dataclass
from functools import lru_cache

from almanac.desks.recap.model.meeting import Speech
from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import split_sentences

# ○ opens the label, and a wide space ends it: ○委員長（山田太郎君）　これより…
# Poor copies have a plain space there, or nothing behind an office: ○井林委員長これより…
_LABEL = lazy_regex(
    r"\A\s*○(?P<label>[^\s　]{1,60}(?=[　 ])|[^\s　（）。、]{1,12}?(?:（[^（）]{1,12}）)?"
    r"(?:委員長代理|委員長|副議長|議長|会長代理|会長|国務大臣|内閣総理大臣|副大臣|大臣政務官|政府参考人"
    r"|政府特別補佐人|事務総長|委員|君))[　 ]?"
)
_RULE = lazy_regex(r"[\s　]*[━─―－…・◇＝=*＊-]{2,}[\s　━─―－…・◇＝=*＊-]*")
_NOTE = lazy_regex(r"〔[^〔〕]{0,2000}〕")
# Stage directions: （拍手） applause, （発言する者あり） heckling, （「異議なし」と呼ぶ者あり） “no objection”.
_ASIDE = lazy_regex(
    r"（(?:拍手|笑声|発言する者あり|(?:「[^」]{0,60}」)?と呼ぶ(?:者|声)あり|[^（）]{0,30}する者あり)[^（）]{0,20}）"
)
_LEAD = lazy_regex(r"\A[\s　─―…・]+")
_GAP = lazy_regex(r"(?<=\S)[\s　]+(?=\S)")
_ENDED = lazy_regex(r"[。！？?.!][」』）)\"]?\Z")


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence of a speech: `index` counts the sentences of the speech, `paragraph` its paragraphs, both from 0."""

    order: int
    index: int
    paragraph: int
    text: str

    @property
    def is_ended(self) -> bool:
        """Whether it is a complete sentence, and not a line of a table or a list."""
        return bool(_ENDED.search(self.text))


def speaker_label(speech: Speech) -> str:
    """The speaker's label at the start of a speech, such as 国務大臣（加藤勝信君）, a minister; may be empty."""
    match = _LABEL.match(speech.text[:200])
    return match["label"] if match else ""


def spoken_text(speech: Speech) -> str:
    """The text without label, notes and asides, with its lines and rules."""
    text = _LABEL.sub("", speech.text.replace("\r\n", "\n").replace("\r", "\n"), count=1)
    return _ASIDE.sub("", _NOTE.sub("", text))


def spoken_lines(speech: Speech) -> list[str]:
    """The paragraphs as spoken, without label, rules and notes."""
    kept = (_LEAD.sub("", line).rstrip(" 　\t") for line in spoken_text(speech).split("\n"))
    return [line for line in kept if line and not _RULE.fullmatch(line)]


@lru_cache(maxsize=1024)
def spoken_sentences(speech: Speech) -> tuple[SpokenSentence, ...]:
    """The sentences of a speech in order."""
    spoken: list[SpokenSentence] = []
    for number, line in enumerate(spoken_lines(speech)):
        for sentence in split_sentences(line, "ja"):
            text = _LEAD.sub("", sentence.text)
            if text:
                spoken.append(SpokenSentence(speech.order, len(spoken), number, text))
    return tuple(spoken)


def remove_gaps(text: str) -> str:
    """The text without the spaces that records put between the parts of a name or a title."""
    return _GAP.sub("", text).strip(" 　\t")

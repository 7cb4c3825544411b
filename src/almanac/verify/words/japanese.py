"""Japanese content words, by the base forms and synonym groups of Sudachi and by lists of our own.

Compounds count as a whole and by their parts: 公開討論会 is carried by 討論会, and 討論会 by 公開討論会.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.normalization import MASK
from almanac.verify.word_lists import read_lines, read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.morphemes import Morpheme, read_morphemes
from almanac.verify.words.synonyms import groups_by_form, listed_synonyms

_CONTENT = frozenset({"名詞", "動詞", "形容詞", "形状詞", "副詞", "代名詞", "連体詞"})
_AFFIXES = frozenset({"接頭辞", "接尾辞", "助動詞"})
_IDLE_KINDS = frozenset({"数詞", "助動詞語幹"})
_DEPENDENT, _COUNTER = "非自立可能", "助数詞可能"
_LONGEST_PHRASE = 5
_CACHED_WORDS = 8192
_HAN_ENDING = lazy_regex(f"[{HAN}]{{2,}}$")
_KATAKANA_WORD = lazy_regex(f"[{KATAKANA}]{{4,}}")
_SHORTEST_KATAKANA = 3
# The verb behind a noun: 引き上げ and 引き上げる, 見積もり and 見積もる.
_VERB_ENDINGS = dict(zip("いきぎしちにびみり", "うくぐすつぬぶむる", strict=True)) | {
    kana: f"{kana}る" for kana in "えけげせてねべめれ"
}

_ORDINARY = 12


def content_words(text: str) -> Iterator[ContentWord]:
    """Nouns, verbs, adjectives and adverbs; fillers and affixes come along without keys: they carry, too."""
    morphemes = read_morphemes(text)
    phrases = _phrase_keys(morphemes)
    for at, morpheme in enumerate(morphemes):
        if morpheme.kind not in _CONTENT | _AFFIXES or _IDLE_KINDS & set(morpheme.kinds) or MASK in morpheme.surface:
            continue
        keys = word_keys(morpheme) | phrases.get(at, frozenset())
        is_filler = _is_filler(morpheme) or _is_auxiliary(morphemes, at) or _is_counter(morphemes, at)
        parts = [] if is_filler else _split_compound(morpheme)
        for part in parts or [morpheme]:
            own = keys | word_keys(part)
            needed = frozenset[str]() if is_filler or _is_filler(part) else own
            carries = own | _general_keys(morpheme, part)
            spared_beside = 0 if needed & read_words("weighty_ja.txt") else _ORDINARY
            yield ContentWord(part.start, part.end, part.surface, needed, carries, _is_light(part), spared_beside)


def word_keys(morpheme: Morpheme) -> frozenset[str]:
    """The keys of a word: its base form, the verb behind a noun, its synonym groups."""
    return _keys(morpheme.form, morpheme.surface, morpheme.groups, is_noun=morpheme.kind == "名詞")


@lru_cache(maxsize=_CACHED_WORDS)
def _keys(form: str, surface: str, sudachi_groups: tuple[int, ...], *, is_noun: bool) -> frozenset[str]:
    forms = {form, surface, verb_behind(form) if is_noun else form} - {""}
    groups = frozenset[str]().union(*(_groups().get(each, frozenset()) for each in forms))
    return groups | forms | {f"sudachi:{group}" for group in sudachi_groups}


def verb_behind(noun: str) -> str:
    """The verb that a noun in kana endings may come from: 引き上げる for 引き上げ; empty for others."""
    return noun[:-1] + _VERB_ENDINGS[noun[-1]] if len(noun) > 1 and noun[-1] in _VERB_ENDINGS else ""


def _split_compound(morpheme: Morpheme) -> list[Morpheme]:
    """The content words of a compound noun; verbs such as 引き上げる stay whole."""
    if morpheme.kind == "動詞":
        return []
    return [part for part in morpheme.parts if part.kind in _CONTENT and not _IDLE_KINDS & set(part.kinds)]


def _is_filler(morpheme: Morpheme) -> bool:
    fillers = read_words("fillers_ja.txt")
    return morpheme.kind in _AFFIXES or morpheme.form in fillers or morpheme.surface in fillers


def _is_light(morpheme: Morpheme) -> bool:
    return morpheme.form in _light_words() or morpheme.surface in _light_words()


@cache
def _light_words() -> frozenset[str]:
    return frozenset(form for word in read_words("light_ja.txt") for form in _forms(word))


def _is_counter(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether a word counts a figure: the 枚 of 3枚."""
    return at > 0 and _COUNTER in morphemes[at].kinds and morphemes[at - 1].surface == MASK


def _is_auxiliary(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether a verb or adjective only helps the one before: the いる of 走っている, the 始める of 走り始める."""
    if _DEPENDENT not in morphemes[at].kinds or at == 0:
        return False
    before = morphemes[at - 1]
    return before.kind in {"動詞", "助動詞", "形容詞"} or before.form in {"て", "で"}


def _general_keys(morpheme: Morpheme, part: Morpheme) -> frozenset[str]:
    """What else a source with this word carries: more general words, the last part of a compound."""
    forms = {morpheme.form, morpheme.surface, part.form, part.surface}
    keys = set[str]().union(*(_generalizations().get(form, frozenset()) for form in forms))
    if morpheme.kind == "名詞":
        for form in forms:
            if _HAN_ENDING.search(form):
                keys |= {form[-1], form[-2:]}
            elif _KATAKANA_WORD.fullmatch(form):
                keys |= {form[at:] for at in range(1, len(form) - _SHORTEST_KATAKANA + 1)}
    return frozenset(keys)


@cache
def _groups() -> dict[str, frozenset[str]]:
    """The names of the synonym groups of each word that is a single morpheme."""
    return groups_by_form((form, name) for word, name in listed_synonyms("ja") for form in _forms(word))


@cache
def _phrases() -> dict[tuple[str, ...], frozenset[str]]:
    """The same for entries of several morphemes, by their base forms."""
    listed = ((tuple(morpheme.form for morpheme in read_morphemes(word)), name) for word, name in listed_synonyms("ja"))
    return groups_by_form((forms, name) for forms, name in listed if 1 < len(forms) <= _LONGEST_PHRASE)


def _phrase_keys(morphemes: Sequence[Morpheme]) -> dict[int, frozenset[str]]:
    """The groups of listed phrases, by the index of each morpheme in them."""
    keys: dict[int, frozenset[str]] = {}
    forms = [morpheme.form for morpheme in morphemes]
    for start in range(len(forms)):
        for size in range(2, _LONGEST_PHRASE + 1):
            groups = _phrases().get(tuple(forms[start : start + size]))
            if groups:
                for at in range(start, start + size):
                    keys[at] = keys.get(at, frozenset()) | groups
    return keys


def _forms(word: str) -> set[str]:
    """A listed word as written and, if Sudachi reads it as a single word, its base form."""
    morphemes = read_morphemes(word)
    return {word, morphemes[0].form} if len(morphemes) == 1 else {word}


@cache
def _generalizations() -> dict[str, frozenset[str]]:
    """The keys of all more general words, by word."""
    parents: dict[str, set[str]] = {}
    for line in read_lines("taxonomy_ja.txt"):
        general, _, special = line.partition(":")
        for form in {form for word in special.split() for form in _forms(word)}:
            parents.setdefault(form, set()).update(_forms(general))
    return {word: _ancestor_keys(word, parents) for word in parents}


def _ancestor_keys(word: str, parents: dict[str, set[str]]) -> frozenset[str]:
    ancestors, rest = set[str](), [word]
    while rest:
        above = parents.get(rest.pop(), set()) - ancestors
        ancestors |= above
        rest += above
    return frozenset(ancestors).union(*(_groups().get(form, frozenset()) for form in ancestors))

"""Words written with a full stop that doesn't end the sentence, by what may follow them."""

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """`never` ends a sentence; `before_number` doesn't before a figure; what follows tells for the others."""

    never: frozenset[str]
    before_number: frozenset[str]
    company: frozenset[str]
    tail: frozenset[str]
    openers: frozenset[str]


_ENGLISH = Abbreviations(
    never=frozenset(
        "mr mrs ms mx dr drs prof sen rep gen lt col maj capt cpl sgt adm cmdr brig insp supt st ste hon rev fr "
        "msgr gov pres sec treas amb atty messrs mmes e.g i.e cf vs v viz al et ca approx est esp incl ave blvd mt "
        "ft dept univ assn bros ph.d".split()
    ),
    before_number=frozenset(
        "no nos p pp vol vols fig figs art arts sec s ss para paras ch chap eq ed app cl reg rs tel ext jan feb "
        "mar apr jun jul aug sep sept oct nov dec c".split()
    ),
    company=frozenset("inc ltd co corp plc llc pte pty bhd sdn jr sr u.s u.k u.n e.u d.c u.s.a".split()),
    tail=frozenset("etc p.m a.m b.c a.d ph.d m.d b.a m.a".split()),
    openers=frozenset(
        "the a an this that these those it its he she they we i you his her their our my there here in on at by "
        "for from with as if when while after before but and so however although though despite since because both "
        "each many some most all no not one two another other last next earlier later meanwhile under according "
        "what who how why".split()
    ),
)
_MALAY = Abbreviations(
    never=frozenset(
        "dr prof ir en pn cik tn hj hjh yb yab yam yang.bhg y.b y.a.b y.bhg m/s jln kg tmn lrg bt sg sdn us a.s "
        "s.a.w s.w.t".split()
    ),
    before_number=frozenset("no hlm ms bil jil fasal sek bab muka tel per ogos".split()),
    company=frozenset("bhd".split()),
    tail=frozenset("dll dsb dst dsbnya cth".split()),
    openers=frozenset(
        "beliau mereka ini itu kerajaan menteri syarikat menurut namun dalam pada bagi selain sementara selepas "
        "sebelum kami kita saya ia dia katanya tetapi jika walaupun bagaimanapun turut semua setiap ketika sejak "
        "untuk dengan antara para oleh hasil berikutan jumlah harga pihak perkara".split()
    ),
)


@lru_cache(maxsize=8)
def abbreviations(language: str | None) -> Abbreviations:
    """Those of a language; Malay texts use the English ones too, and an unknown language may use them all."""
    if language == "en":
        return _ENGLISH
    return Abbreviations(
        never=_ENGLISH.never | _MALAY.never,
        before_number=_ENGLISH.before_number | _MALAY.before_number,
        company=_ENGLISH.company | _MALAY.company,
        tail=_ENGLISH.tail | _MALAY.tail,
        openers=_ENGLISH.openers | _MALAY.openers,
    )

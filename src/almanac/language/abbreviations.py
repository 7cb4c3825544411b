"""Abbreviations whose full stop may not end a sentence, in English and Malay, and names that end in a mark."""

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Words whose full stop may not end the sentence.

    A stop after `never` doesn't end one, after `before_number` only if no digit follows, after `before_name` only if
    one of `openers` follows, after `tail` unless a weekday, month or time zone follows.
    """

    never: frozenset[str]
    before_number: frozenset[str]
    before_name: frozenset[str]
    tail: frozenset[str]
    openers: frozenset[str]


_ENGLISH = Abbreviations(
    never=frozenset(
        "mr mrs ms mx dr drs prof sen sens rep reps gen lt col maj capt cpl sgt adm cmdr cdr brig insp supt "
        "ste hon rev fr msgr gov govs pres sec treas amb atty messrs mmes e.g i.e cf vs v viz al et ca approx "
        "est esp incl mt ft dept univ assn bros ph.d intl feat hony s.v ed.d".split()
    ),
    before_number=frozenset(
        "no nos p pp vol vols fig figs art arts sec s ss para paras ch chap eq ed app cl reg rs tel ext jan feb "
        "mar apr jun jul aug sep sept oct nov dec c ph rd hwy rte bldg".split()
    ),
    before_name=frozenset(
        "inc ltd co corp plc llc pte pty bhd sdn jr sr esq u.s u.k u.n e.u d.c u.s.a st ave blvd rd cos".split()
    ),
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
        "dr prof ir en pn cik tn hj hjh yb yab yam yang.bhg y.b y.a.b y.bhg m/s jln jl kg tmn lrg bt sg sdn us a.s "
        "s.a.w s.w.t mohd muhd md abd ust ustz sdr bpk kec kab a.n d.a u.p".split()
    ),
    before_number=frozenset("no hlm hal ms bil jil fasal sek bab muka tel per ogos tgl rp pkl ps".split()),
    before_name=frozenset("bhd tbk pt cv ud".split()),
    tail=frozenset("dll dsb dst dsbnya cth".split()),
    openers=frozenset(
        "beliau mereka ini itu kerajaan menteri syarikat menurut namun dalam pada bagi selain sementara selepas "
        "sebelum kami kita saya ia dia katanya tetapi jika walaupun bagaimanapun turut semua setiap ketika sejak "
        "untuk dengan antara para oleh hasil berikutan jumlah harga pihak perkara".split()
    ),
)
# American states and Canadian provinces as papers shorten them; only after a comma, because some are words.
STATES = frozenset(
    "Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Md Mass Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa Tenn "
    "Tex Va Vt Wash Wis Wyo Ont Que Alta Sask Man".split()
)
# Names whose exclamation or question mark belongs to the name.
MARKED_NAMES = frozenset("yahoo jeopardy yum wham ignite e!news which guess".split())
NAMES_AFTER_A_MARK = frozenset("inc ltd corp co plc llc japan jp brands news finance mail answers sports group".split())
_MONTHS = "jan feb mar apr jun jul aug sep sept oct nov dec"
CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december gmt est edt utc myt sgt jst isnin selasa rabu khamis jumaat sabtu ahad "
    f"{_MONTHS} et pt ct pst pdt cst cdt mst cet cest bst ist hkt wib wita aest eastern pacific central".split()
)


@lru_cache(maxsize=8)
def abbreviations_for(language: str | None) -> Abbreviations:
    """The abbreviations of a language; any language other than English may use the English and the Malay ones."""
    if language == "en":
        return _ENGLISH
    return Abbreviations(
        never=_ENGLISH.never | _MALAY.never,
        before_number=_ENGLISH.before_number | _MALAY.before_number,
        before_name=_ENGLISH.before_name | _MALAY.before_name,
        tail=_ENGLISH.tail | _MALAY.tail,
        openers=_ENGLISH.openers | _MALAY.openers,
    )

"""Abbreviations whose full stop may not end a sentence, in English, Malay and German, and names that end in a mark."""

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Words whose full stop may not end the sentence.

    A stop after `never` doesn't end one, after `before_number` only if no digit follows, after `before_name` only if
    one of `openers` follows, after `tail` unless a weekday, month or time zone follows. Where numbers with a stop are
    ordinals, one doesn't end after `ordinal_before` or before `ordinal_nouns`.
    """

    never: frozenset[str]
    before_number: frozenset[str]
    before_name: frozenset[str]
    tail: frozenset[str]
    openers: frozenset[str]
    ordinal_before: frozenset[str] = frozenset()
    ordinal_nouns: frozenset[str] = frozenset()


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
_GERMAN = Abbreviations(
    never=frozenset(
        "dr prof hr fr st z d u i o h c bzw ca evtl ggf inkl insb insbes sog vgl bspw max min mind parl stellv dipl "
        "ing med jur phil rer nat habil abg bd hrsg lfd nachf ders ebd mio mrd".split()
    ),
    before_number=frozenset("nr nrn art abs s drs ziff kap par anl abschn az bt btl tel rn".split()),
    before_name=frozenset("e.v a.d".split()),
    tail=frozenset("usw etc ff f".split()),
    openers=frozenset(
        "der die das ein eine dies diese dieser dieses es er sie wir ich ihr in im am an auf mit nach vor bei zu "
        "zum zur und aber denn doch auch so wenn als da hier dort damit dann nun jetzt wer was wie warum".split()
    ),
    ordinal_before=frozenset(
        "der die das des dem den am im vom zum zur ab bis jeder jede jedes diese dieser dieses ein eine und "
        "oder".split()
    ),
    ordinal_nouns=frozenset(
        "januar februar märz april mai juni juli august september oktober november dezember lesung beratung "
        "wahlperiode sitzung ausschuss legislaturperiode jahrhundert".split()
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
    if language == "de":
        return _GERMAN
    return Abbreviations(
        never=_ENGLISH.never | _MALAY.never,
        before_number=_ENGLISH.before_number | _MALAY.before_number,
        before_name=_ENGLISH.before_name | _MALAY.before_name,
        tail=_ENGLISH.tail | _MALAY.tail,
        openers=_ENGLISH.openers | _MALAY.openers,
    )

"""How English and German speeches are read, whatever the parliament: questions, reasons, figures, definitions."""

from collections.abc import Mapping
from dataclasses import dataclass

from almanac.desks.recap.model.parliaments.parliament import Language, Patterns


@dataclass(frozen=True, kw_only=True)
class LanguageRules:
    """Patterns over single sentences.

    A sentence that is `leaning` can't be read without the one before it, an `empty` one says nothing by itself.
    `reasons` call something a reason; `condemns` and `praises` pass judgement. What `concedes`, or is taken back by a
    sentence that `turns`, is no reason, nor is what `others` say. `openers` may be cut from the beginning. A definition
    has the groups `term` and `definition`. `rejected`, `carried` and `counted` are words for results and their counts.
    """

    asks: Patterns
    leaning: Patterns
    empty: Patterns
    figures: Patterns
    money: Patterns
    decisive: Patterns
    openers: Patterns
    reasons: Patterns
    condemns: Patterns
    praises: Patterns
    concedes: Patterns
    turns: Patterns
    others: Patterns
    definitions: Patterns
    rejected: Patterns
    carried: Patterns
    mentions: Patterns
    counted: Patterns


_ENGLISH = LanguageRules(
    asks=(r"\?[”\"’']?$", r"^(?:To ask|Will|Would|Can|Could|Does|Do|Is|Are|What|Why|How|When|Who) .+\?"),
    leaning=(
        r"^(?:This|That|These|Those|It|They|He|She|His|Her|Its|Their|Such|Neither|Both|So|Here|There)\b(?! (?:Bill|House|Government|is an? ))",
        r"^(?:The (?:former|latter|same)|Instead|Otherwise|Likewise|Nor|Yes|No|Indeed)\b",
    ),
    empty=(
        r"^I (?:hope|know|think|believe|agree|understand|recognise|appreciate|hear)\b.{0,60}$",
        r"^(?:Absolutely|Of course|Quite right|Exactly)\b",
        r"^I (?:wish|want|would like) to (?:thank|pay tribute|congratulate|begin|start)\b",
        r"\b(?:will know|as I said|as I have said|let me be clear)\b.{0,20}$",
    ),
    figures=(r"\d", r"\b(?:million|billion|per cent|percent|hundred|thousand|half|third|quarter)\b"),
    money=(r"[£€$]\s?\d", r"\b\d[\d.,]* ?(?:million|billion|pence|pounds|euros)\b"),
    decisive=(
        r"\b(?:will|shall) (?:introduce|abolish|ban|require|extend|increase|reduce|cut|raise|end|create|establish|fund|invest|publish|consult|legislate|review|repeal|amend)\b",
        r"\b(?:the|this) (?:Bill|motion|regulations|order|clause|amendment) (?:will|would|does|gives|makes|requires|creates|provides|introduces|extends|ends|removes|seeks)\b",
        r"\b(?:we are|I am|the Government are|the Government is) (?:announcing|introducing|investing|committed|providing|publishing|increasing)\b",
        r"\bI can (?:announce|confirm|tell the House)\b|\bmust\b|\bban\b|\bduty\b|\bdeadline\b|\btarget\b",
    ),
    openers=(
        r"^(?:(?:However|But|And|So|Also|Indeed|Therefore|Moreover|Furthermore|Finally|First|Firstly|Secondly|Thirdly|Lastly|In addition|That said|Well|Now)(?:, | (?=[a-z]))|(?:Mr|Madam) (?:Deputy )?Speaker, |My Lords, )+",
    ),
    reasons=(
        r"\b(?:the|my|our|one|another|first|second|third|main|biggest) reasons?\b.{0,60}\b(?:is|are|why)\b",
        r"\bbecause\b",
        r"^(?:First|Firstly|Secondly|Thirdly|Finally|Lastly),? ",
    ),
    condemns=(
        r"\b(?:fails?|failed|failing|failure|wrong|unfair|unjust|inadequate|unacceptable|damag\w+|harm\w*|risks?|costly|unworkable|flawed|threat\w*|worse|undermin\w+|not enough|too (?:little|late|far|weak))\b",
    ),
    praises=(
        r"\b(?:will (?:help|protect|give|ensure|allow|make|strengthen|improve|save|support|deliver|bring)|right thing|long overdue|vital|essential|necessary|important step|benefit\w*|protect\w*|improve\w*|strengthen\w*|welcome)\b",
    ),
    concedes=(
        r"^(?:Of course|Certainly|Admittedly|To be fair|While|Although|Granted)\b",
        r"\bI (?:accept|concede|recognise|acknowledge)\b",
    ),
    turns=(r"^(?:But|However|Yet|Nevertheless|Nonetheless|That said|Even so|Unfortunately|Sadly)\b",),
    others=(
        r"\b(?:Government|Minister|Secretary of State|Opposition|Conservatives|Labour|they|others|some|critics|Members opposite) (?:say|says|claim|claims|argue|argues|tell us|tells us|believe|maintain|have said|has said|insist|insists)\b",
    ),
    definitions=(
        r"(?:^|[,;:—–(] ?)(?:[Tt]he (?:term|phrase|expression) )?[“\"‘](?P<term>[^”\"’]{3,60})[”\"’] (?:means|is defined as|refers to) (?P<definition>[^.?!]{12,220})",
        r"(?:^|[,;:—–] ?)(?:[Bb]y )?[“\"‘](?P<term>[^”\"’]{3,60})[”\"’],? (?:I|we) mean (?P<definition>[^.?!]{12,220})",
        r"^(?:An?|The) (?P<term>[a-z][\w -]{3,50}?) is defined(?: in [^.,]{3,80}?)? as (?P<definition>[^.?!]{12,220})",
        r"\b(?P<definition>(?:the )?[A-Z][\w'’-]+(?: (?:[A-Z][\w'’-]+|for|of|and|the|on)){1,8}),? (?:or|known as|also known as|called) (?P<term>[A-Z]{2,8}s?|[“\"‘][^”\"’]{3,40}[”\"’])(?=[,.;)])",
    ),
    rejected=(r"\b(?:rejected|defeated|voted down|negatived|thrown out|lost the vote)\b",),
    carried=(r"\b(?:agreed to|passed|approved|carried|adopted)\b",),
    mentions=(
        r"\b(?:should|would|could|must|might|may|if|whether|to) (?:be |have been |not be )?(?:rejected|defeated|passed|approved|carried|adopted|agreed)\b",
    ),
    counted=(
        r"\b(?P<ayes>\d[\d,]*)(?: votes)? to (?P<noes>\d[\d,]*)\b",
        r"\bAyes (?P<ayes>\d[\d,]*), Noes (?P<noes>\d[\d,]*)",
    ),
)

_GERMAN = LanguageRules(
    asks=(r"\?[“\"»]?$",),
    leaning=(
        r"^(?:Das|Dies|Diese[rsmn]?|Er|Sie|Es|Davon|Dafür|Dagegen|Dazu|Damit|Darum|Deshalb|Deswegen|So|Dann|Dort|Hier|Letztere[rs]?|Ersteres?|Beides?|Solche[rs]?)\b",
    ),
    empty=(
        r"^(?:Genau|Richtig|Ja|Nein|Natürlich|Selbstverständlich)\b.{0,30}$",
        r"^Ich (?:finde|glaube|denke|hoffe|weiß|meine)\b.{0,60}$",
    ),
    figures=(r"\d", r"\b(?:Millionen?|Milliarden?|Prozent|Hälfte|Drittel|Viertel|Tausende?)\b"),
    money=(r"\b\d[\d.,]* ?(?:Millionen |Milliarden )?(?:Euro|Cent|€)", r"€ ?\d"),
    decisive=(
        r"\b(?:der|dieser|unser|mit dem|mit diesem) (?:Gesetzentwurf|Gesetz|Antrag)\b",
        r"\b(?:wir|die Bundesregierung) (?:werden|wird|schaffen|führen|erhöhen|senken|streichen|stärken|investieren|fordern|beschließen)\b",
        r"\b(?:muss|müssen|verpflichtet|verboten|abgeschafft|eingeführt|beschlossen|gefördert)\b",
    ),
    openers=(
        r"^(?:(?:Aber|Und|Denn|Also|Nun|Außerdem|Zudem|Erstens|Zweitens|Drittens)[:,]? (?=[a-zäöüA-ZÄÖÜ])|(?:Sehr geehrte[rs]?|Liebe|Verehrte) [^!.]{3,120}! )+",
    ),
    reasons=(
        r"\b(?:weil|denn|nämlich|deshalb|Grund(?: dafür)?|Gründe)\b",
        r"^(?:Erstens|Zweitens|Drittens|Viertens)\b",
    ),
    condemns=(
        r"\b(?:falsch|ungerecht|unzureichend|schadet|gefährdet|verfehlt|scheiter\w+|unsozial|untragbar|zu wenig|zu spät|reicht nicht|ablehnen|Irrweg|belastet)\b",
    ),
    praises=(
        r"\b(?:richtig|wichtig|notwendig|überfällig|stärkt|schützt|verbessert|entlastet|hilft|sorgt dafür|guter Schritt|Fortschritt|sichert)\b",
    ),
    concedes=(r"^(?:Zwar|Natürlich|Sicher|Gewiss|Ja)\b", r"\b(?:räume ein|gebe zu|erkenne an)\b"),
    turns=(r"^(?:Aber|Doch|Jedoch|Trotzdem|Dennoch|Allerdings|Leider)\b",),
    others=(
        r"\b(?:Bundesregierung|Koalition|Opposition|Minister(?:in)?|Kanzler(?:in)?|Sie|manche|einige|Kritiker) (?:sag\w+|behaupt\w+|mein\w+|erklär\w+|argumentier\w+)\b",
    ),
    definitions=(
        r"(?:^|[,;:–] ?)[„\"](?P<term>[^“”\"]{3,60})[“”\"] (?:bedeutet|heißt|meint|bezeichnet),? (?P<definition>[^.?!]{12,220})",
        r"^(?:Unter|Mit) (?:einem |einer |dem |der )?(?P<term>[A-ZÄÖÜ][\wäöüß-]{3,50}) versteht man (?P<definition>[^.?!]{12,220})",
        r"\b(?P<definition>[A-ZÄÖÜ][\wäöüß-]+(?: [\wäöüß-]+){0,8}), (?:kurz|abgekürzt|das sogenannte|die sogenannte|der sogenannte) (?P<term>[A-ZÄÖÜ][\wÄÖÜäöüß-]{1,30})(?=[,.;)])",
    ),
    rejected=(r"\b(?:abgelehnt|gescheitert|zurückgewiesen)\b",),
    carried=(r"\b(?:angenommen|beschlossen|verabschiedet|zugestimmt)\b",),
    mentions=(r"\b(?:sollte|müsste|könnte|würde|soll|muss|wenn|ob|falls)\b",),
    counted=(r"\b(?P<ayes>\d[\d.]*) (?:zu|gegen) (?P<noes>\d[\d.]*)\b",),
)

_RULES: Mapping[Language, LanguageRules] = {"en": _ENGLISH, "de": _GERMAN}
ALL_RULES = tuple(_RULES.values())


def rules_for(language: Language) -> LanguageRules:
    """The rules of a language; the Diet's Japanese has rules of its own."""
    return _RULES[language]

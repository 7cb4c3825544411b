"""The German Bundestag: the phrases of its Plenarprotokolle."""

from almanac.desks.recap.model.parliaments.parliament import (
    Parliament,
    ProcedureGrammar,
    QuestionRule,
    ResultRule,
    SpeechGrammar,
)
from almanac.kit.messages import gettext

HOUSE = "Bundestag"
_NUMBER = r"\d{1,2}/\d{1,6}"
# What the house votes on, as its chair calls it.
_THING = (
    r"(?:Gesetzentw[uü]rfe?s?|Entwurf|Anträge|Antrags?|Änderungsantrags?|Änderungsanträge|Entschließungsantrags?"
    r"|Entschließungsanträge|Entschließung|Beschlussempfehlung(?:en)?|Sammelübersicht(?:en)?(?: \d+)?|Wahlvorschläge"
    r"|Wahlvorschlags?|Überweisungsvorschlags?|Absetzungsantrags?|Aufsetzungsantrags?|Geschäftsordnungsantrags?|Einspruchs?"
    r"|Gesetz|Vorschlags?|Kenntnisnahme|Finanzplan|Einzelplan \d+|Haushaltsgesetz|Verlangen)"
)
_CARRIED = r"(?:angenommen|beschlossen)"
_LOST = r"(?:abgelehnt|nicht angenommen|durchgefallen|zurückgewiesen)"
# „Der Gesetzentwurf ist damit in zweiter Beratung angenommen“, „Damit ist der Antrag … abgelehnt“.
_RESULT = rf"\b(?P<noun>{_THING})\b(?:(?!\?).)*?"
_STAGE = rf"{_RESULT}\b(?P<stage>in (?:zweiter|dritter) (?:Beratung|Lesung))\b(?:(?!\?).)*?"
_LAW = r"(?:zu[rm]?|über|für|gegen|betreffend)\b"

_MOVER = r"der (?:Fraktion(?:en)?|Abgeordneten|Gruppe)\b.*?(?= (?:auf|mit|zu[rm]?|vor)\b|[.,:„]|$)"

_PROCEDURE = ProcedureGrammar(
    chair=(
        r"\b(?:Bundestags)?(?:[Vv]ize)?[Pp]räsident(?:in)?\b(?! des Bundesra|e[sn]? )(?<!Ministerpräsident)(?<!Bundespräsident)",
        r"\bAlterspräsident(?:in)?\b",
    ),
    sections=(
        r"(?:Tagesordnungspunkte?|Zusatzpunkte?|Einzelplan|Epl)\b.{0,120}",
        r"(?i:tagesordnung|sitzungseröffnung|sitzungsbeginn|geschäftsordnung)",
    ),
    joins=(r"^(?:Tagesordnungspunkte?|Zusatzpunkte?)\b",),
    papers=(rf"\b(?P<number>{_NUMBER})\b",),
    puts=(
        # Der Ausschuss empfiehlt …, den Antrag … abzulehnen
        r"\bempf(?:iehlt|ehlen)\b.*?, (?P<what>(?:d(?:en|ie|as|er|em)|eine[nr]?|zwei|drei)\b.+?\b(?:anzunehmen|abzulehnen|zuzustimmen|zurückzuweisen|zu nehmen|für erledigt zu erklären|zu fassen))",
        r"\b(?:die|der) Ablehnung (?P<what>de[sr] (?:Antrags|Gesetzentwurfs)\b.+? abzulehnen)",
        r"\bempfiehlt\b.*?\b(?P<what>die Ablehnung de[sr] (?:Antrags|Gesetzentwurfs|Anträge)\b.+)",
        r"\bliegt (?:ein |der |auch ein |noch ein )(?P<what>(?:Änderungs|Entschließungs)antrag\b.+?) vor\b",
        r"\b(?:Ergebnis|Ergebnisse)\b.*?\bnamentlichen (?P<what>(?:Schluss)?[Aa]bstimmung (?:über|zum?|zur) .+?)(?:,? bekannt\b.*)?:?$",
        r"\b(?:zurückkommen|komme zurück) auf die namentliche (?P<what>(?:Schluss)?[Aa]bstimmung über .+?)(?:,? und gebe\b.*)?:?$",
        r"\b(?P<what>(?:Schluss|[Ss]chluss)?[Aa]bstimmung über .+?)(?: fort)?[.:]?$",
        r"\b(?:stimmen|lasse)\b.{0,30}?\b(?:zunächst|zuerst|nun|jetzt|jetzt zunächst)?\s?(?:ab |abstimmen )?über (?P<what>(?:den|die|das)\b.+?)(?: ab| abstimmen)?[.:]?$",
        rf"^(?P<what>(?:Entschließungsantrag|Änderungsantrag|Wahlvorschlag|Sammelübersicht \d+|Die Wahlvorschläge)\b.*?{_NUMBER}.*)$",
        r"^(?P<what>Sammelübersicht \d+)\b",
        rf"^(?P<what>Drucksachen? {_NUMBER})\.?$",
        r"\b(?P<what>Überweisung der Vorlagen?\b.+?) (?:an die|vorgeschlagen)",
        r"^(?P<what>(?:Wir kommen zur )?[Dd]ritte[nr]? Beratung)\b",
        rf"\bdiejenigen, die (?P<what>(?:de[mnr]|diese[mnr]) {_THING}\b.*?) (?:zustimmen|annehmen)",
        rf"\b[Ww]er stimmt für (?P<what>(?:den|die|das|diese[nms]?) {_THING}\b.*?)\?",
        r"\b[Ww]er stimmt (?:für|gegen) (?P<what>(?:die beantragte Überweisung|die (?:Ab|Auf)setzung\b.*?))\?",
    ),
    points_back=(
        r"^(?:Wir kommen zur )?[Dd]ritte[nr]? Beratung$",
        rf"^(?:de[mnr]|die|das|diese[mnrs]?) {_THING}\b[^/]*$",
    ),
    counts=(
        r"\b[Mm]it Ja\b[^.]*?\b(?P<ayes>\d[\d.]*)\b.*?\b[Mm]it Nein\b[^.\d]*(?P<noes>\d[\d.]*)",
        r"\b[Aa]uf Ja entfielen (?P<ayes>\d[\d.]*)\b.*?\bNein (?P<noes>\d[\d.]*)",
        r"\b[Mm]it Ja\b[^.\d]*(?P<ayes>\d[\d.]*)",
        r"\b[Mm]it Nein\b[^.\d]*(?P<noes>\d[\d.]*)",
    ),
    names=(
        r"\bEntwurfs? eines (?P<title>[\w-]+[Gg]esetzes)\b",
        r"\bmit dem Titel:? „(?P<title>[^“]{4,300})“",
        r"\bAntr(?:ag|äge)\b[^„]{0,160}„(?P<title>[^“]{4,300})“",
        rf"(?P<title>\bEntwurfs? eines (?:\w+ )?Gesetzes {_LAW}.+?)(?= auf (?:den )?Drucksache| (?:anzunehmen|abzulehnen)|,? bekannt|[.:]?$)",
        rf"(?P<title>\bGesetzentwurfs?(?: der (?:Fraktion(?:en)? )?[^.„]{{3,60}}?)? {_LAW}.+?)(?= auf (?:den )?Drucksache| (?:anzunehmen|abzulehnen)|,? bekannt|[.:]?$)",
    ),
    results=(
        ResultRule(r"\bÜberweisung(?:en)?\b.{0,20}\b(?:so )?beschlossen\b", "referred"),
        ResultRule(rf"{_STAGE}\b{_LOST}\b", "rejected"),
        ResultRule(rf"{_STAGE}\b{_CARRIED}\b", "agreed"),
        ResultRule(rf"{_RESULT}\b{_LOST}\b", "rejected"),
        ResultRule(rf"{_RESULT}\bdie erforderliche Mehrheit nicht (?:erreicht|gefunden)\b", "rejected"),
        ResultRule(rf"{_RESULT}\b(?<!Minuten )(?<!wurde ){_CARRIED}\b", "agreed"),
        ResultRule(rf"{_RESULT}\bdie erforderliche Mehrheit (?:erreicht|gefunden)\b", "agreed"),
        ResultRule(rf"\b{_CARRIED}(?: ist| sind) (?:damit )?(?:auch )?(?:der|die|das) (?P<noun>{_THING})\b", "agreed"),
        ResultRule(
            r"^(?:– )?(?:Damit |Dann |Somit )?(?:ist |wurde )?(?:das |dies |auch dies |auch das )?(?:einstimmig|mehrheitlich)(?: so)? (?:beschlossen|angenommen)\b",
            "agreed",
        ),
        ResultRule(
            r"^(?:– )?Mit (?:dem |der )?gleichen (?:Stimmverhältnis|Mehrheit(?:en)?)\b.*\bangenommen\b", "agreed"
        ),
    ),
    questions=(
        QuestionRule(
            pattern=r"\b(?:Ab|Auf)setzung\b|\b(?:Ab|Auf)setzungsantrag|\bÜberweisungsvorschlag|\bGeschäftsordnungsantrag"
            r"|\bbeantragte Überweisung|\bHerbeirufung\b|\bVertagung\b|\bVerlangen\b",
            subject="",
            is_formal=True,
        ),
        QuestionRule(pattern=r"^Überweisung der Vorlage", carried="referred"),
        QuestionRule(
            pattern=rf"^Änderungsantr(?:ag|äge)\b.*?:.*?(?P<mover>{_MOVER})|^Änderungsantr(?:ag|äge)\b",
            subject="Änderungsantrag {mover}: {item}",
            otherwise="Änderungsantrag {mover}",
        ),
        QuestionRule(
            pattern=rf"^Entschließungsantr(?:ag|äge)\b.*?:.*?(?P<mover>{_MOVER})|^Entschließungsantr(?:ag|äge)\b",
            subject="Entschließungsantrag {mover}: {item}",
            otherwise="Entschließungsantrag {mover}",
        ),
        QuestionRule(pattern=r"\b(?:eine|die) Entschließung\b|^Entschließung\b", subject="Entschließung: {item}"),
        QuestionRule(
            pattern=r"(?P<name>Sammelübersicht(?:en)? \d+(?: (?:bis|und) \d+)?)", subject="{name} zu Petitionen"
        ),
        QuestionRule(
            pattern=r"^Beschlussempfehlung(?:en)?: .*\babzulehnen\b", subject="Empfehlung, „{item}“ abzulehnen"
        ),
        QuestionRule(
            pattern=r"^Beschlussempfehlung(?:en)?: .*\bAblehnung\b", subject="Empfehlung, „{item}“ abzulehnen"
        ),
        QuestionRule(
            pattern=r"^Beschlussempfehlung(?:en)?: .*\banzunehmen\b", subject="Empfehlung, „{item}“ anzunehmen"
        ),
        QuestionRule(pattern=r"^Beschlussempfehlung", subject="Beschlussempfehlung zu „{item}“"),
        QuestionRule(
            pattern=r"^Gesetz\w*:.*(?:[Dd]ritte[nr]? Beratung|Schlussabstimmung)", carried="passed", whole_bill=True
        ),
        QuestionRule(pattern=r"^Gesetz\w* in dritter", carried="passed", whole_bill=True),
        QuestionRule(pattern=r"^Gesetz\w* in zweiter", subject="{item} (zweite Beratung)", whole_bill=True),
        QuestionRule(pattern=r"^(?:Gesetz\w*|Entwurf)\b", whole_bill=True),
        QuestionRule(
            pattern=rf"^Wahlvorschl[aä]ge?\b.*?(?P<mover>{_MOVER})|^Wahlvorschl[aä]g",
            subject="Wahlvorschlag {mover}: {item}",
            otherwise="Wahlvorschlag {mover}",
        ),
        QuestionRule(pattern=rf"^{_THING}\b"),
    ),
    kinds=(("budget", r"\bHaushalts(?:gesetz|begleitgesetz)"), ("bill", r"^(?:\w+ )?Gesetz\b|[Gg]esetz$")),
    title_forms=(
        (r"^.*?\bEntwurfs? eines ([\w-]*[\w-][Gg]esetz)es\b.*$", r"\1"),
        (r"^([\w-]+[Gg]esetz)es$", r"\1"),
        (
            r"^.*?\bEntwurfs? eines (?P<number>(?:\w+ )?)Gesetzes (?=zu[rm]?\b|über\b|für\b|gegen\b)",
            r"\g<number>Gesetz ",
        ),
        (r"^.*?\bGesetzentwurfs?(?: der [^.„]{3,60}?)? (?=zu[rm]?\b|über\b|für\b|gegen\b)", "Gesetz "),
        (r"^(Erst|Zweit|Dritt|Viert|Fünft|Sechst|Siebt|Acht|Neunt|Zehnt)en Gesetz\b", r"\1es Gesetz"),
    ),
    opened=(r"Beginn: [\d:.]+ Uhr",),
    closed=(r"Schluss: [\d:.]+ Uhr",),
)

_SPEECHES = SpeechGrammar(
    officials=(
        r"\bBundeskanzler(?:in)?\b|\bBundesminister(?:in)?\b|\bStaatsminister(?:in)?\b|\bStaatssekretär(?:in)?\b",
        r"\bWehrbeauftragte[r]?\b|\bBeauftragte[r]? der Bundesregierung\b",
    ),
    question_headings=(r"(?i)\bfragestunde\b", r"(?i)\bbefragung der bundesregierung\b"),
    asks=(
        r"^(?:Frau|Herr) (?:Minister(?:in)?|Bundeskanzler(?:in)?|Staatssekretär(?:in)?|Kolleg(?:e|in)),? .{0,300}\?$",
        r"\b(?:Zwischenfrage|Nachfrage)\b.{0,80}$",
    ),
    explains=(
        r"\b(?:bringe|bringen) (?:ich|wir) (?:heute |hier )?(?:den|unseren|einen) (?:Gesetzentwurf|Antrag)\b",
        r"\b(?:legen wir|lege ich) (?:heute |Ihnen |hier )*(?:den|einen|unseren) (?:Gesetzentwurf|Antrag) vor\b",
    ),
    reports=(r"\bals Berichterstatter(?:in)?\b", r"\bgebe ich (?:eine|folgende) Regierungserklärung\b"),
    raises_order=(r"(?i)\bzur geschäftsordnung\b",),
    in_favour=(
        r"\b(?:[Ww]ir|[Ii]ch|[Mm]eine Fraktion|die \S+-Fraktion|die Fraktion [^.]{2,40}?)\b[^.?]{0,40}\b(?:stimmen?|werden?|wird)\b[^.?]{0,60}\b(?:de[mr]|diese[mr]|Ihrem|unserem) (?:Gesetzentwurf|Gesetz|Antrag|Beschlussempfehlung)\b[^.?]{0,40}\bzu(?:stimmen)?\b",
        r"\b(?:bitte|werbe) (?:ich )?(?:Sie )?um (?:Ihre )?Zustimmung\b",
        r"\b(?:[Dd]eshalb|[Dd]arum|[Dd]aher) stimmen wir (?:heute |gerne |dem |der |diesem )+[^.?]{0,40}\bzu\b",
    ),
    against=(
        r"\b(?:[Ww]ir|[Ii]ch|[Mm]eine Fraktion|die \S+-Fraktion|die Fraktion [^.]{2,40}?)\b[^.?]{0,60}\b(?:lehnen|lehnt|lehne)\b[^.?]{0,80}\b(?:Gesetzentwurf|Gesetz|Antrag|ihn|es|das|dies)\b[^.?]{0,30}\bab\b",
        r"\b(?:[Ww]ir|[Ii]ch|[Mm]eine Fraktion)\b[^.?]{0,40}\b(?:werden|werde|wird|können|kann)\b[^.?]{0,80}\b(?:nicht zustimmen|ablehnen|dagegenstimmen|dagegen stimmen)\b",
        r"\b(?:stimmen|stimmt) (?:wir |meine Fraktion )?(?:heute )?(?:dagegen|gegen (?:den|diesen|das|dieses))\b",
    ),
    formalities=(
        r"^\(.*\)$",
        r"^(?:Sehr )?(?:[Gg]eehrte|[Vv]erehrte|[Ll]iebe|[Ww]erte)[rs]?\b.{0,160}!$",
        r"^(?:Frau|Herr) (?:Präsident(?:in)?|Kolleg(?:e|in)|Minister(?:in)?)\b.{0,80}!$",
        r"^(?:Guten Morgen|Guten Tag|Guten Abend|Meine (?:sehr verehrten )?Damen und Herren)\b.{0,60}[!.]$",
        r"^(?:Vielen|Herzlichen|Besten|Recht herzlichen) Dank\b.{0,80}[.!]$|^Danke\b.{0,60}[.!]$",
        r"^Glück auf[.!]?$|^Bravo[.!]?$",
        r"^(?:– )?(?:Wer (?:stimmt|ist|enthält|möchte)|Gibt es (?:Enthaltungen|Gegenstimmen)|Enthaltungen|Gegenprobe|Gegenstimmen)\b",
        r"^(?:– )?(?:Ich bitte (?:nun |jetzt )?(?:diejenigen|alle)|Das (?:ist|sind) (?:die|das|der) (?:Fraktion|Mehrheit|Koalition))\b",
        r"^(?:Das Wort hat|Nächste[rn]? Redner|Ich erteile|Ich rufe)\b",
    ),
)

BUNDESTAG = Parliament(
    id="bundestag",
    name=gettext("German Bundestag"),
    language="de",
    houses={HOUSE: gettext("Bundestag")},
    source_url="https://dserver.bundestag.de/btp/",
    procedure=_PROCEDURE,
    speeches=_SPEECHES,
)

"""How a system declines in German, Dutch and Swedish."""

# An alternative is one line, however long, in letters that look like ours at times:
# ruff: noqa: E501

from typing import Final

from demur.outcomes.phrases import Phrases, answering

_DE_SOURCE: Final = (
    "(?:(?:im|in|aus|laut|der|die|das|den|dem|diesem|dieser|dieses|deinem|ihrem) )*"
    "(?:(?:bereitgestellte|gegebene|vorliegende|angegebene|gefundene|verfugbare"
    "|genannte|obige|bereitgestellten|gegebenen|vorliegenden|angegebenen|gefundenen"
    "|verfugbaren) ?[nmrs]? ?)*"
    "(?:kontext|text|texte|dokument|dokumente|dokumenten|artikel|passage|abschnitt"
    "|absatz|quelle|quellen|suchergebnisse|suchergebnissen|unterlagen|informationen"
    "|daten|datenbank|schema|tabellen?|wissensdatenbank|textstelle)"
)
_DE_CANNOT: Final = (
    r"(?:(?:(?:das|dies|es|dazu|dabei|darauf|hierzu|hier|damit|daruber|diese frage"
    r"|ihre frage|deine frage|ihnen|dir|leider|also|da|so|sowas|so etwas) ){0,3}"
    r"(?:kann|konnen|darf|durfen|konnte|mochte|werde|will) (?:ich|wir)"
    r"|(?:ich|wir) (?:kann|konnen|darf|durfen|konnte|mochte|werde|will))"
)

GERMAN: Final = Phrases(
    before=r"""
oh|hm+|ach|na ja|tja|nun|also|hallo|danke(?: [^.,!?]*)?|nein|gute frage|das ist eine gute frage
(?:es )?tut mir (?:sehr |wirklich |furchtbar |echt )?leid|leider|bedauerlicherweise|sorry
(?:ich bitte um |bitte )?(?:entschuldigung|entschuldigen sie(?: bitte)?|entschuldige|verzeihung|verzeihen sie|verzeih)(?: bitte)?|(?:ich )?bedaue?re?|ehrlich gesagt|offen gestanden
als (?:ki|kunstliche|sprachmodell|virtuelle|digitale|assistent|chatbot|reines)[^.,!?]*?(?= (?:kann|habe|darf|verfuge|bin|mochte|besitze|gebe|werde|ist)\b|[.,!?])
ich bin (?:nur |lediglich |bloss )?(?:eine? )?(?:ki|kunstliche|sprachmodell|virtuelle|digitale|chatbot|bot|kein arzt|keine arztin|kein anwalt)[^.,!?]*
(?:auf (?:der )?(?:basis|grundlage)|anhand|basierend auf|aufgrund|laut|nach|mit (?:den|der|dem|dieser|diesem|ihren)) [^.,!?]{3,50}?(?= (?:kann|lasst|ist|geht|habe|konnen|lassen)\b|,)
(?:mein\w*|die mir) (?:wissen|wissensstand|kenntnisstand|kenntnisse|trainingsdaten|daten|informationen)[^.!?]{0,60}?,
aber|und|doch|dass|daher|deshalb
""",
    closed=r"""
(?:das |dies |es )?weiss ich (?:(?:es|das|leider|auch|selbst|gerade|wirklich|ehrlich gesagt|im moment) )*nicht(?: genau| sicher| so genau)?
ich weiss (?:(?:es|das|dies|die antwort|leider|auch|selbst|gerade|wirklich|ehrlich gesagt|daruber|dazu) )*(?:nicht|nichts)(?: (?:genau|sicher|daruber|dazu))?
weiss (?:ich|nicht|net)|weiss ich doch nicht
(?:da |davon |daruber |ich )?(?:habe?|hab'?) (?:ich )?(?:(?:leider|absolut|wirklich|echt|davon|da) )*(?:keinen?|nicht die geringste|null) (?:ahnung|idee|schimmer|antwort|plan|dunst|blassen schimmer|blassen dunst)(?: davon| darauf)?
(?:ich )?(?:kenne|weiss) (?:ich )?(?:leider )?die (?:richtige )?antwort (?:darauf )?(?:leider )?nicht|die antwort (?:kenne|weiss) ich (?:leider )?nicht|die antwort ist mir (?:leider )?(?:nicht bekannt|unbekannt)
(?:das |dies |es )?(?:ist|war) mir (?:leider )?(?:nicht bekannt|unbekannt)
(?:da |dabei |dessen )?(?:bin ich|ich bin) (?:mir )?(?:(?:da|dabei|leider|nicht ganz|nicht wirklich|ganz) )*(?:nicht )?(?:sicher|unsicher|uberfragt)(?: genug)?(?:,? um [^.!?]*)?
(?:das|dies|die antwort) entzieht sich (?:leider )?meiner kenntnis|woher soll(?:te)? ich (?:das|es) wissen|null ahnung
(?:das|dazu|darauf|hierzu) (?:kann|darf|mochte|werde) ich (?:(?:ihnen|dir|leider|hier|dazu|so|auch|nichts|nicht|genau|lieber) )*(?:nicht |nichts )(?:sagen|beantworten|antworten|verraten|beurteilen|raten|tun|machen|preisgeben)?
ich (?:mochte|will|werde) (?:(?:hier|da|daruber|lieber|dazu|auch) )*(?:nicht|keine) (?:raten|spekulieren|vermutungen anstellen|mutmassen)|raten mochte ich (?:lieber )?nicht|ich rate (?:lieber )?nicht
da bin ich (?:leider )?uberfragt|da muss ich passen|ich passe|kein kommentar|nicht beantwortbar
""",
    open=rf"""
{_DE_CANNOT} (?:(?!nicht|kein|nichts)[\w ,'-]){{0,60}}?(?:nicht|keine?n?[rs]?|nichts|nicht weiter) (?:[\w'-]+ ){{0,7}}?(?:beantworten|antworten|helfen|weiterhelfen|behilflich sein|unterstutzen|sagen|beurteilen|bestimmen|ermitteln|feststellen|ableiten|entnehmen|beraten|ausdrucken|ubersetzen|erstellen|erzeugen|formulieren|erfullen|bearbeiten|ausfuhren|durchfuhren|nachkommen|entsprechen|bereitstellen|geben|erteilen|stellen|abgeben|teilen|mitteilen|preisgeben|verraten|finden|zugreifen|generieren|verfassen|schreiben|ersetzen|raten|spekulieren|tun|leisten|diskutieren|besprechen|verstehen|bieten|machen|aussern|festlegen|eingehen|kommentieren)<end>
(?:kann|konnen|lasst sich|lassen sich|ist) (?:die|diese|ihre|deine|das|dies|es)(?: (?:frage|anfrage|antwort))?(?: [\w-]+){{0,4}}? nicht (?:[\w-]+ ){{0,4}}?(?:zu )?(?:beantwort\w+|sagen|bestimm\w+|ermittel\w+|ableiten|entnehmen|feststell\w+|klaren)\b
(?:habe|besitze|verfuge) ich (?:(?:leider|dazu|hierzu|daruber|aktuell|derzeit|uber) )*(?:keine?n?|nicht genug\w*|nicht ausreichend\w*) (?:\w+ ){{0,2}}?(?:informationen?|angaben?|daten|zugriff|zugang|kenntnisse?|antwort|meinung(?:en)?|gefuhle|erkenntnisse|wissen|kontext|details)\b
{_DE_CANNOT} (?:ihnen |dir |euch )?(?:dabei |damit |hier |da |bei dieser [a-z]+ |bei diesem [a-z]+ )?(?:leider )?nicht (?:weiter)?helfen
(?:ich|wir) (?:habe|haben|besitze|verfuge uber|finde|fand|sehe|konnte) (?:(?:ich|leider|hier|hierzu|dazu|daruber|darauf|dafur|derzeit|im moment|zu dieser frage|im text|im kontext|in den [a-z]+|aktuell) )*(?:keine?n?|nicht genug|nicht genugend|nicht ausreichend|nicht die|zu wenig|nichts)(?: (?:ausreichenden?|genaueren?|weiteren?|naheren?|relevanten?|passenden?|verlasslichen?|personlichen?|eigenen?|aktuellen?|direkten?|notigen?|erforderlichen?|entsprechenden?))* (?:informationen?|infos?|angaben?|daten|zugriff|zugang|kenntnisse?|antwort|meinung(?:en)?|gefuhle?|hinweise?|belege?|erkenntnisse|wissen|kontext|details|einblick)\b
(?:dazu|darauf|daruber|hierzu|hieruber|zu dieser frage|zu diesem thema|davon|mir) (?:liegen|fehlen|habe|finde|gibt|steht|liegt|findet)\b[^.,!?]*\b(?:keine?n?|nicht|nichts|fehlen|die (?:notigen|erforderlichen)|nicht genug) ?[^.,!?]*(?:informationen?|angaben?|daten|zugriff|antwort|kenntnisse|vor|text|kontext)\b
mir fehlen (?:(?:dazu|dafur|hierfur|leider) )*(?:die |genauere |weitere |notige )*(?:informationen|angaben|daten|details|kenntnisse)
{_DE_SOURCE}(?: [\w-]+){{0,4}}? (?:enthalt|enthalten|erwahnt|erwahnen|nennt|nennen|liefert|liefern|gibt|geben|macht|machen|sagt|sagen|beantwortet|beantworten|bietet|bieten|steht|stehen|findet|finden|wird|werden|ist|sind|reicht|reichen|geht|lasst)\b[^.!?]*?\b(?:keine?[nr]?|nicht|nichts)\b
(?:die|diese|ihre|deine) (?:frage|anfrage|antwort|information)(?: [\w-]+){{0,6}} (?:nicht|unmoglich)(?: [\w-]+){{0,7}} ?(?:beantworten|beantwortet|beantwortbar|ableiten|entnehmen|enthalten|bestimmen|hervor|bekannt|formulieren|ubersetzen|ausdrucken|angegeben|erwahnt|genannt|zulassig|erlaubt|abbilden)\b
(?:es|das|dies|daraus|darin|hier|dort) (?:lasst sich|ist|wird|geht|steht|gibt es|werden|kann)(?: [\w-]+){{0,8}}? (?:nicht|keine?n?|nichts|unmoglich)(?: [\w-]+){{0,7}}? (?:beantworten|beantwortet|ableiten|entnehmen|bestimmen|hervor|erwahnt|genannt|angegeben|enthalten|sagen|informationen|angaben|daten|hinweise?|feststellen|ermitteln)\b
es ist (?:mir )?(?:leider )?(?:nicht moglich|unmoglich)[^.!?]*(?:beantworten|antworten|sagen|bestimmen|helfen|geben|erfullen|beurteilen|ermitteln)\b
(?:ich|wir) (?:bin|sind|sehe mich) (?:(?:leider|derzeit|ich) )*(?:nicht (?:in der lage|befugt|berechtigt|qualifiziert|dafur|darauf|imstande)|ausserstande|ausser stande)
(?:das|dies|diese frage|ihre frage|ihre anfrage|diese anfrage|dieses thema|das thema)(?: [\w-]+){{0,3}}? (?:liegt|fallt|geht|ubersteigt|uberschreitet|gehort|ist)(?: leider)? (?:(?:ausserhalb|uber|nicht in|nicht zu|meine)\b|nicht mein (?:fachgebiet|bereich|gebiet|thema)|etwas,? (?:das|was) ich nicht)
(?:ich|wir) (?:muss|mussen) (?:(?:diese|ihre|deine|die|das|dies|hier|leider|es|[a-z]+) )*(?:anfrage |bitte |antwort )?(?:leider )?(?:ablehnen|verweigern|passen|verzichten|absehen)\b|(?:das|diese anfrage|dies) (?:muss|mochte) ich (?:leider )?ablehnen|ich (?:lehne|verweigere) (?:das|dies|diese|die|es|hoflich)
(?:dieser|diese|dieses|der|die|das|ihre|deine|solche)(?: \w+){{0,2}} (?:verstosst|verstossen|verletzt|verletzen|widerspricht|widersprechen) (?:\w+ ){{0,2}}?(?:gegen |meinen? |unser\w* |den |die |der )*(?:\w+)?(?:richtlinie|regel|grundsatz|grundsatze|nutzungsbedingung|bestimmung|inhaltsrichtlinie)\w*
(?:ihre|die|diese|deine) (?:anfrage|frage|nachricht|inhalte?) (?:wurde|wird|ist) [^.!?]*(?:blockiert|gesperrt|gefiltert|nicht (?:erlaubt|zulassig|gestattet))
(?:das|ich) (?:habe|hab) (?:(?:das|ich|dich|sie|ihre frage|deine frage|leider|jetzt|nicht ganz|gerade) )*nicht (?:ganz |richtig |genau )?(?:verstanden|mitbekommen)|ich verstehe (?:(?:die|ihre|deine|diese|leider) )*(?:frage|anfrage|eingabe)? ?nicht(?: ganz)?<end>
(?:konnten|konntest|kannst|wurden|wurdest|konnen) (?:sie|du) (?:das |die frage |ihre frage |deine frage |es |mir |bitte |noch einmal |nochmals?)*(?:bitte |noch ?(?:ein)?mal |genauer |anders |naher )*(?:umformulieren|formulieren|wiederholen|prazisieren|erlautern|angeben|sagen, welche)
bitte (?:formulieren|prazisieren|wiederholen|geben sie (?:mir )?(?:mehr|weitere|genauere)|formuliere|wiederhole|prazisiere|wenden sie sich|fragen sie)
(?:ich|dafur|hierfur|dazu) (?:brauche|benotige|brauchte)(?: ich)? (?:(?:dazu|dafur|noch|hierfur|ein paar|etwas) )*(?:weitere|mehr|genauere|nahere|zusatzliche)
(?:nicht genug|nicht genugend|zu wenige?|keine|nicht ausreichend|unzureichende) (?:informationen|angaben|daten|kontext)\b
(?:ich|wir) (?:gebe|geben|erteile|biete|diskutiere|aussere)(?: mich)? (?:(?:grundsatzlich|leider|dazu|zu [a-z]+) )*(?:keine|nicht)\b
keine (?:der )?(?:tabellen?|spalten?)[^.!?]* (?:enthalt|passt|vorhanden|gibt|existiert|liefert)
(?:da|das) (?:mussen|musst|mussten|sollten) (?:sie|du|ihr) (?:schon |wohl |besser )?(?:jemand|einen|eine|den|die|das)\b[^.!?]* fragen|fragt? (?:besser |lieber )?(?:jemand|den|die|einen)\b
""",
    bare=r"""
keine ahnung|ka|unbekannt|weiss nicht|keine angaben?|nicht bekannt|keine antwort|k\.? ?a\.?|nicht (?:angegeben|zutreffend|anwendbar|bestimmbar|verfugbar|ermittelbar|genannt|erwahnt)|trifft nicht zu|entfallt|(?:null|nicht die geringste) ahnung|kein plan
""",
    guess=r"""
\b(?:ich (?:glaube|denke|vermute|schatze|nehme an|meine)|glaube ich|denke ich|wurde ich sagen|wahrscheinlich|vermutlich|vielleicht|wohl|moglicherweise|ich wurde sagen|schatzungsweise|ich tippe)\b
""",
    but=r"""
\b(?:aber|jedoch|obwohl|sondern|welche\w*|wieviel|dass|was|wie|wo|wer|wann|warum|ob)\b
""",
    answers=answering(
        r"\bantwort (?:ist|lautet|ware|heisst)",
        r"nicht|keine?[rn]?|un(?:bekannt|klar)|mir",
        r"direkt|ausdrucklich|wortlich|explizit|genaue?[nrs]?|exakte?[nrs]?|prazise?[nrs]?",
        "aber|doch|jedoch|dennoch|sondern",
        r"\bkeine (?:\w+ )?(?:informationen|angaben|daten|kenntnisse) (?:notig|erforderlich|notwendig)\b",
        r"\bkeine andere antwort\b|\b(?:antwort|idee) ausser\b",
        r"\b(?:oft|genug|laut|deutlich) genug\b",
        r"\b(?:uber|zu|von) (?:einen?m?r? )?(?:fruher\w+|alter\w+|weiter\w+) (?:fall|falle\w*|beispiel\w*|erwahnung\w*)\b",
        r"\bnicht (?:umhin|leugnen|bestreiten|ubersehen|verhehlen|glauben|erwarten)\b|\bunmoglich zu (?:leugnen|ubersehen)\b",
    ),
)

_NL_CANNOT: Final = (
    r"(?:(?:(?:dat|dit|daar|hier|deze vraag|die vraag|uw vraag|je vraag|helaas|dus|u|je) ){0,3}"
    r"(?:kan|kunnen|mag|kon|wil|zal|ga) (?:ik|wij|we)|(?:ik|wij|we) (?:kan|kunnen|mag|kon|wil|zal|ga))"
)
_NL_SOURCE: Final = (
    "(?:(?:in|uit|volgens|de|het|dit|deze|uw|je) )*"
    "(?:(?:gegeven|verstrekte|aangeleverde|beschikbare|gevonden|bovenstaande|meegegeven) )*"
    "(?:context|tekst|passage|document(?:en)?|artikel|alinea|bron(?:nen)?"
    "|zoekresultaten|resultaten|informatie|gegevens|database|schema|tabel(?:len)?"
    "|kennisbank)"
)

DUTCH: Final = Phrases(
    before=r"""
oh|hm+|ach|tja|nou|hallo|bedankt(?: [^.,!?]*)?|nee|goede vraag|dat is een goede vraag
(?:het )?spijt me(?: zeer| erg)?(?: dat)?|helaas|sorry|jammer genoeg|(?:mijn )?excuses|neem me niet kwalijk|pardon|vergeef me|ik ben bang(?: dat)?|ik vrees(?: dat)?
als (?:ai|taalmodel|kunstmatige|virtuele|digitale|assistent|een)[^.,!?]*?(?= (?:kan|heb|mag|ben|beschik|geef)\b|[.,!?])
ik ben (?:maar |slechts |alleen )?(?:een )?(?:ai|taalmodel|virtuele|chatbot|bot|geen arts|geen dokter|geen jurist)[^.,!?]*
(?:op basis van|op grond van|aan de hand van|gezien|volgens) [^.,!?]{3,50}?(?= (?:kan|is|valt|heb|kunnen)\b|,)
(?:mijn|de) (?:kennis|trainingsdata|gegevens|informatie|data)[^.!?]{0,60}?,
eerlijk gezegd|om eerlijk te zijn
maar|en|dus|dat
""",
    closed=r"""
(?:ik weet|weet ik|dat weet ik|(?:ik )?zou|geen idee) ?(?:(?:het|'t|dat|dit|het antwoord|daar|hier|helaas|echt|eerlijk gezegd|ook|er|niks|niets) )*(?:niet|niets|niks)(?: (?:zeker|precies|van|weten|over))*(?: genoeg om [^.,!?]*)?
dat weet ik (?:helaas |ook |echt )?niet(?: zeker| precies)?|(?:ik )?zou het niet weten|ik weet het antwoord (?:helaas )?niet|(?:het )?antwoord (?:weet|ken) ik (?:helaas )?niet|ik ken het antwoord (?:helaas )?niet
(?:ik|daar|hier) heb (?:ik )?(?:(?:daar|hier|er|echt|helaas|absoluut) )*geen (?:enkel |flauw |werkelijk )?(?:idee|antwoord|benul)(?: (?:van|op|over))?
(?:ik ben|daar ben ik|hier ben ik) (?:er |daar |hier |me |helaas |daar helaas )*(?:niet|on)(?: helemaal| echt)? ?zeker(?: (?:van|over))?(?: het antwoord)?
(?:dat|daar|hier)(?: op| over)? (?:kan|mag|wil|zal) ik (?:(?:u|je|helaas|daar|hier|ook|over) )*(?:niet |niets |geen )(?:(?:op|over|mee|bij) )?(?:zeggen|beantwoorden|antwoorden|verklappen|vertellen|doen|helpen)
(?:ik )?(?:wil|ga|zal) (?:ik )?(?:(?:daar|hier|er|liever|over) )*(?:niet|geen)(?: (?:gokken|raden|speculeren|gok doen|naar raden|over speculeren|gissen|gaan gokken|een gok wagen))+|ik (?:gok|raad) (?:liever )?niet
geen commentaar|ik pas|ik moet (?:(?:je|u|jullie) )?(?:het antwoord schuldig blijven|passen)|(?:dit is |dat is )?niet te (?:beantwoorden|bepalen|zeggen|achterhalen)(?: (?:op basis van|uit|aan de hand van) [^.,!?]*)?
(?:dat|dit|het) is (?:mij|me) (?:helaas )?(?:niet bekend|onbekend)|joost mag het weten|geen flauw idee|(?:daar|hier) doe ik (?:liever |helaas )?geen (?:uitspraak|uitspraken|mededelingen)(?: (?:over|op))?|ik durf (?:het|dat) (?:echt )?niet te (?:zeggen|beweren)
""",
    open=rf"""
{_NL_CANNOT} (?:(?!niet|geen|niets)[\w ,'-]){{0,60}}?(?:niet|geen|niets|niet verder) (?!wachten|geloven|anders|ontkennen|laten|vaak|genoeg)(?:[\w'-]+ ){{0,7}}?(?:(?:geven|verstrekken|delen|bieden|helpen) (?:over|voor|om|van|bij|met)\b[^.,!?]*|zeggen (?:wie|wat|waar|wanneer|welke|of|hoeveel)\b[^.,!?]*|beantwoorden (?:omdat|want|op)\b[^.,!?]*|beantwoorden|antwoorden|helpen|verder helpen|zeggen|bepalen|vaststellen|afleiden|opmaken|vinden|geven|verstrekken|delen|uitvoeren|voldoen|verwerken|inwilligen|maken|genereren|vertalen|omzetten|schrijven|opstellen|formuleren|adviseren|begrijpen|bieden|doen|bespreken|ondersteunen|behandelen|gokken|speculeren|raden|meewerken|vertellen|beoordelen)<end>
(?:(?:ik|wij|we) (?:heb|hebben|beschik|bezit|vind|vond|zie|kon)|(?:heb|beschik|vind) ik) (?:(?:ik|helaas|hier|hierover|daarover|daar|hiervoor|momenteel|op dit moment|over) )*(?:niet genoeg|niet voldoende|onvoldoende|geen|te weinig|niet de|niet over)(?: (?:voldoende|nadere|verdere|relevante|betrouwbare|persoonlijke|eigen|actuele|directe|nodige|specifieke|genoeg|de))* (?:informatie|info|gegevens|toegang|kennis|antwoord|mening|gevoelens|aanwijzingen|details|context|data)\b
(?:hier|daar|hierover|daarover|over [^.,!?]{{3,30}}) (?:heb|beschik|vind|is|staat) (?:ik )?[^.,!?]*(?:geen|niets|onvoldoende|niet over)[^.,!?]*(?:informatie|gegevens|bekend|antwoord|over)
{_NL_SOURCE}(?: [\w-]+){{0,4}}? (?:bevat|bevatten|vermeldt|vermelden|noemt|noemen|geeft|geven|zegt|zeggen|biedt|bieden|staat|staan|wordt|worden|is|zijn|beantwoordt|beantwoorden|volstaat|volstaan|blijkt)\b[^.!?]*?\b(?:geen|niet|niets|onvoldoende)\b
(?:het|dit|dat) (?:antwoord|gegeven) (?:staat|is|valt|wordt|komt) (?:helaas )?(?:niet|nergens)\b
(?:er is|er zijn|is er|zijn er) (?:helaas |hierover |daarover )?(?:onvoldoende|niet genoeg|te weinig|niet voldoende) (?:\w+ )?(?:informatie|gegevens|context|data)\b
(?:de|deze|uw|je|die) (?:vraag|informatie|aanvraag)(?: [\w-]+){{0,6}} (?:niet|onmogelijk)(?: [\w-]+){{0,7}} ?(?:beantwoorden|beantwoord|afleiden|vermeld|opgenomen|toegestaan|vertalen|uitdrukken|bekend|worden)\b
(?:het|dat|dit|daaruit|hieruit|er) (?:is|valt|wordt|staat|blijkt|kan|zijn)(?: [\w-]+){{0,6}}? (?:niet|geen|niets|onmogelijk)(?: [\w-]+){{0,7}}? ?(?:mogelijk|beantwoorden|af te leiden|vermeld|genoemd|informatie|gegevens|bepalen|zeggen|op te maken|antwoorden|vast te stellen)\b
(?:het )?is (?:voor mij |mij )?(?:niet mogelijk|onmogelijk)(?: (?:om|te|dat|dit|deze|vraag|hierop|daarop|een))* (?:te )?(?:beantwoorden|antwoorden|zeggen|bepalen|geven|helpen)
(?:is )?het (?:voor mij )?(?:is )?(?:niet mogelijk|onmogelijk)(?: \w+){{0,6}} (?:beantwoorden|antwoorden|zeggen|bepalen|geven|helpen)
(?:ik|wij|we) (?:ben|zijn) (?:(?:helaas|momenteel) )*(?:niet (?:in staat|bevoegd|gemachtigd|gekwalificeerd|bij machte|opgeleid)|er niet voor)
(?:dat|dit|deze vraag|uw vraag|je vraag|dit verzoek|dit onderwerp)(?: [\w-]+){{0,2}}? (?:valt|ligt|gaat|is|overstijgt|behoort)(?: helaas)? (?:buiten|mijn (?:mogelijkheden|kennis|kunnen)|niet (?:binnen|tot mijn|mijn|iets)|iets (?:wat|dat|waar) ik niet)
(?:ik|wij|we) moet(?:en)? (?:(?:dit|deze|uw|je|helaas|het|dat|hier) )*(?:verzoek |vraag |aanvraag )?(?:helaas )?(?:afwijzen|weigeren|afslaan|passen|bedanken|schuldig blijven)|ik (?:weiger|wijs) (?:dit|dat|deze|om|hier)|(?:dat|dit) (?:verzoek )?(?:moet|wil) ik (?:helaas )?(?:weigeren|afwijzen)
(?:deze|dit|de|het|uw|je|dat|zulke)(?: \w+){{0,2}} (?:is|zijn|gaat|gaan|schendt|schenden|druist|overtreedt|werd|strookt)(?: \w+){{0,2}} (?:strijd|tegen|ons|onze|mijn|de|geblokkeerd|niet toegestaan|gefilterd)(?: \w+){{0,3}} ?(?:beleid|richtlijnen|regels|voorwaarden|geblokkeerd|toegestaan|principes|gebruiksregels|inhoudsbeleid)
(?:dat|ik) (?:heb|begrijp|snap) (?:(?:ik|dat|u|je|uw vraag|je vraag|de vraag|helaas|het|even) )*niet(?: (?:helemaal|goed|begrepen|verstaan|gesnapt))*<end>
(?:kunt|kun|zou|kan|wilt|wil) (?:u|je)(?: \w+){{0,6}} (?:herformuleren|herhalen|verduidelijken|anders formuleren|specifieker zijn|anders zeggen|toelichten|preciezer)
(?:ik|hiervoor|daarvoor) (?:heb|zou)(?: ik)?(?: \w+){{0,3}} (?:meer|nadere|extra|aanvullende|verdere) (?:informatie|gegevens|details|context)(?: \w+)? ?nodig
(?:niet genoeg|onvoldoende|te weinig|geen) (?:informatie|gegevens|context|data)\b
(?:ik|wij|we) (?:geef|geven|verstrek|verleen|bied|bespreek)(?: \w+){{0,2}} geen\b
geen (?:enkele )?(?:van de )?(?:tabel(?:len)?|kolom(?:men)?)[^.!?]* (?:bevat|beschikbaar|heeft|past)
(?:dat|daarvoor) (?:moet|zult|zul|kunt) (?:u|je|ge) (?:beter |maar )?(?:aan )?(?:iemand|een|de|het)\b[^.!?]* (?:vragen|raadplegen|zijn)|vraag (?:het )?(?:maar )?(?:beter )?(?:aan )?(?:iemand|een|de)
""",
    bare=r"""
geen idee|onbekend|weet niet|weet ik niet|geen antwoord|n\.?v\.?t\.?|niet (?:bekend|vermeld|van toepassing|beschikbaar|genoemd|te bepalen|te zeggen)|geen (?:gegevens|flauw idee)
""",
    guess=r"""
\b(?:ik (?:denk|geloof|vermoed|gok dat|schat)|denk ik|waarschijnlijk|misschien|vermoedelijk|wellicht|mogelijk is het|ik zou zeggen)\b
""",
    but=r"""
\b(?:maar|echter|hoewel|welke|hoeveel|wat|hoe|waar|wie|wanneer|waarom|of)\b
""",
    answers=answering(
        r"\bantwoord (?:is|luidt|zou)|beste schatting is",
        r"niet|geen|onbekend|onduidelijk|mij",
        r"direct|rechtstreeks|letterlijk|expliciet|uitdrukkelijk|exacte?|precieze?|precies",
        "maar|echter|toch|wel",
        r"\bgeen (?:\w+ )?(?:informatie|gegevens|kennis) (?:nodig|vereist)\b",
        r"\bgeen ander antwoord\b|\bantwoord (?:behalve|dan)\b",
        r"\b(?:vaak|luid|duidelijk) genoeg\b",
        r"\b(?:eerder|ouder|vroeger|ander)e? (?:geval|gevallen|vermelding\w*|voorbeeld\w*)\b",
        r"\bniet (?:anders dan|ontkennen|wachten|geloven|te missen)\b",
    ),
)

_SV_CANNOT: Final = (
    r"(?:(?:(?:det|detta|den|den har fragan|tyvarr|dar|har) ){0,3}(?:kan|far|kunde|vill|tanker|kommer) (?:jag|vi)"
    r"|(?:jag|vi) (?:kan|far|kunde|vill|tanker|kommer))"
)
_SV_SOURCE: Final = (
    "(?:(?:i|ur|av|enligt|den|det|de|din) )*"
    "(?:(?:givna|angivna|tillhandahallna|bifogade|tillgangliga|har|funna) )*"
    "(?:kontexten|sammanhanget|texten|stycket|avsnittet|dokumentet|dokumenten"
    "|artikeln|kallan|kallorna|sokresultaten|resultaten|informationen|underlaget"
    "|databasen|schemat|tabellerna|tabellen|materialet)"
)

SWEDISH: Final = Phrases(
    before=r"""
oj|hm+|tja|nja|hej|tack(?: [^.,!?]*)?|nej|bra fraga|det var en bra fraga|alltsa
(?:jag ar )?(?:mycket |sa )?ledsen(?: for det)?|tyvarr|forlat(?: mig)?|ursakta(?: mig)?|beklagar|jag beklagar|dessvarre|jag ber om ursakt|sorry|jag ar radd att
som (?:ai|en |sprakmodell|artificiell|virtuell|digital)[^.,!?]*?(?= (?:kan|har|far|ger|saknar|ar)\b|[.,!?])
jag ar (?:bara |endast )?(?:en |ett )?(?:ai|sprakmodell|virtuell|chattbot|bot|ingen lakare|inte lakare|inte nagon lakare)[^.,!?]*
(?:baserat pa|utifran|enligt|med utgangspunkt i|pa grundval av) [^.,!?]{3,50}?(?= (?:kan|gar|ar|finns|har)\b|,)
men|och|sa|att
""",
    closed=r"""
(?:det |detta )?vet jag (?:tyvarr |faktiskt |heller )?inte(?: (?:sakert|riktigt))?
jag vet (?:(?:tyvarr|faktiskt|heller|verkligen|arligt talat) )*inte(?: (?:svaret|det|sakert|riktigt|det dar))*(?: pa (?:det|den fragan))?|ingen aning(?: faktiskt)?|vet (?:ej|inte)
(?:det |jag )?har (?:jag )?(?:tyvarr |faktiskt |verkligen )?(?:ingen|inte den blekaste|inte nagon) (?:aning|susning)(?: om)?(?: det)?
jag (?:kan|kanner) (?:tyvarr )?inte (?:till )?svaret(?: pa (?:det|fragan))?|svaret (?:vet|kan|kanner) jag (?:tyvarr )?inte(?: till)?
jag ar (?:tyvarr )?(?:inte (?:helt |riktigt |alls )?saker|osaker)(?: pa (?:det|svaret|saken))?
(?:det|detta) (?:kan|far|vill|tanker) jag (?:tyvarr )?inte (?:saga|svara pa|avsloja|beratta|gora|hjalpa till med|uttala mig om)
jag (?:vill|tanker|kan) (?:helst |hellre )?inte (?:gissa|spekulera|chansa)(?: [^.,!?]*)?|jag gissar (?:helst )?inte|jag avstar(?: fran att (?:gissa|svara|spekulera))?|jag far passa|inga kommentarer|ingen kommentar
""",
    open=rf"""
{_SV_CANNOT} (?:(?!inte|ingen|inget|inga)[\w ,'-]){{0,30}}?(?:inte|ingen|inget|inga) (?:[\w'-]+ ){{0,4}}?(?:svara|besvara|hjalpa|bista|saga nagot|avgora|faststalla|utlasa|hitta nagon|hitta nagot|hitta nagra|hitta information|hitta svaret|hitta det|ge dig|ge nagra|ge nagon|ge nagot|ge juridisk|ge medicinsk|ge rad|ge svar|ge det|tillhandahalla|dela|utfora|uppfylla|behandla den|genomfora|skapa|generera|oversatta|uttrycka|skriva en|formulera|lamna ut|lamna nagra|lamna|diskutera|tillmotesga|komma at|bedoma|forsta|uttala mig|medverka|ta reda pa|stodja)\b
(?:jag|vi) (?:har|hittar|hittade|ser|fann|kunde) (?:(?:tyvarr|har|just nu|for narvarande) )*(?:inte tillrackligt|inte tillracklig|otillracklig|inte nog|for lite|inga|ingen|inget|inte nagon|inte nagra|inte)(?: (?:med|mycket|relevant|specifik|ytterligare|personliga|egna|aktuell|tillracklig|tillrackligt|nagon|nagra))* (?:information|uppgifter|underlag|data|tillgang|kunskap om|asikter|kanslor|svar pa|formaga|mojlighet att|detaljer|svaret)\b
(?:jag|vi) saknar (?:tyvarr )?(?:tillracklig|nodvandig|relevant)?\w* ?(?:information|uppgifter|underlag|data|tillgang|kunskap)\b
{_SV_SOURCE}(?: [\w-]+){{0,4}}? (?:innehaller|namner|anger|ger|sager|besvarar|svarar|omnamns|finns|framgar|star|saknas|saknar|racker|namns|ar|tar|beskriver|gor|tillater|stodjer)\b(?:[^.!?]*?\b(?:inte|inga|ingen|inget|ingenting|otillracklig\w*)\b|(?<=saknas)|(?<=saknar))
(?:det|fragan|den har fragan|din fraga|detta) (?:gar|framgar|ar|finns|kan|namns|star|anges)(?: \w+){{0,2}}? (?:inte|inga|ingen|inget|ingenting|omojligt)(?: \w+){{0,4}}? ?(?:att svara|att besvara|svara pa|besvara|besvaras|avgora|faststalla|information|uppgifter|av texten|i texten|kontexten|dokumenten|underlaget|schemat|oversattas|tabell|svar|utlasa)\b
(?:jag|vi) (?:ar|kan) (?:tyvarr )?(?:inte (?:i stand|behorig|kvalificerad|kapabel|tillaten|kunnig)|oformogen)
(?:det|detta|den har fragan|din fraga|din begaran|amnet)(?: \w+)? (?:ligger|faller|gar|ar|overstiger) (?:tyvarr )?(?:utanfor|bortom|utover|inte (?:nagot (?:jag|som jag)|inom|mitt omrade)|nagot (?:som )?jag inte|mer an jag)
(?:jag|vi) (?:maste|far|behover) (?:tyvarr )?(?:avsta|avboja|neka|avsla|saga nej|tacka nej|vagra)|jag (?:avbojer|vagrar|avstar fran)
(?:detta|det|din|den|innehallet|begaran|sadant)(?: \w+){{0,3}}? (?:bryter mot|strider mot|ar emot|gar emot|blockerades|har blockerats|ar inte tillaten|ar inte tillatet|har filtrerats|stoppades)
(?:jag|det) (?:forstod|forstar|uppfattade|fattade|horde) (?:jag )?(?:(?:tyvarr|riktigt) )*inte(?: (?:riktigt|fragan|din fraga|vad du|det|helt))*
(?:kan|kunde|skulle|vill) (?:du|ni)(?: \w+){{0,4}} (?:omformulera|formulera om|upprepa|fortydliga|forklara|precisera|saga det igen|formulera)
(?:jag|da) (?:behover|skulle behova)(?: jag)? (?:(?:lite|fler|mer|ytterligare|veta|nagot) )+(?:information|uppgifter|detaljer|vilken|vilket)
(?:inte tillrackligt med|otillracklig|for lite|ingen|saknas) (?:information|underlag|data|uppgifter)\b
(?:jag|vi) (?:ger|lamnar|diskuterar|tar|har) (?:inga|inte|ingen) (?:medicinska|juridiska|rad|medicinsk|asikt|stallning|asikter|politik|personliga)
ingen (?:av )?(?:tabell\w*|kolumn\w*)[^.!?]* (?:innehaller|finns|har|motsvarar)
(?:det|da) (?:far|maste|bor) (?:du|ni) (?:nog )?fraga|fraga (?:hellre |nagon )
""",
    bare=r"""
(?:ej|inte) (?:tillampligt|tillamplig|relevant)|gar (?:ej|inte) att (?:avgora|saga|besvara)|hur ska(?:ll|lle)? jag (?:kunna )?veta det
ingen aning|vet ej|vet inte|okant|okand|inget svar|ej angivet|ej tillganglig
""",
    guess=r"""
\b(?:jag (?:tror|gissar pa|misstanker|skulle saga|skulle gissa|antar)|tror jag|formodligen|kanske|troligen|antagligen|sannolikt|mojligen)\b
""",
    but=r"""
\b(?:men|dock|fast|vilke\w*|vad|hur|var|vem|nar|varfor|om)\b
""",
    answers=answering(
        r"\bsvaret (?:ar|lyder|blir)",
        r"inte|ingen|inget|okant|oklart",
        r"direkt|uttryckligen|ordagrant|exakt\w*|precis\w*",
        "men|dock|anda",
        r"\bingen (?:\w+ )?(?:information|kunskap) (?:behovs|kravs)\b",
        r"\b(?:inget|ingen|inte nagot) (?:annat|annan) svar\b|\bsvar (?:utom|an)\b",
        r"\bnog (?:ofta|tydligt|manga ganger)\b|\bofta nog\b",
        r"\b(?:tidigare|aldre|andra) (?:fall|exempel|omnamnande\w*)\b",
        r"\binte (?:annat an|forneka|forbise|vanta|tro|lata bli)\b",
    ),
)

PHRASES: Final = {"de": GERMAN, "nl": DUTCH, "sv": SWEDISH}

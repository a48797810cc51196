"""How a system declines in Danish and Norwegian, which are near to each other.

Norwegian is bokmål, with the most frequent words of nynorsk.
"""

# An alternative is one line, however long, in letters that look like ours at times:
# ruff: noqa: E501

from typing import Final

from demur.outcomes.phrases import Phrases, answering

# The letters æ and ø stay when accents go; å becomes a.
_CAN: Final = "(?:kan|far|kunne|vil|onsker|tor|bør|må|kommer til|tør|ønsker)"
_CANNOT: Final = (
    rf"(?:(?:(?:det|dette|den|der|her|desværre|dessverre) ){{0,2}}{_CAN} (?:jeg|vi|eg|me)"
    rf"|(?:jeg|vi|eg|me) {_CAN})"
)
_SOURCE: Final = (
    "(?:(?:i|ud af|ut av|ifølge|den|det|de|din) )*"
    "(?:(?:givne|gitte|angivne|oppgitte|vedlagte|vedhæftede|tilgængelige|tilgjengelige|fundne|leverede) )*"
    "(?:konteksten?|sammenhængen|sammenhengen|teksten?|afsnittet|avsnittet|dokumente(?:t|ne|r)|dokumenterne"
    "|artiklen|artikkelen|kilden|kilderne|kildene|søgeresultaterne|søkeresultatene|resultaterne|resultatene"
    "|informationen|informasjonen|databasen|skemaet|tabellen|tabellerne|tabellene|materialet|grundlaget|grunnlaget)"
)
_NOT: Final = "(?:ikke|ikkje|ingen|intet|ingenting)"
_ADVERB: Final = "(?:(?:desværre|dessverre|diverre|faktisk|heller|virkelig|ærlig talt|helt|godt|bare|egentlig|nok) )*"
_KNOWLEDGE: Final = (
    "(?:informationer|information|informasjon|oplysninger|opplysninger|data|adgang|tilgang|viden|kunnskap|kendskab"
    "|kjennskap|svar|svaret|mening|meninger|holdning|følelser|kontekst|detaljer|grundlag|grunnlag|belæg)"
)
_ANSWER: Final = (
    "(?:svare|besvare|hjælpe|hjelpe|bistå|sige|si|afgøre|avgjøre|fastslå|fastsette|bestemme|udlede|utlede|finde|finne"
    "|give|gi|levere|dele|udføre|utføre|opfylde|oppfylle|behandle|skabe|skape|lave|lage|generere|oversætte|oversette"
    "|udtrykke|uttrykke|skrive|formulere|udtale|uttale|diskutere|drøfte|imødekomme|vurdere|forstå|rådgive|anbefale"
    "|medvirke|gætte|gjette|spekulere|besvares|afgøres|avgjøres|udledes|utledes|oversættes|oversettes|bekræfte|bekrefte|verificere)"
)

_BEFORE: Final = r"""
åh|hm+|tja|nja|hej|hei|tak(?: [^.,!?]*)?|takk(?: [^.,!?]*)?|nej|nei|(?:det er )?(?:et )?(?:godt|vanskeligt|vanskelig) spørgs?mål|ærlig talt
(?:jeg )?(?:er )?(?:meget |så )?(?:ked af det|lei meg)|beklager(?: så meget)?|jeg beklager(?: at)?|desværre|dessverre|diverre|undskyld(?: mig)?|unnskyld(?: meg)?|tilgiv mig|tilgi meg|sorry|jeg er bange for(?: at)?|jeg er redd(?: for)?(?: at)?
som (?:en |et )?(?:ai|kunstig|sprogmodel|språkmodell|virtuel|digital|assistent|chatbot)[^.,!?]*?(?= (?:kan|har|må|giver|gir|er|mangler)\b|[.,!?])
jeg er (?:bare |kun )?(?:en |et )?(?:ai|sprogmodel|språkmodell|virtuel|chatbot|ikke læge|ikke lege|ikke jurist)[^.,!?]*
(?:baseret på|basert på|ud fra|ut fra|ifølge|på baggrund af|på bakgrunn av|på grundlag af|på grunnlag av|med) [^.,!?]{3,50}?(?= (?:kan|er|går|har|lader|lar)\b|,)
(?:min viden|kunnskapen min|min kunnskap|mine data|dataene mine|træningsdata\w*|treningsdata\w*)[^.!?]*?, ?(?:så|og|derfor)
men|og|så|at|derfor
"""

_CLOSED: Final = rf"""
(?:det|dette) (?:ved|vet|veit) (?:jeg|vi|eg) {_ADVERB}(?:ikke|ikkje)(?: (?:sikkert|rigtig|riktig|helt|engang))*
(?:jeg|vi|eg) (?:ved|vet|veit) (?:(?:det|svaret|dette) )?{_ADVERB}(?:ikke|ikkje)(?: (?:svaret|det|sikkert|rigtig|riktig|helt|dessverre|desværre|engang))*(?: på (?:det|spørgsmålet|spørsmålet))?
(?:jeg )?aner (?:det |jeg )?(?:ikke|ikkje)(?: det)?|(?:det )?aner jeg ikke|ved ikke|vet ikke|veit ikkje
(?:det |jeg |eg )?har (?:jeg )?{_ADVERB}(?:ingen|ikke den fjerneste|ikke nogen|ikke noen) (?:anelse|idé|ide|aning)(?: om)?(?: det)?
(?:jeg|det) (?:kender|kjenner|kan) (?:jeg )?{_ADVERB}ikke (?:til )?svaret(?: på (?:det|spørgsmålet|spørsmålet))?|svaret (?:ved|vet|kender|kjenner) jeg {_ADVERB}ikke(?: til)?
jeg er {_ADVERB}(?:ikke (?:helt |særlig |rigtig )?sikker|usikker)(?: (?:på (?:det|svaret)|nok til at? [^.,!?]*))?
jeg (?:kender|kjenner) {_ADVERB}ikke (?:noget |noe )?til (?:det|dette|den|denne|ham|ho|henne|emnet|sagen|saken)(?: [^.,!?]{{1,25}})?|jeg er {_ADVERB}ikke (?:bekendt|kjent|kendt) med (?:det|den|denne)(?: [^.,!?]{{1,25}})?
(?:det|dette) er (?:mig |meg )?(?:ukendt|ukjent)(?: for (?:mig|meg))?|(?:det|dette) er (?:svært|vanskelig) (?:at|å) (?:sige|si)
jeg (?:må|er nødt til at) (?:melde pass?|passe)|jeg melder pass?|ingen kommentarer?|hvor(?:dan)? skulle? jeg (?:vide|vite) det(?: fra)?|hvor skulle jeg vide det fra|hvordan skal jeg vite det|det står der ikke noget om|det står ikke noe om
"""

_OPEN: Final = rf"""
{_CANNOT} (?:(?!ikke|ingen|intet|ikkje)[\w ,'-]){{0,30}}?{_NOT} (?!vente|tro|nægte|nekte|benægte|benekte|ofte|nok)(?:[\w'-]+ ){{0,5}}?{_ANSWER}\b
(?:jeg|vi) (?:har|finder|fandt|finner|fant|ser|kunne|besidder) {_ADVERB}(?:ikke (?:nok|tilstrækkelig\w*|tilstrekkelig\w*|nogen|noen|noget|noe)?|ingen|intet|for lidt|for lite|utilstrækkelig\w*|utilstrekkelig\w*) ?(?:(?:med|megen|mye|relevante?|specifikk?e?|spesifikke?|yderligere|ytterligere|personlige?|egne|aktuelle?|pålidelige?|pålitelige?) )*{_KNOWLEDGE}\b
(?:har|finder|finner|fandt|fant|mangler) jeg {_ADVERB}(?:ikke (?:nok|tilstrækkelig\w*|nogen|noen|noget|noe)?|ingen|intet) ?(?:(?:personlige?|relevante?|aktuelle?) )*{_KNOWLEDGE}\b
(?:det|dette) har jeg {_ADVERB}(?:ikke (?:noget|noe)?|intet|ingen) ?{_KNOWLEDGE}\b
(?:jeg|vi) (?:fandt|fant|finder|finner|kunne ikke finde|kunne ikke finne) (?:ikke )?{_ADVERB}(?:noget|noe|intet|ingenting)(?: \w+)? ?(?:om (?:det|dette|den)|svar|i)\b
(?:jeg|vi) mangler {_ADVERB}(?:\w+ )?{_KNOWLEDGE}\b
{_SOURCE}(?: [\w-]+){{0,4}}? (?:indeholder|inneholder|nævner|nevner|angiver|oppgir|giver|gir|siger|sier|besvarer|svarer|omtaler|fremgår|fremgar|står|mangler|rækker|rekker|er|beskriver|viser|tillader|dækker|dekker|findes|finnes)\b[^.!?]*?\b{_NOT}\b
(?:svaret|den oplysning|den opplysningen|oplysningen|opplysningen|informationen|informasjonen) (?:står|findes|finnes|fremgår|er) {_ADVERB}(?:ikke|ikkje)\b
(?:det|spørgsmålet|spørsmålet|dette|dette spørgsmål|dette spørsmålet|svaret) (?:går|fremgår|er|findes|finnes|kan|nævnes|nevnes|står|oplyses|opplyses)(?: \w+){{0,2}}? (?:{_NOT}|umuligt?)(?: \w+){{0,4}}? ?(?:at|å|svare|besvares?|muligt|mulig|afgøres?|avgjøres?|information|informasjon|oplysninger|opplysninger|af teksten|av teksten|i teksten|oplyst|oppgitt|nævnt|nevnt)\b
kan (?:spørgsmålet|spørsmålet|det|dette|ikke spørsmålet|ikke spørgsmålet)(?: \w+)?? ?(?:ikke )?(?:besvares|afgøres|avgjøres|siges|sies)\b|kan (?:ikke|ikkje) (?:besvares|afgøres|avgjøres|bestemmes|siges|sies|oversættes|oversettes)\b
(?:der|det) er (?:ikke|ikkje) (?:nok|tilstrækkelig\w*|tilstrekkelig\w*|muligt|mulig|nogen|noen) ?(?:med )?(?:information|informasjon|oplysninger|opplysninger|data|at|å|svar|til)\b
(?:ikke nok|utilstrækkelig\w*|utilstrekkelig\w*|for lidt|for lite|ingen) {_KNOWLEDGE}\b
(?:jeg|vi) (?:er|kan) {_ADVERB}ikke (?:i stand|kvalificeret|kvalifisert|berettiget|bemyndiget|autoriseret|autorisert)
(?:det|dette|dit spørgsmål|spørsmålet ditt)(?: \w+)? (?:ligger|falder|faller|går) {_ADVERB}(?:uden for|utenfor|udenfor|ud over|utover|ikke (?:inden for|innenfor|i mit))
(?:jeg|vi) (?:må|bliver nødt til at|blir nødt til å) {_ADVERB}(?:afvise|avvise|afslå|avslå|takke nej|takke nei|sige nej|si nei|nægte|nekte|afstå|avstå)|jeg (?:afviser|avviser|nægter|nekter|afslår|avslår|afstår fra|avstår fra) (?:at|å|det|din)
(?:jeg|det) (?:forstod|forstår|forsto|fangede|fanget|hørte) (?:jeg )?{_ADVERB}ikke(?: (?:helt|spørgsmålet|spørsmålet|hvad du|hva du|det))*
(?:kan|kunne|vil) du(?: \w+){{0,4}} (?:omformulere|gentage|gjenta|uddybe|utdype|præcisere|presisere|forklare)
(?:jeg|vi) (?:giver|gir|diskuterer|tager|tar) (?:ikke|ingen) (?:medicinske?|medisinske?|juridiske?|råd|politiske?|stilling|personlige)
(?:jeg )?(?:vil|foretrækker|foretrekker)(?: \w+)? (?:helst ikke|ikke|at lade være med at|å la være å) (?:gætte|gjette|spekulere|svare|udtale|uttale|sige|si)\b
"""

_ANSWERS: Final = answering(
    r"\bsvaret (?:er|lyder|blir)",
    r"ikke|ikkje|ingen|intet|ukendt|ukjent|uklart",
    r"direkte|udtrykkeligt|uttrykkelig|ordret|præcise?|præcist|presis\w*|nøyaktige?|eksakte?",
    "men|dog|imidlertid|alligevel|likevel",
    r"\b(?:ingen|ikke) (?:\w+ )?(?:information|informasjon|oplysninger|opplysninger|viden|kunnskap)\b[^.,;:]{0,20}\b(?:nødvendig\w*|kræves|kreves|trengs)\b",
    r"\b(?:intet|ingen|ikke noget|ikke noe) (?:andet|annet|anden|annen) (?:svar|anelse)\b|\bsvar (?:end|enn|udover|utover)\b",
    r"\b(?:tit|tidt|ofte|tydeligt?|mange gange?r?) nok\b|\bnok gange?r?\b",
    r"\b(?:tidligere|ældre|eldre|andre) (?:tilfælder?|tilfeller?|eksempl\w+|omtaler?)\b",
    r"\bikke (?:annet enn|andet end|benægte|benekte|fornægte|fornekte|vente|tro|lade være|la være)\b",
)

_GUESS: Final = r"""
\b(?:jeg (?:tror|gætter på|gjetter på|tipper|formoder|antager|antar|ville sige|ville si|vil tro)|tror jeg|måske|kanskje|sandsynligvis|sannsynligvis|formentlig|formodentlig|antagelig|trolig|muligvis|muligens|vistnok)\b
"""

_BUT: Final = r"""
\b(?:men|dog|imidlertid|hvilke\w*|hvad|hva|hvordan|hvor|hvem|hvornår|når|hvorfor|om)\b
"""

DANISH: Final = Phrases(
    _BEFORE,
    _CLOSED,
    _OPEN,
    bare=r"""
ingen anelse|ukendt|ved ikke|aner det ikke|ikke (?:relevant|oplyst|angivet|nævnt|kendt|muligt at sige)|intet svar|uoplyst|kan ikke afgøres
""",
    guess=_GUESS,
    but=_BUT,
    answers=_ANSWERS,
)

NORWEGIAN: Final = Phrases(
    _BEFORE,
    _CLOSED,
    _OPEN,
    bare=r"""
ingen anelse|ukjent|vet ikke|veit ikkje|aner ikke|ikke (?:aktuelt|relevant|oppgitt|angitt|nevnt|kjent)|ingen svar|uoppgitt|kan ikke avgjøres
""",
    guess=_GUESS,
    but=_BUT,
    answers=_ANSWERS,
)

PHRASES: Final = {"da": DANISH, "no": NORWEGIAN}

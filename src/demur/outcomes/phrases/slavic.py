"""How a system declines in Polish, Czech, Russian and Ukrainian."""

# An alternative is one line, however long, in letters that look like ours at times:
# ruff: noqa: E501, RUF001

from typing import Final

from demur.outcomes.phrases import Phrases, answering

_PL_CANNOT: Final = (
    "(?:(?:na to|w tym|tego|z tym|na to pytanie|tu|o tym|ci|panu|pani|niestety|tej prosby"
    "|na twoje pytanie) ){0,2}(?:nie (?:moge|mozemy|moglem|moglam|potrafie|umiem|jestem w stanie"
    "|udalo mi sie|zdolalem|zdolalam|mam (?:mozliwosci|uprawnien|prawa)|wolno mi|jestem upowazniony do"
    "|jestem upowazniona do|zamierzam|chce|bede|da sie|mozna|sposob))"
    "(?: (?:niestety|ci|panu|pani|tego|na to|w tym|z tym|o tym|na to pytanie))*"
)
_PL_SOURCE: Final = (
    "(?:(?:podany|dostarczony|dostepny|dany|przedstawiony|powyzszy|ten|podana|dostarczone"
    "|podane|zadna|zadne|w) (?:podanym |dostarczonym |dostepnym |przedstawionym |podanych |dostarczonych |dostepnych |tych )?)?"
    "(?:kontekst(?:cie|u)?|kontekscie|tekst|tekscie|tekstu|fragment|fragmencie|dokumenty?|dokumencie|dokumentach"
    "|artykul|artykule|akapit|zrodl[ao]|zrodlach|wyniki|wynikach|informacje|dane|danych"
    "|baza danych|bazie danych|schemat|schemacie|tabel[aei]|tabelach|materialy|materialach|baza wiedzy|bazie wiedzy)"
    "(?: (?:wyszukiwania|danych))?"
)

POLISH: Final = Phrases(
    before=r"""
och|hm+|ach|oj|no|coz|no coz|czesc|dziekuje(?: [^.,!?]*)?|nie|dobre pytanie|to dobre pytanie
(?:bardzo )?(?:mi )?przykro(?: mi)?(?: bardzo)?|(?:bardzo |najmocniej )?przepraszam(?: bardzo)?(?: za [^.,!?]*)?|niestety|wybacz(?:cie|ta)?|prosze wybaczyc|obawiam sie(?:,? ze)?|zaluje|sorry|sory
jako (?:ai|sztuczna|model|asystent|wirtualny|cyfrowy|chatbot)[^.,!?]*?(?=,| nie )
jestem (?:tylko |jedynie )?(?:ai|sztuczna|modelem|asystentem|wirtualnym|chatbotem|botem)[^.,!?]*?(?=,| i |[.!?])
nie jestem (?:lekarzem|prawnikiem)[^.,!?]*?(?=,| i |[.!?])
(?:na podstawie|wedlug|zgodnie z|w oparciu o) [^.,!?]{3,50}?(?=,| nie )
ale|i|wiec|ze|dlatego
""",
    closed=r"""
(?:tego |naprawde |ja |ja tam )*nie (?:wiem|znam)(?: (?:tego|na to odpowiedzi|odpowiedzi(?: na to(?: pytanie)?)?|niestety|naprawde|na pewno|dokladnie|co (?:powiedziec|odpowiedziec)|nic (?:na ten temat|o tym)|o tym nic|jak (?:na to )?odpowiedziec|stary|sorry))*
(?:nie mam|brak mi) (?:(?:zielonego|najmniejszego|bladego|niestety|zadnego) )*(?:pojecia|odpowiedzi)(?: (?:na to(?: pytanie)?))?|pojecia nie mam|odpowiedzi (?:na to (?:pytanie )?)?nie znam|nie mam (?:na to )?odpowiedzi
nie jestem (?:(?:tego|calkiem|do konca|zupelnie|calkowicie) )*(?:pewien|pewna|pewny)(?: (?:tego|odpowiedzi|czy (?:dobrze )?(?:rozumiem|zrozumial[ae]m?)[^.,!?]*))?|nie mam (?:co do tego )?pewnosci
(?:wole|wolalbym|wolalabym) (?:(?:tego|tutaj|na to) )*nie (?:mowic|zgadywac|spekulowac|odpowiadac|wypowiadac sie)(?: [^.,!?]{1,30})?|nie (?:chce|bede|zamierzam|chcialbym|chcialabym) (?:zgadywac|spekulowac|wrozyc)(?: [^.,!?]{1,30})?
(?:tego )?nie moge (?:(?:ci|panu|pani|tego) )*(?:powiedziec|zdradzic|stwierdzic|ujawnic)(?: (?:na pewno|tego))?|bez komentarza|pas|pasuje|trudno powiedziec
""",
    open=rf"""
{_PL_CANNOT} (?:odpowiedziec|odpowiadac|udzielic|udzielac|pomoc|pomagac|dostarczyc|podac (?:tej|tych|zadnych|tego|odpowiedzi|informacji|szczegolow|ci)|ujawnic|spelnic|zrealizowac|wykonac (?:tej|tego|polecenia|zadania|prosby)|przetworzyc|okreslic|ustalic|stwierdzic|znalezc (?:tej|tych|odpowiedzi|zadnej|zadnych|informacji|nic)|wywnioskowac|wygenerowac|stworzyc (?:tej|takiej|takiego|takich|zapytania)|utworzyc (?:takiego|zapytania)|napisac (?:tego|takiego|zapytania)|przetlumaczyc|przelozyc|wyrazic|sformulowac|zapisac tego|komentowac|wypowiadac sie|omawiac|dyskutowac|rozmawiac o|doradzac|doradzic|zrozumiec (?:pytania|twoje)|zweryfikowac tej|potwierdzic tej|zrobic|tego zrobic|tego (?:powiedziec|okreslic|ustalic|stwierdzic)|wywiazac|zastapic|stawiac|uwzglednic|uzyskac dostepu|rozwiac|wesprzec)
(?:nie mam|nie mamy|nie posiadam|nie posiadamy|nie dysponuje|nie znalazlem|nie znalazlam|nie znajduje|nie widze|brakuje mi|brak mi|brakuje) (?:(?:tutaj|obecnie|niestety|wystarczajac\w*|dostateczn\w*|zadn\w*|odpowiedni\w*|dosc|o tym|na ten temat|potrzebn\w*|wlasn\w*|osobist\w*|aktualn\w*|szczegolow\w*|tych|tej|dostepu do|na to) )*(?:informacj\w*|dan(?:ych|e|ymi)|dostepu|wiedz\w+|odpowiedzi|zdania na|opini\w*|uczuc|emocji|kontekstu|szczegolow|pogladow|wzmianki|mozliwosci|danymi)\b
(?:o tym|na ten temat|w tej sprawie) nie (?:mam|posiadam|wiem|znalazlem|znalazlam) (?:\w+ ){{0,2}}?(?:informacji|danych|nic|wiedzy)
{_PL_SOURCE}(?: [\w-]+){{0,4}}? nie (?:ma|zawiera\w*|wspomina\w*|podaje|podaja|mowi\w*|wymienia\w*|precyzuj\w+|okresla\w*|dostarcza\w*|odpowiada\w*|pozwala\w*|wystepuje|wynika|wystarcza\w*|obejmuj\w+|informuj\w+|sa|jest|znaleziono|znalazlem|znalazlam|znajduj\w+|wskazuj\w+|porusza\w*|opisuj\w+|podano|odnosz?\w+)\b
(?:brak|brakuje|nie ma|nie znaleziono|za malo|zbyt malo|niewystarczajac[ae]|nie podano)(?: (?:tu|tutaj|wystarczajacych|zadnych|zadnej|tam|w|takiej|odpowiednich|wystarczajacej|na ten temat|o tym|mi))* ?(?:informacj\w+|danych|dane|wzmianki|odpowiedzi na|kontekscie|tekscie|dokumen\w+|wynikow|tabeli|kolumny|kontekstu|szczegolow)\b
(?:nie mozna|nie da sie|nie sposob|niemozliwe jest|nie jest mozliwe)(?: [\w-]+){{0,5}}? ?(?:odpowiedziec|odpowiedzi|ustalic|okreslic|stwierdzic|wywnioskowac|przetlumaczyc|przelozyc|wyrazic|sformulowac|zapisac|udzielenie|powiedziec|wyczytac)
(?:to|te|ta|twoje|twoja|panska|na to) (?:pytanie|prosba|zapytanie|temat|tresc|tresci|wiadomosc|odpowiedz)(?: \w+){{0,3}}? (?:nie (?:mozna|da|jest|miesci|dotyczy|moge|znam|wynika|odpowiem)|wykracza|wychodzi|narusza\w*|jest (?:niezgodn|sprzeczn|poza|zablokowan)|zostal\w* (?:zablokowan|odrzucon|oznaczon)|przekracza|lamie)
(?:to|temat ten|ten temat|o co pytasz)(?: juz)? (?:wykracza|wychodzi poza|jest poza|przekracza|lezy poza|nie (?:jest cos|lezy|nalezy|miesci sie|moja dziedzina|jest moj|zostalo (?:podane|wspomniane))|narusza|cos, czego nie)
(?:musze|musimy|jestem zmuszon[ya]|jestesmy zmuszeni) (?:(?:niestety|tutaj|te) )*(?:odmowic|odrzucic|odmawiac|zrezygnowac|spasowac|grzecznie odmowic|tego odmowic|tej prosbie odmowic)|odmawiam(?: |<end>)
(?:ta|te|to|ten|takie|twoja|twoje|panska|tego typu)(?: \w+){{0,2}} (?:narusza\w*|lamie|lamia|jest (?:niezgodn|sprzeczn)\w+|sa (?:niezgodn|sprzeczn)\w+|koliduje|zostal\w* (?:zablokowan|odrzucon|oznaczon)\w+|nie jest dozwolon\w+)
(?:nie (?:rozumiem|zrozumialem|zrozumialam|doslyszalem|doslyszalam|do konca rozumiem|zrozumialem do konca))(?: (?:tego|pytania|twojego|dobrze|prosby|o co|cie|do konca|polecenia|panskiego)[^.,!?]*)?<end>
(?:czy )?(?:mozesz|moglbys|moglabys|moze pan|moze pani|moglby pan|moglaby pani|czy moglbym prosic)(?: prosze)? (?:(?:to|pytanie|swoje pytanie|prosze) )*(?:przeformulowac|powtorzyc|sprecyzowac|doprecyzowac|wyjasnic|podac wiecej|inaczej|ujac)|prosze (?:o (?:wiecej|przeformulowanie|doprecyzowanie|sprecyzowanie|powtorzenie)|przeformulowac|sprecyzowac|podac wiecej|doprecyzowac|powtorzyc|sprobowac|skonsultowac|zapytac)|przeformuluj|sprecyzuj
(?:potrzebuje|potrzebowalbym|potrzebowalabym|potrzebne sa|potrzeba)(?: (?:do tego|na to))? (?:wiecej|dodatkowych|dokladniejszych|blizszych|dalszych|dodatkowe|szczegolow)
nie (?:udzielam|oferuje|omawiam|komentuje|wypowiadam sie|zajmuje sie|odpowiadam na (?:takie|pytania)|rozmawiam o|daje porad)\b
zadn[ae] (?:z )?(?:tabel[ai]?|kolumn[ay]?)[^.!?]* nie
(?:musisz|bedziesz musial|bedziesz musiala|musi pan|musi pani|trzeba|lepiej|powinienes) (?:o to |zapytac|spytac|zapytaj|spytaj|skonsultowac)|(?:zapytaj|spytaj) (?:o to |lepiej )?(?:kogos|lekarza|innego|karczmarza)
""",
    bare=r"""
skad (?:ja )?mam (?:to )?wiedziec|n/?d
nie wiadomo|nieznane|nieznany|nieznana|brak odpowiedzi|brak danych|brak informacji|nie podano|nie dotyczy|pojecia nie mam|nie mam pojecia
""",
    guess=r"""
\b(?:mysle,? ze|sadze|chyba|prawdopodobnie|przypuszczam|moze to|byc moze|pewnie|wydaje mi sie|zdaje sie|powiedzialbym|obstawiam|podejrzewam|strzelam)\b
""",
    but=r"""
\b(?:ale|jednak|lecz|choc|co|ile|ktor\w+|jak\w*|gdzie|kiedy|dlaczego|kto|czy)\b
""",
    answers=answering(
        r"\bodpowied\w+ (?:to|brzmi|jest)",
        r"nie|nieznan\w+|brak",
        r"wprost|bezposrednio|doslownie|dokladn\w+|precyzyjn\w+",
        "ale|jednak|lecz",
        r"\b(?:nie (?:potrzeba|trzeba)|zadne (?:\w+ )?informacje nie sa potrzebne)\b",
        r"\binnej odpowiedzi\b|\bodpowiedzi (?:niz|oprocz|poza)\b",
        r"\b(?:wystarczajaco|dosc) (?:czesto|glosno)\b",
        r"\bwczesniejsz\w+ (?:przypadk\w+|przyklad\w+|wzmian\w+)\b",
        r"\bnie (?:moge|mozna|sposob|da sie) (?:nie|zaprzeczyc|ukryc|doczekac|uwierzyc)\b",
    ),
)

_CS_CANNOT: Final = (
    "(?:(?:na to|na tuto otazku|s tim|to|tohle|toto|bohuzel|tuto otazku|ja|vam|ti|tomuto pozadavku|na tohle) ){0,3}"
    "(?:nemohu|nemuzu|nemuzeme|nedokazu|nedokazi|neumim|nejsem (?:schopen|schopna|opravnen|opravnena)"
    "|nepodarilo se mi|nesmim|nebudu|nechci|nelze|neni mozne|neni v mych silach|nedovedu|nejde|se neda)"
    "(?: (?:bohuzel|vam|ti|na to|na tuto otazku|s tim|to|tuto|na tohle|tu))*"
)
_CS_SOURCE: Final = (
    "(?:v )?(?:(?:poskytnut\\w+|uveden\\w+|dan\\w+|dostupn\\w+|prilozen\\w+|ten\\w*|tent\\w|tat\\w|zadn\\w+|techto|tomto|nalezen\\w+) )*"
    "(?:kontext(?:u)?|text(?:u)?|pasaz|pasazi|dokument(?:y|u|ech)?|clanek|clanku|odstavec|odstavci|zdroj(?:e|ich)?"
    "|vysledky|vysledcich|informace|data|datech|databaze|databazi|schema|schematu|tabulk[ayu]|tabulkach|material|podklady|podkladech)"
    "(?: (?:vyhledavani|hledani))?"
)

CZECH: Final = Phrases(
    before=r"""
och|hm+|ach|jejda|no|inu|tak|ahoj|dobry den|dekuji(?: [^.,!?]*)?|ne|dobra otazka|to je dobra otazka
(?:je mi|je nam)? ?(?:to )?(?:velmi |moc |opravdu )?lito|(?:moc |velmi )?se omlouvam|omlouvam se(?: za [^.,!?]*)?|(?:velmi )?lituji|bohuzel|prominte|promin|pardon|odpuste|obavam se(?:,? ze)?|sorry
jako (?:ai|umela|jazykovy|asistent|virtualni|digitalni|chatbot|model)[^.,!?]*?(?=,| ne\w+ )
jsem (?:jen |pouze )?(?:ai|umela|jazykovy|asistent|virtualni|chatbot|bot)[^.,!?]*?(?=,| a |[.!?])
nejsem (?:lekar|lekarka|pravnik|doktor)[^.,!?]*?(?=,| a |[.!?])
(?:na zaklade|podle|z) [^.,!?]{3,50}?(?=,| ne\w+ )
ale|a|takze|ze|proto
""",
    closed=r"""
(?:to |tohle |na to |tu odpoved |odpoved |ja |fakt |opravdu |bohuzel )*(?:nevim|neznam)(?: (?:to|bohuzel|odpoved|fakt|opravdu|presne|jiste|co (?:rict|na to rict)|o tom nic|nic o tom|jak (?:na to )?odpovedet|na to odpoved|odpoved na (?:to|tuto otazku)|sorry))*
to vam (?:bohuzel )?nepovim|to ti nepovim|to bohuzel nevim
(?:o tom )?(?:nemam|nemame)(?: (?:o tom|ani|nejmensi|sebemensi|absolutne|bohuzel|na to|zadn\w+|vubec))* (?:tuseni|paru|poneti|odpoved|predstavu)|netusim(?: to)?
(?:tim |si tim )?(?:si )?nejsem (?:si )?(?:(?:tim|uplne|zcela|tak|si|vubec) )*(?:jist|jisty|jista)(?: (?:odpovedi|tim|zda (?:vam |ti )?(?:dobre )?rozumim[^.,!?]*))?
(?:to |toto )?(?:vam |ti )?(?:nemohu|nemuzu|nesmim|nedokazu|neumim) (?:(?:vam|ti|bohuzel) )*(?:rict|prozradit|sdelit|posoudit)(?: (?:s jistotou|jiste|to))?
(?:radeji |nerad bych |nerada bych |nechci |nebudu |nechtel bych |nechtela bych |tipovat |hadat |spekulovat )+(?:hadat|spekulovat|tipovat|odpovidat|rikat|nebudu|nechci|nerikal|nehadal\w?|netipoval\w?|neodpovidal\w?)(?: [^.,!?]{1,30})?|radeji bych (?:ne\w+)(?: [^.,!?]{1,30})?|bez komentare|pasuji|tezko rict
""",
    open=rf"""
{_CS_CANNOT} (?:odpovedet|odpovidat|zodpovedet|pomoci|pomoct|poskytnout|poskytovat|dat (?:odpoved|radu|tuto)|sdelit|prozradit|vyhovet|splnit|zpracovat|provest|vykonat|urcit|stanovit|zjistit|najit (?:odpoved|tuto|zadn\w+|to|informac\w+|nic)|odvodit|vyvodit|vygenerovat|vytvorit (?:tak\w+|tent\w|dotaz|obsah)|napsat (?:tak\w+|dotaz|to)|prelozit|prevest|vyjadrit|sestavit|formulovat|komentovat|diskutovat|mluvit o|hovorit o|radit|poradit|doporucit|rozumet|pochopit|porozumet (?:dotazu|otazce|vasi)|overit tu|potvrdit tu|udelat|to udelat|rict|soudit|spekulovat|ziskat pristup|vycist|nahradit|posoudit|obslouzit|podporit|zucastnit)
(?:(?:k tomu|o tom|na to|k teto otazce|pro to|bohuzel) )?(?:nemam|nemame|nedisponuji|nevlastnim|nenasel jsem|nenasla jsem|nenalezl jsem|nenalezla jsem|nenachazim|nevidim|chybi mi|chybi|postradam) (?:(?:k tomu|o tom|na to|bohuzel|aktualne|dostatek|dostatecn\w+|zadn\w+|potrebn\w+|dost|pristup k|bliz\w+|vlastni|osobni|relevantni|spolehliv\w+|k|podrobn\w+|odpovidaj\w+) )*(?:informac\w+|udaj\w+|dat[ay]?|datum|pristup|znalost\w*|odpoved|nazor\w*|pocit\w*|emoce|kontext\w*|podrobnost\w*|zminku|moznost|podklad\w*)\b
{_CS_SOURCE}(?: [\w-]+){{0,5}}? (?:ne(?:obsahuj\w+|zminuj\w+|uvad\w+|rik\w+|poskytuj\w+|odpovid\w+|umoznuj\w+|stac\w+|mluv\w+|vyplyv\w+|specifikuj\w+|ni|jsou|popisuj\w+|ma|maji|zahrnuj\w+|nabiz\w+|najd\w+|nachaz\w+|resi|dava|stoji|pise|byl\w*|hovori|nasel|nasla|nalezl\w*|pokryv\w+|lze|da|vime))\b
(?:chybi|neni|nejsou|nenasly|nedostatek|nebyl\w*|malo|zadn\w+)(?: (?:zde|tu|tam|k dispozici|dostatek|se|v|o tom|dost|uveden\w+|nalezen\w+|prilis|bohuzel|tato|k tomu))* ?(?:informac\w+|udaj\w+|dat|zmink\w+|odpoved na|kontextu|textu|dokument\w+|vysledk\w+|tabulk\w+|sloup\w+|podklad\w+)\b
(?:nelze|neni mozne|neda se|nejde|nemozne|to se neda)(?: [\w-]+){{0,5}}? ?(?:odpovedet|urcit|zjistit|stanovit|odvodit|prelozit|vyjadrit|sestavit|zodpovedet|rict|vycist|poznat)
(?:na )?(?:tato|tuto|tento|vase|vas|tvoje|tva|tvuj|ta) (?:otazk\w+|zadost|pozadavek|dotaz|tema|obsah|zprava|odpoved)(?: \w+){{0,3}}? (?:nelze|neni|nemohu|nemuzu|ne(?:ni|lze|da|spada|patri|smi|umim|dokazu|odpovim)|presahuje|prekracuje|porusuje|je (?:mimo|v rozporu|zablokovan|nad)|byl\w* (?:zablokovan|zamitnut|oznacen)|odporuje|musim)
(?:to|tohle|toto)(?: uz)? (?:je (?:nad|mimo|za|neco, co ne)|presahuje|prekracuje|spada mimo|jde nad|neni (?:neco|muj|v mych|v me|v textu|v kontextu|uvedeno|zmineno|soucasti)|nespada|nepatri|porusuje)
(?:(?:tuto|tento|to|vasi|tvou|takovou|toto|vas|zadost|pozadavek|bohuzel|prosbu) ?)*(?:musim|musime|jsem nucen|jsem nucena) (?:(?:bohuzel|tuto|tento|vasi|zdvorile|to|vas) )*(?:zadost |pozadavek |prosbu )?(?:odmitnout|zamitnout|odepr\w+|zdrzet|pasovat)|odmitam(?: (?:na|odpov|to|tuto|tento|se)\w*|<end>)
(?:tento|tato|toto|takov\w+|vas|vase|tyto)(?: \w+){{0,2}} (?:porusuje|porusuji|je v rozporu|jsou v rozporu|odporuje|byl\w* (?:zablokovan|odmitnut|oznacen)\w*|neni povolen\w*|se prici)
(?:(?:tomu|vam|ti|teto otazce|vasi otazce|vasemu dotazu|bohuzel|otazce) )*(?:nerozumim|nerozumel jsem|nerozumela jsem|nepochopil jsem|nepochopila jsem)(?: (?:tomu|vam|ti|vasi otazce|otazce|vasemu|co|dotazu|uplne|presne)[^.,!?]*)?<end>
(?:muzete|muzes|mohl byste|mohla byste|mohl bys|mohla bys)(?:,? prosim,?)? (?:(?:to|otazku|svou otazku|svuj dotaz|mi|me|prosim) )*(?:preformulovat|zopakovat|upresnit|vysvetlit|rict (?:vic|jinak)|dat vic|poskytnout vice|objasnit)|(?:prosim,? )?(?:upresnete|preformulujte|zopakujte|zkuste to|upresni|preformuluj|poskytnete vice|obratte se|poradte se|zeptejte se|reknete mi vic)
(?:potrebuji|potreboval bych|potrebovala bych|potrebujeme)(?: (?:k tomu|na to|znat|vedet))? (?:vice|vic|dalsi|podrobnejsi|blizsi|dodatecne|presnejsi)
(?:neposkytuji|nedavam|nenabizim|nekomentuji|nevyjadruji se|neodpovidam na|nediskutuji)\b
(?:zadn[ae]|v zadne) (?:z )?(?:tabul\w+|sloup\w+)[^.!?]* ne
(?:na to|musite|budete se muset|budes se muset|musis|to|to se|na to se)(?: se)? (?:musite|musis|budete muset|radeji|ptejte|zeptej|zeptat)(?: se)? ?(?:zeptat|nekoho|jinde|hostinsk\w+|lekar\w+|jineho)
""",
    bare=r"""
nevztahuje se|neaplikovatelne|nelze (?:urcit|rict|zjistit)|jak (?:to )?(?:ja )?mam (?:to )?vedet
netusim|nezname|neznamy|neznama|zadna odpoved|bez odpovedi|neuvedeno|neni znamo|nevi se|nemam tuseni|nezjisteno
""",
    guess=r"""
\b(?:myslim|asi|pravdepodobne|mozna|snad|nejspis|tipuji|hadam|rekl bych|rekla bych|domnivam se|zrejme|tusim ze|odhaduji|predpokladam|patrne)\b
""",
    but=r"""
\b(?:ale|avsak|vsak|nicmene|i kdyz|co|kolik|kter\w+|jak\w*|kde|kdy|proc|kdo|jestli|zda)\b
""",
    answers=answering(
        r"\bodpoved(?:i)? (?:je|zni|by byla)",
        r"ne\w*|zadn\w+",
        r"primo|vyslovne|doslova|presn\w+",
        "ale|avsak|vsak|nicmene",
        r"\b(?:neni (?:treba|potreba)|nejsou potreba|zadne (?:\w+ )?informace nejsou (?:treba|potreba))\b",
        r"\bjinou odpoved\b|\bodpoved (?:nez|krome)\b",
        r"\b(?:dost|dostatecne) (?:casto|nahlas)\b",
        r"\b(?:drivejs\w+|starsi\w*) (?:pripad\w+|priklad\w+|zmin\w+)\b",
        r"\b(?:nemohu|nelze|nemuzu) (?:ne\w+|poprit|uverit)\b",
    ),
)

_RU_CANNOT: Final = (
    "(?:(?:я|мы|этого|с этим|на это|на этот вопрос|к сожалению|тут|здесь|вам|тебе) ){0,3}"
    "(?:не (?:могу|можем|смогу|сможем|смог|смогла|могли|в состоянии|в силах|умею|способен|способна"
    "|имею (?:права|возможности)|вправе|готов|готова|буду|стану|хочу|удалось|получится|получилось"
    "|уполномочен|уполномочена|удается)|неспособен|неспособна)"
    "(?: (?:вам|тебе|с этим|этого|на это|на этот вопрос|в этом|вас|тут|здесь|вам с этим))*"
)
_RU_SOURCE: Final = (
    "(?:в |во )?(?:(?:предоставленн\\w+|данн\\w+|этом|этот|указанн\\w+|имеющ\\w+|доступн\\w+|приведенн\\w+"
    "|найденн\\w+|прилагаем\\w+|вашем|самом|переданн\\w+) )*"
    "(?:контекст\\w*|текст\\w*|отрыв\\w+|документ\\w*|документац\\w+|стат\\w+|абзац\\w*|источник\\w*|результат\\w*"
    "|информаци\\w+|данны\\w+|баз\\w+(?: данных| знаний)?|схем\\w+|таблиц\\w*|материал\\w*|фрагмент\\w*)"
    "(?: (?:поиска|базы))?"
)

RUSSIAN: Final = Phrases(
    before=r"""
ой|о|хм+|эх|ах|ну|увы|что ж|так|привет|здравствуйте|спасибо(?: [^.,!?]*)?|нет|хороший вопрос|это хороший вопрос
(?:мне |нам )?(?:очень |искренне |правда )?(?:жаль|жалко)|(?:я )?(?:очень |искренне )?(?:сожалею|извиняюсь)|(?:прошу )?(?:прощения|прощенья|простите|прости|извините|извини|извиняюсь)(?: меня| за [^.,!?]*)?|к (?:большому )?сожалению|(?:приношу |примите )?(?:свои |мои )?извинения|боюсь(?:, что)?|сорри
(?:как|будучи|являясь) (?:ии|искусственн|языков|виртуальн|цифров|чат|модел|ассистент|помощник|большая)[^.,!?]*?(?=,| я | не )
я (?:всего лишь |только |просто |лишь )?(?:ии|искусственный|языковая|виртуальный|чат-?бот|бот|не врач|не юрист|не доктор|программа)[^.,!?]*?(?=,| и |[.!?])
(?:мои|мо[ия]|имеющиеся) (?:знания|данные|сведения)[^.!?]{0,60}?,
честно говоря|по правде говоря|если честно
(?:на основании|на основе|исходя из|судя по|согласно|с помощью|по) [^.,!?]{3,50}?(?=,| не\w* | нельзя | я | ответить | определить | сказать )
но|и|а|поэтому|что|так что
""",
    closed=r"""
(?:этого |честно говоря |я |мы |сам |точно |об этом |даже |увы )*не (?:знаю|знаем)(?: (?:этого|ответа(?: на (?:этот вопрос|это))?|точно|что (?:сказать|ответить)|как (?:на это )?ответить|к сожалению|ничего об этом|об этом ничего|наверняка|и сам|братан|извини))*
(?:у меня нет|без|не имею|я без)(?: (?:ни малейшего|никакого|малейшего|на это))* (?:понятия|представления|ответа)(?: (?:на (?:этот вопрос|это)|об этом))?|понятия не имею|(?:не имею )?ни малейшего понятия|ответа (?:я )?не знаю|ответ (?:мне )?неизвестен|мне (?:это|об этом) (?:ничего )?(?:не известно|неизвестно)|мне неизвестен ответ|хз|без понятия
(?:я )?(?:(?:в этом|не до конца|не совсем|не очень|не вполне|не полностью|точно|не) )+(?:уверен|уверена)(?: (?:в (?:этом|ответе)|что (?:правильно )?(?:понял|понимаю|поняла)[^.,!?]*))?
(?:этого )?(?:я )?(?:не могу|не смогу|не скажу|затрудняюсь)(?: (?:вам|тебе|этого|точно|с уверенностью))*(?: (?:сказать|ответить|знать|раскрыть))?(?: (?:точно|наверняка|с уверенностью|этого|этом))?
(?:я )?(?:лучше|предпочитаю|предпочту|предпочел бы|предпочла бы|не хочу|не буду|не стану|не хотел бы|не хотела бы|не берусь) (?:(?:не|бы|тут|здесь) )*(?:гадать|угадывать|строить догадки|спекулировать|отвечать|говорить|судить|предполагать|делать предположен\w+|гадал\w?|отвечал\w?|говорил\w?|комментировать)(?: [^.,!?]{1,30})?|гадать (?:я )?не (?:буду|хочу|стану)|(?:откуда|почем) (?:же )?мне (?:это |об этом )?(?:знать|известно)|давайте? (?:сменим|поменяем|поговорим о другом|не будем)(?: [^.,!?]*)?|(?:я )?предпоч(?:ел|ла|итаю|ту) (?:бы )?не [^.,!?]{3,40}|(?:я )?бы предпоч(?:ел|ла) не [^.,!?]{3,40}|(?:ни малейшего|никакого) (?:представления|понятия)|без комментариев|пас|сложно сказать|трудно сказать
""",
    open=rf"""
{_RU_CANNOT} (?:ответить|отвечать|дать (?:ответ|совет|вам|так|эту|рекоменд|юрид|медиц|точн)\w*|давать (?:так\w+ |подобн\w+ )?(?:совет|медиц|юрид|рекоменд|фин|оцен)\w*|помочь|помогать|предоставить|предоставлять|поделиться|раскрыть|раскрывать|выполнить|выполнять|исполнить|обработать|удовлетворить|определить|установить|найти (?:(?:достоверн|надежн|никак|точн|подтвержд|конкретн)\w+ )?(?:ответ|эту|информац|сведени|данны|упомин|так|ничего|нужн)\w*|сделать (?:этого|это|вывод|такого)|вывести|сгенерировать|создать (?:так|эт|запрос|контент)\w*|составить (?:так|запрос)\w*|написать (?:так|эт|запрос)\w*|перевести|преобразовать|выразить|сформулировать|комментировать|обсуждать|говорить (?:об|о таких|на эт)\w*|советовать|рекомендовать|понять (?:вопрос|ваш|запрос|что)|проверить эту|подтвердить эту|консультировать|заменить|судить|сказать(?: (?:ничего|точно|на основ|по|исходя|этого)|,? (?:кто|когда|сколько|какой|где|был ли))|участвовать|поддержать|получить доступ|ставить|сделать)
(?:у (?:меня|нас) (?:(?:пока|к сожалению|сейчас|здесь) )*(?:нет|недостаточно|не хватает|не имеется|отсутству\w+|мало)|(?:я )?(?:не (?:имею|располагаю|обладаю|нашел|нашла|вижу|нахожу|обнаружил\w*)|не хватает|мне не хватает|недостаточно))(?: (?:доступа к|достаточн\w+|никак\w+|нужн\w+|необходим\w+|так\w+|собственн\w+|личн\w+|актуальн\w+|конкретн\w+|об этом|на это|для этого|надежн\w+|достоверн\w+|точн\w+|подробн\w+|соответствующ\w+|эт\w+|в|всей|полн\w+))* (?:информаци\w+|данны\w+|сведени\w+|доступа?|знани\w+|ответа|мнени\w+|чувств|эмоций|контекст\w*|детал\w+|упоминани\w+|возможности (?:ответ|пров|узна)\w+|убеждений|предпочтений|полномочий)\b
(?:ответа|информации|данных|сведений) (?:на|об|о|по) (?:этот|это|эту|этом|этой)(?: \w+)? (?:у (?:меня|нас) )?(?:нет|не имеется|не найдено|нет у (?:меня|нас))
(?:об этом|на этот вопрос|по этому (?:вопросу|поводу)|на эту тему|на это|для этого)(?: \w+){{0,4}}? (?:нет|не (?:говорится|сказано|упоминается|указано|могу|нашел|нашла|располагаю|имею|хватает|отвечу|сообщается)|недостаточно|ничего|отсутству\w+|невозможно|нельзя)
{_RU_SOURCE}(?: [\w-]+){{0,5}}? (?:не (?:содерж\w+|упомина\w+|указ\w+|говор\w+|сообща\w+|приво\w+|отвеча\w+|позволя\w+|хватает|включа\w+|предоставля\w+|сказано|приведен\w*|найден\w*|опис\w+|нашел|нашла|наш\w+|раскрыва\w+|представлен\w*|охватыва\w+|фигурир\w+|встреча\w+|уточня\w+|затрагива\w+|обнаружен\w*)|нет|недостаточно|отсутству\w+|ничего не)\b
(?:нет|недостаточно|не хватает|слишком мало|отсутств\w+|нигде не|не найдено|ничего не)(?: (?:таких|достаточной|никакой|в|этой|об этом|для этого|нужных|подходящей|ни одной|в этой))* ?(?:информаци\w+|данных|сведени\w+|упоминани\w+|контекст\w*|тексте|документ\w*|результат\w+|таблиц\w*|столбц\w*|указано|схеме)\b
(?:невозможно|нельзя|не представляется возможным|не получится)(?: [\w-]+){{0,5}}? ?(?:ответить|определить|установить|сказать|вывести|перевести|выразить|сформулировать|узнать|составить|дать ответ)
(?:(?:этого )?(?:я )?сделать|ответить|определить|сказать|установить)(?: [^.,!?]{{0,40}})? (?:невозможно|нельзя|не получится|не представляется|не могу|не смогу)
(?:это\w*|эт[аи]|ваш\w*|тво\w+|данн\w+|так\w+|на этот|на ваш) (?:вопрос|запрос|просьб\w|тем\w|контент|содержани\w|сообщение|ответ|информаци\w)(?: \w+){{0,3}}? (?:не (?:может|входит|относится|указан|содерж|могу|допуск|разреш|найден|привед|уклад|упоминается|поддается)\w*|выход\w+|наруша\w+|противореч\w+|был\w? (?:заблокир|отклон|отфильтр|помеч)\w+|невозможно|нельзя|находится за|за пределами|нет|запрещен\w*|неизвест\w+)
(?:это|такое|то, о чем вы просите)(?: уже)? (?:выход\w+|за пределами|вне|не (?:входит|то, (?:что|с чем|чем)|относится|моя|мой|по моей|в моей|указано|упоминается|сказано|указывается)|наруша\w+|превыша\w+|противореч\w+|лежит (?:вне|за)|находится (?:вне|за))
(?:я )?(?:вынужден|вынуждена|вынуждены|должен|должна|придется|приходится|мне придется|обязан)(?: (?:вежливо|вам|в этом|к сожалению))* (?:отказать\w*|отклонить|отказываться|воздержаться|пропустить|отказ\w+)|(?:я )?(?:отказываюсь|воздержусь|откажусь)\b
(?:так\w+|это\w*|эти|ваш\w*|данн\w+)(?: \w+){{0,2}} (?:наруша\w+|противореч\w+|запрещен\w*|был\w? (?:заблокир|отклон|отфильтр|помеч)\w+|не разреш\w+|не допуск\w+)
(?:я )?не (?:(?:совсем|очень|до конца|вполне) )?(?:понял|поняла|понимаю|расслышал|расслышала|разобрал|разобрала|распознал)(?: (?:вас|тебя|вопрос\w*|ваш\w*|что|запрос|о чем)[^.,!?]*)?<end>
(?:не )?(?:могли бы вы|можете|можешь|не мог бы ты|не могла бы ты|могли бы)(?: пожалуйста)?,? (?:(?:вы|пожалуйста|мне|его|свой вопрос|вопрос|это) )*(?:переформулировать|повторить|уточнить|пояснить|перефразировать|сказать (?:иначе|по-другому)|дать больше)|(?:пожалуйста,? )?(?:уточните|переформулируйте|перефразируйте|повторите|попробуйте (?:перефраз|переформ|еще|сформул)\w*|обратитесь|предоставьте|проконсультируйтесь|уточни|переформулируй|сформулируйте)(?: |<end>)
(?:мне (?:нужн\w+|понадоб\w+|необходим\w+|требу\w+)|нужн\w+|требу\w+|необходим\w+) (?:больше|дополнительн\w+|более подробн\w+|уточнени\w+|еще)
(?:я )?не (?:даю|обсуждаю|комментирую|консультирую|отвечаю на|предоставляю|высказываю|занимаюсь|говорю о)\b
ни (?:одна|в одной|один|в одном)(?: из)?(?: \w+)? (?:таблиц\w*|столб\w+|колон\w+|документ\w*|источник\w*|текст\w*|отрыв\w+|фрагмент\w*)[^.!?]* (?:не|нет)
(?:об этом|вам|тебе|лучше|придется)(?: (?:лучше|придется|стоит|следует|надо|нужно))* (?:спросить|спроси|спросите|обратиться|узнать)(?: (?:у|к|кого)\b)|спроси(?:те)? (?:лучше |об этом )?(?:у |кого|трактирщик|другого)
""",
    bare=r"""
понятия не имею|неизвестно|неизвестен|неизвестна|нет ответа|н/?[дп]|не применимо|неприменимо|не определено|(?:ответить|определить) невозможно|(?:информация|данные) отсутству[ею]т|нет данных|нет информации|не указано|не знаю|хз|без понятия
""",
    guess=r"""
\b(?:думаю|кажется|наверное|наверно|вероятно|возможно|полагаю|предположу|предполагаю|по-моему|пожалуй|скорее всего|видимо|может быть|считаю|сказал бы|сказала бы|похоже)\b
""",
    but=r"""
\b(?:но|однако|хотя|что|чего|котор\w+|как\w+|сколько|мо[йяие]|где|когда|почему|кто|зачем|куда|ли)\b
""",
    answers=answering(
        r"\b(?:ответ(?:ом)?|лучшая оценка|правильн\w+ ответ)(?: (?:это|будет|такой|звучит))?(?: [-\u2013\u2014]|:)",
        r"не\w*|нет",
        r"прямо|напрямую|буквально|дословно|явно|точн\w+",
        "но|однако|все же",
        r"\b(?:информаци\w+|данн\w+|сведени\w+) (?:и )?не (?:требу\w+|нужн\w+)|\bне (?:требуется|нужно) никак\w+\b",
        r"\bдругого ответа\b|\bответа,? кроме\b",
        r"\b(?:достаточно часто|достаточно раз)\b",
        r"\bо (?:более ранн\w+|предыдущ\w+|друг\w+) (?:случа\w+|пример\w+|упоминани\w+)\b",
        r"\b(?:не могу|не могла|не мог|нельзя|невозможно|трудно|сложно) (?:не|отрицать|поверить|дождаться)\b",
    ),
)

_UK_CANNOT: Final = (
    "(?:(?:я|ми|цього|з цим|на це|на це питання|на це запитання|на жаль|тут|вам|тоби|тобі) ){0,3}"
    "(?:не (?:можу|можемо|зможу|зможемо|змiг|зміг|змогла|могли|в змозі|вмію|здатен|здатний|здатна|маю (?:права|можливості|змоги|повноважень)"
    "|готовий|готова|буду|стану|хочу|вдалося|вийде|вдасться|уповноважен\\w+)|нездатн\\w+)"
    "(?: (?:вам|тобі|з цим|цього|на це|на це питання|у цьому|в цьому|вас|тут))*"
)
_UK_SOURCE: Final = (
    "(?:у |в )?(?:(?:надан\\w+|дан\\w+|цьому|цей|це|зазначен\\w+|наявн\\w+|доступн\\w+|наведен\\w+|знайден\\w+|цих) )*"
    "(?:контекст\\w*|текст\\w*|урив\\w+|документ\\w*|документац\\w+|статт\\w+|абзац\\w*|джерел\\w*|результат\\w*"
    "|інформаці\\w+|дан(?:і|их)|баз\\w+(?: даних| знань)?|схем\\w+|таблиц\\w*|матеріал\\w*|фрагмент\\w*)"
    "(?: (?:пошуку|бази))?"
)

UKRAINIAN: Final = Phrases(
    before=r"""
ой|о|хм+|ех|ах|ну|на жаль|що ж|так|привіт|вітаю|добрий день|дякую(?: [^.,!?]*)?|ні|гарне питання|добре запитання|це гарне питання
(?:мені |нам )?(?:дуже |щиро |справді )?(?:шкода|прикро)|(?:я )?(?:дуже |щиро )?(?:шкодую|перепрошую)|(?:прошу )?(?:вибачення|пробачення|вибачте|вибач|пробачте|пробач|перепрошую)(?: мені| мене| за [^.,!?]*)?|на (?:превеликий )?жаль|боюся(?:, що)?|боюсь(?:, що)?|даруйте
(?:як|будучи|оскільки я) (?:ші|штучн|мовн|віртуальн|цифров|чат|модел|асистент|помічник|велика)[^.,!?]*?(?=,| я | не )
я (?:всього лише |лише |просто |тільки )?(?:ші|штучний|мовна|віртуальний|чат-?бот|бот|не лікар|не юрист|програма)[^.,!?]*?(?=,| і | й | та |[.!?])
(?:на підставі|на основі|виходячи з|судячи з|згідно з|за) [^.,!?]{3,50}?(?=,| не\w* | я | відповісти | визначити | сказати )
але|і|й|та|а|тому|що|тож
""",
    closed=r"""
(?:цього |чесно кажучи |я |ми |сам |точно |про це |навіть )*(?:не (?:знаю|знаємо)|гадки не маю)(?: (?:цього|відповіді(?: на (?:це|це питання|це запитання))?|точно|що (?:сказати|відповісти)|як (?:на це )?відповісти|на жаль|нічого про це|про це нічого|напевно|і сам))*
(?:у мене немає|в мене немає|не маю|я не маю)(?: (?:ні найменшого|жодного|найменшого|на це|ані найменшого|зеленого))* (?:поняття|уявлення|відповіді|гадки)(?: (?:на (?:це|це питання|це запитання)|про це))?|(?:уявлення|гадки|поняття|жодної гадки) не маю|відповіді (?:я )?не знаю|відповідь мені невідома|мені (?:це|про це) (?:нічого )?(?:не відомо|невідомо)|без поняття
(?:я )?(?:(?:у цьому|в цьому|не до кінця|не зовсім|не дуже|не цілком|не повністю|не) )+(?:впевнен\w+|певен|певний|певна|упевнен\w+)(?: (?:у (?:цьому|відповіді)|в (?:цьому|відповіді)|що (?:правильно )?(?:зрозумі)[^.,!?]*))?
(?:цього )?(?:я )?(?:не можу|не зможу|не скажу|важко)(?: (?:вам|тобі|цього|точно|з упевненістю))*(?: (?:сказати|відповісти|знати|розкрити))?(?: (?:точно|напевно|з упевненістю|цього))?
(?:я )?(?:краще|волію|не хочу|не буду|не стану|не хотів би|не хотіла би|не хотіла б|волів би|воліла б|не беруся) (?:(?:не|би|б|тут) )*(?:гадати|вгадувати|робити припущен\w+|спекулювати|відповідати|говорити|припускати|будувати здогад\w+|гадав|гадала|відповідав|відповідала|казати)(?: [^.,!?]{1,30})?|вгадувати (?:я )?не (?:буду|хочу|стану)|без коментарів|пас|складно сказати
""",
    open=rf"""
{_UK_CANNOT} (?:відповісти|відповідати|дати (?:відповід|порад|вам|так|цю|рекоменд|юрид|медич|точн)\w*|давати (?:порад|медич|юрид|рекоменд|фін|оцін)\w*|надати|надавати|допомогти|допомагати|поділитися|розкрити|розкривати|виконати|виконувати|обробити|задовольнити|визначити|встановити|знайти (?:відповід|цю|інформац|згад|так|нічого|потрібн)\w*|зробити (?:цього|це|висновк|такого)|вивести|згенерувати|створити (?:так|ц|запит|контент)\w*|скласти (?:так|запит)\w*|написати (?:так|ц|запит)\w*|перекласти|перетворити|виразити|сформулювати|коментувати|обговорювати|говорити (?:про|на ц)\w*|радити|рекомендувати|зрозуміти (?:питання|запитання|ваш|запит|що)|перевірити цю|підтвердити цю|консультувати|замінити|судити|сказати (?:нічого|точно|на підстав|з|виход|хто|коли|скільки|який|цього)|брати участь|підтримати|отримати доступ|ставити)
(?:(?:у|в) (?:мене|нас) (?:(?:поки|на жаль|зараз|тут) )*(?:немає|нема|недостатньо|бракує|не вистачає|відсутн\w+|мало)|(?:я )?(?:не (?:маю|маємо|володію|знайшов|знайшла|бачу|знаходжу|виявив|виявила)|мені бракує|мені не вистачає|бракує|недостатньо))(?: (?:доступу до|достатн\w+|жодн\w+|потрібн\w+|необхідн\w+|так\w+|власн\w+|особист\w+|актуальн\w+|конкретн\w+|про це|на це|для цього|надійн\w+|достовірн\w+|точн\w+|детальн\w+|відповідн\w+|ц\w+|в|повн\w+|про))* (?:інформаці\w+|дан(?:их|і)|відомост\w+|доступу?|знан\w+|відповіді|думк\w+|почуттів|емоцій|контекст\w*|детал\w+|згадк\w+|змоги (?:відпов|перев|дізн)\w+|переконань|вподобань|повноважень)\b
(?:про це|на це питання|на це запитання|з цього (?:питання|приводу)|на цю тему|на це|для цього)(?: \w+){{0,4}}? (?:немає|нема|не (?:йдеться|сказано|згадується|зазначено|можу|знайшов|знайшла|маю|вистачає|відповім|повідомляється)|недостатньо|нічого|відсутн\w+|неможливо|бракує)
{_UK_SOURCE}(?: [\w-]+){{0,5}}? (?:не (?:міст\w+|згаду\w+|вказ\w+|говор\w+|йдеться|повідомля\w+|наво\w+|відповіда\w+|дозволя\w+|вистачає|включа\w+|надає|надають|сказано|наведен\w*|знайден\w*|опис\w+|знайшов|знайшла|розкрива\w+|представлен\w*|охоплю\w+|фігуру\w+|трапля\w+|уточню\w+|зазнач\w+|виявлен\w*)|немає|нема|недостатньо|відсутн\w+|нічого не|бракує)\b
(?:немає|нема|недостатньо|бракує|не вистачає|замало|відсутн\w+|ніде не|не знайдено|нічого не)(?: (?:таких|достатньої|жодної|в|у|цієї|про це|для цього|потрібних|відповідної|у цій))* ?(?:інформаці\w+|даних|відомост\w+|згадк\w+|контекст\w*|тексті|документ\w*|результат\w+|таблиц\w*|стовпц\w*|зазначено|схемі)\b
(?:неможливо|не можна|немає можливості|не вдасться)(?: [\w-]+){{0,5}}? ?(?:відповісти|визначити|встановити|сказати|вивести|перекласти|виразити|сформулювати|дізнатися|скласти|дати відповідь)
(?:(?:цього )?(?:я )?зробити|відповісти|визначити|сказати|встановити)(?: [^.,!?]{{0,40}})? (?:неможливо|не можна|не вдасться|не можу|не зможу)
(?:це|цей|ця|ваш\w*|тво\w+|дан\w+|так\w+|на це|на ваше) (?:питання|запитання|запит|прохання|тем\w|контент|вміст|повідомлення|відповідь|інформаці\w)(?: \w+){{0,3}}? (?:не (?:може|входить|належить|зазначен|міст|можу|дозвол|знайден|навед|згадується|стосується)\w*|виход\w+|поруш\w+|супереч\w+|бул\w? (?:заблок|відхил|відфільтр|познач)\w+|неможливо|перебуває поза|поза межами|немає|заборонен\w*|невідом\w+)
(?:це|таке|те, про що ви просите)(?: вже)? (?:виход\w+|за межами|поза|не (?:входить|те, (?:що|з чим|чим)|належить|моя|моє|в моїй|зазначено|згадується|сказано)|поруш\w+|перевищ\w+|супереч\w+|лежить (?:поза|за)|перебуває (?:поза|за))
(?:я )?(?:змушен\w+|мушу|маю|повинен|повинна|доведеться|мені доведеться|доводиться)(?: (?:ввічливо|вам|у цьому|на жаль|цей|ваш|ваше|це))* (?:запит |прохання )?(?:відмовити\w*|відхилити|відмовлятися|утриматися|пропустити)|(?:я )?(?:відмовляюся|відмовляюсь|утримаюся|утримаюсь|відмовлюся)\b
(?:так\w+|це|цей|ці|ваш\w*|дан\w+)(?: \w+){{0,2}} (?:поруш\w+|супереч\w+|заборонен\w*|бул\w? (?:заблок|відхил|відфільтр|познач)\w+|не дозвол\w+)
(?:я )?не (?:(?:зовсім|дуже|до кінця|цілком) )?(?:зрозумів|зрозуміла|розумію|розчув|розчула|розібрав|розібрала|розпізнав)(?: (?:вас|тебе|питання|запитання|ваш\w*|що|запит|про що)[^.,!?]*)?<end>
(?:не )?(?:могли б ви|чи могли б ви|можете|можеш|не міг би ти|могли б|чи можете ви)(?: будь ласка)?,? (?:(?:ви|будь ласка|мені|його|своє запитання|запитання|питання|це) )*(?:переформулювати|повторити|уточнити|пояснити|перефразувати|сказати (?:інакше|по-іншому)|надати більше)|(?:будь ласка,? )?(?:уточніть|переформулюйте|перефразуйте|повторіть|спробуйте (?:перефраз|переформ|ще|сформул)\w*|зверніться|надайте|проконсультуйтеся|уточни|переформулюй|сформулюйте)(?: |<end>)
(?:мені (?:потрібн\w+|знадоб\w+|необхідн\w+)|потрібн\w+|необхідн\w+) (?:більше|додатков\w+|детальніш\w+|уточнен\w+|ще)
(?:я )?не (?:даю|обговорюю|коментую|консультую|відповідаю на|надаю|висловлюю|займаюся|говорю про)\b
(?:жодна|у жодній|в жодній|жоден)(?: з)? (?:таблиц\w*|стовп\w+|колон\w+)[^.!?]* (?:не|немає)
(?:про це|вам|тобі|краще|доведеться)(?: (?:краще|доведеться|варто|слід|треба|потрібно))* (?:спитати|запитати|запитай|запитайте|спитай|спитайте|звернутися|дізнатися)(?: (?:у|в|до|когось)\b)|(?:запитай|спитай)(?:те)? (?:краще |про це )?(?:у |в |когось|шинкар|іншого)
""",
    bare=r"""
не застосовується|незастосовно|н/?[дп]|звідки мені (?:це |про це )?знати
гадки не маю|уявлення не маю|невідомо|невідомий|невідома|немає відповіді|немає даних|немає інформації|не зазначено|не вказано|без поняття
""",
    guess=r"""
\b(?:думаю|здається|мабуть|напевно це|ймовірно|імовірно|можливо|гадаю,? що|припускаю|припущу|по-моєму|певно|скоріш за все|найімовірніше|може бути|вважаю|сказав би|сказала б|схоже)\b
""",
    but=r"""
\b(?:але|однак|проте|хоча|що|чого|котр\w+|як\w*|скільки|мі[йи]|моя|мої|де|коли|чому|хто|навіщо|куди|чи|но|зачем|что|как|где|кто)\b
""",
    answers=answering(
        r"\b(?:відповідь|найкраща оцінка)(?: (?:це|буде|така))?(?: [-\u2013\u2014]|:)",
        r"не\w*|немає",
        r"прямо|безпосередньо|буквально|дослівно|явно|точн\w+",
        "але|однак|проте",
        r"\b(?:інформаці\w+|дан\w+) не (?:потріб\w+|треба)|\bне (?:потрібно|треба) жодн\w+\b",
        r"\bіншої відповіді\b|\bвідповіді,? (?:крім|окрім)\b",
        r"\bдостатньо (?:часто|разів)\b",
        r"\bпро (?:більш ранн\w+|попередн\w+|раніш\w+) (?:випад\w+|приклад\w+|згадк\w+)\b",
        r"\b(?:не можу|не можна|неможливо|важко) (?:не|заперечити|заперечувати|повірити|дочекатися)\b",
    ),
)

PHRASES: Final = {"pl": POLISH, "cs": CZECH, "ru": RUSSIAN, "uk": UKRAINIAN}

"""How a text that begins like a refusal answers after all, by language.

Kinds, in each language: it announces an answer ("however, the answer is Oslo"); it
lacks only what is exact ("the text does not say it directly, but"); nothing is needed
("no information is needed"); it has no answer beside one ("no answer other than", "no
earlier case"); it only says how much ("I cannot say it often enough"), or denies what
is denied ("I cannot help but", "it is impossible not to know").
"""

# An alternative is one line, however long, in letters that look like ours at times:
# ruff: noqa: E501, RUF001

from typing import Final


def _kinds(announced: str, no: str, exact: str, but: str, *others: str) -> str:
    """The kinds of a language: an announcement that is not denied, and the rest."""
    kinds = (
        rf"(?:{announced}) (?![^.!?;]*\b(?:{no})\b)",
        rf"\b(?:{exact})\b[^.!?]*?(?:;|\b(?:{but})\b)",
        *others,
    )
    return "\n".join(kinds)


def _unspaced(announced: str, no: str, exact: str, but: str, *others: str) -> str:
    """The same in a language without spaces between words, or that joins them."""
    kinds = (
        rf"(?:{announced})(?![^.!?;。।]{{0,60}}(?:{no}))(?=.)",
        rf"(?:{exact})[^.!?。।]*?(?:;|{but})",
        *others,
    )
    return "\n".join(kinds)


ANSWERING: Final = {
    "en": _kinds(
        r"\b(?:answers?|(?:best|closest|rough) estimates?) (?:is|are|was|would be|must be|should be)",
        r"not|\w+n't|unknown|unclear|unavailable|missing|outside|beyond|no|nowhere",
        r"directly|explicitly|literally|exactly|precisely|in so many words|verbatim|exact|precise",
        "but|however|though|yet|still|since",
        r"\bno (?:\w+ )?(?:information|data|details?|context|knowledge) (?:is |are )?(?:needed|required|necessary)\b",
        r"\b(?:answer|idea|information|doubt|one|any\w*) (?:other than|except|besides|apart from|but)\b",
        r"\b(?:often|loud|strongly|emphatically|highly) enough\b|\b(?:tell|thank) you enough\b",
        r"\b(?:earlier|previous|prior|older|further) (?:case|record|mention|example|instance|one)s?\b",
        r"\b(?:can'?t|cannot|could ?n[o']t) (?:help but|not|deny|wait|believe|imagine anyone)\b|\bimpossible (?:not to|to (?:deny|miss|overlook))\b",
    ),
    "de": _kinds(
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
    "nl": _kinds(
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
    "sv": _kinds(
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
    **dict.fromkeys(
        ("da", "no"),
        _kinds(
            r"\bsvaret (?:er|lyder|blir)",
            r"ikke|ikkje|ingen|intet|ukendt|ukjent|uklart",
            r"direkte|udtrykkeligt|uttrykkelig|ordret|præcise?|præcist|presis\w*|nøyaktige?|eksakte?",
            "men|dog|imidlertid|alligevel|likevel",
            r"\b(?:ingen|ikke) (?:\w+ )?(?:information|informasjon|oplysninger|opplysninger|viden|kunnskap)\b[^.,;:]{0,20}\b(?:nødvendig\w*|kræves|kreves|trengs)\b",
            r"\b(?:intet|ingen|ikke noget|ikke noe) (?:andet|annet|anden|annen) (?:svar|anelse)\b|\bsvar (?:end|enn|udover|utover)\b",
            r"\b(?:tit|tidt|ofte|tydeligt?|mange gange?r?) nok\b|\bnok gange?r?\b",
            r"\b(?:tidligere|ældre|eldre|andre) (?:tilfælder?|tilfeller?|eksempl\w+|omtaler?)\b",
            r"\bikke (?:annet enn|andet end|benægte|benekte|fornægte|fornekte|vente|tro|lade være|la være)\b",
        ),
    ),
    "fr": _kinds(
        r"\breponse (?:est|serait|reste)",
        r"pas|inconnue|aucune?|n'\w+",
        r"directement|explicitement|exactement|textuellement|precisement|exacte?|precise?",
        "mais|cependant|toutefois|pourtant",
        r"\b(?:aucune?|pas d'|pas de) ?(?:\w+ )?(?:informations?|donnees?|connaissances?) (?:n'est |n'est pas )?(?:necessaires?|requises?)\b|\bpas besoin\b",
        r"\bd'autre (?:reponse|idee)\b|\breponse (?:autre que|sauf|hormis|a part)\b",
        r"\bassez (?:souvent|fort|insister)\b",
        r"\bcas (?:plus ancien|anterieur)s?\b",
        r"\b(?:m'empecher|(?:peux|peut|puis) (?:pas )?ne pas|nier|attendre|croire)\b",
    ),
    "es": _kinds(
        r"\brespuesta (?:es|seria)",
        r"no|desconocida|ningun[ao]?",
        r"directamente|explicitamente|literalmente|expresamente|exactamente|exact[oa]|precis[oa]",
        "pero|sin embargo|aunque",
        r"\bno (?:se (?:necesita|requiere)|hace falta)\b",
        r"\b(?:otra|mas) (?:respuesta|idea) que\b|\brespuesta (?:excepto|salvo|aparte)\b",
        r"\b(?:suficientes veces|lo suficiente)\b",
        r"\bcasos? (?:anterior|previo)(?:es|s)?\b",
        r"\b(?:no puedo (?:evitar|dejar de|menos|esperar|creer)|(?:imposible|puede) (?:no|negar)\w*)\b",
    ),
    "it": _kinds(
        r"\brisposta (?:e|sarebbe)",
        r"non|sconosciuta|ignota|nessun[ao]?",
        r"direttamente|esplicitamente|letteralmente|espressamente|esattamente|esatt[oa]|precis[oa]",
        "ma|tuttavia|pero|comunque",
        r"\b(?:non (?:serve|servono|occorre|occorrono)|nessuna (?:\w+ )?informazione (?:e )?(?:necessaria|richiesta))\b",
        r"\b(?:altra|altre) rispost[ae]\b|\brisposta (?:tranne|eccetto|se non)\b",
        r"\babbastanza (?:spesso|volte)\b|\bmai abbastanza\b",
        r"\bcas[oi] (?:precedent[ei]|anterior[ei])\b",
        r"\b(?:fare a meno|non posso (?:non|aspettare|credere)|(?:puo|posso) negar\w*)\b",
    ),
    "pt": _kinds(
        r"\bresposta (?:e|seria)",
        r"nao|desconhecida|nenhuma?",
        r"diretamente|explicitamente|literalmente|expressamente|exatamente|exat[oa]|precis[oa]",
        "mas|porem|no entanto|contudo",
        r"\bnao (?:e|sao) (?:precis[oa]|necessari[oa]s?)\b|\bnenhuma (?:\w+ )?informacao e necessaria\b",
        r"\boutra resposta\b|\bresposta (?:exceto|alem de|a nao ser)\b",
        r"\bvezes (?:suficientes|o bastante)\b|\bo suficiente\b",
        r"\bcasos? (?:anterior|previo)(?:es|s)?\b",
        r"\b(?:nao posso (?:deixar de|esperar|acreditar)|(?:pode|posso) negar)\b",
    ),
    "pl": _kinds(
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
    "cs": _kinds(
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
    "ru": _kinds(
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
    "uk": _kinds(
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
    "tr": _kinds(
        r"\b(?:cevap|yanit|cevabi)(?: (?:ise|ancak|su|soyle))?:?",
        r"\w*(?:yok|degil|bilin|bulun|ver)\w*",
        r"dogrudan|acikca|kelimesi kelimesine|tam|kesin",
        "ama|fakat|ancak|yine de",
        r"\b(?:bilgi\w*|veri\w*)(?: \w+)? gerek(?:mez|miyor|li degil|yok)\b|\bgerek yok\b",
        r"\bbaska (?:bir )?(?:cevabim|yanitim|cevap|yanit)\b|\bdisinda (?:bir )?(?:cevabim|yanitim)\b",
        r"\byeterince (?:sik|cok)\b",
        r"\bdaha onceki (?:bir )?(?:vaka|ornek|kayit)\w*\b",
        r"\b(?:inkar|edemeden|saklamak mumkun)\b",
    ),
    "ar": _unspaced(
        r"(?:الاجابة|الجواب)(?: الصحيحة?)? (?:هي|هو)",
        "غير|ليس|لا ",
        "صراحة|مباشرة|حرفيا|بالضبط|بدقة|الدقيق",
        "لكن|غير ان|الا ان",
        "لا (?:حاجة|داعي)|لا يلزم|ليست? (?:مطلوبة|ضرورية)",
        r"(?:اجابة|جواب) (?:اخرى|اخر|سوى|غير)",
    ),
    "hi": _unspaced(
        "(?:उत्तर|जवाब)(?: है)?(?: ?:| यह है| होगा)",
        "नहीं|अज्ञात",
        "सीधे|स्पष्ट रूप से|ठीक-ठीक|सटीक",
        "लेकिन|परंतु|मगर|पर ",
        "(?:जानकारी|सूचना)(?: की)? (?:आवश्यक नहीं|(?:ज़रूरत|जरूरत|आवश्यकता) नहीं)",
        "(?:के अलावा|के सिवा|अन्य|दूसरा) (?:कोई )?(?:उत्तर|जवाब)?",
    ),
    "zh": _unspaced(
        "答案(?:就|应该|应当|其实)?(?:是|为)",
        "不|没|未|无",
        "直接|明说|明确|字面|确切|精确|准确",
        "但|不过|然而|可是",
        "(?:不|无)(?:需要?|必)(?:任何|更多)?(?:信息|资料|数据|知识)",
        "(?:以外|之外|除了|除)[^,。]{0,12}(?:答案|没有)|别的答案|其他答案",
    ),
    "ja": _unspaced(
        "(?:答え|正解|回答)は",
        "ない|ません|ず|不明|不可",
        "直接|明示|文字どおり|正確な|はっきり",
        "しかし|が、|が,|けれど|ものの",
        "(?:情報|知識|データ)は(?:必要ありません|不要|いりません|必要ない)",
        "(?:以外|ほか|他)に(?:は)?(?:答え|回答)|以外の(?:答え|回答)",
        r'"\s*(?:と|って)(?:言|い|述|答|話|語|書|主張|証言|叫)',
    ),
    "ko": _unspaced(
        "(?:정답|답|답변)은 ",
        "없|않|못|모르|불",
        "직접|명시적|문자 그대로|정확한",
        "지만|그러나|하지만",
        "(?:정보|자료|지식)(?:는|가|도)? ?(?:필요 ?없|필요하지 않|필요치 않)",
        "(?:외에|외에는|말고|이외의|다른) ?(?:다른 )?(?:답|답변|정답)",
        r'"\s*(?:이라고|라고|고) (?:말|했|답|대답|하|증언|썼)',
    ),
    "th": _unspaced(
        "(?:คำตอบ|คำตอบที่ถูก(?:ต้อง)?|ค่าประมาณที่ดีที่สุด)(?:ก็)?(?:คือ|เป็น)",
        "ไม่",
        "โดยตรง|ตรง ?ๆ|แน่ชัด|แน่นอน|ชัดเจน",
        "แต่|อย่างไรก็ตาม|ค่าประมาณ|;",
        "ไม่(?:ต้องใช้|จำเป็นต้องใช้|ต้องการ)ข้อมูล",
        "คำตอบ(?:อื่น|นอกจาก|ใดนอกจาก)|นอกจาก",
    ),
}
"""Regular expressions, one alternative a line."""

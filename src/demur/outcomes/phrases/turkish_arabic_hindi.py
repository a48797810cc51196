"""How a system declines in Turkish, Arabic and Hindi."""

# An alternative is one line, however long, in letters that look like ours at times:
# ruff: noqa: E501, RUF001

from typing import Final

from demur.outcomes.phrases import Phrases, answering, answering_unspaced

_TR_ABOUT: Final = (
    r"(?:(?:bu|bunu|bunun|buna|bununla|o|onu|su"
    r"|sorunun|sorunuzu|sorunuza|sorunu|soruyu|soruya|cevabi|cevabini|yaniti|yanitini"
    r"|konuda|soru|konu|maalesef|ben|de|gercekten|size|sana|anda|an|kesin|olarak|tam"
    r"|acikcasi|hakkinda|ilgili|dogru|hic|hicbir|istegi|istegini|isteginizi|talebi|talebinizi|tur) )"
)
_TR_SOURCE: Final = (
    r"(?:(?:saglanan|verilen|mevcut|sunulan|bu|ilgili|eldeki|yukaridaki|bulunan) ){0,3}"
    r"(?:baglam\w*|metin\w*|metn\w+|belge\w*|dokuman\w*|makale\w*|parca\w*|paragraf\w*|kaynak\w*|kaynag\w*|arama sonuc\w+"
    r"|sonuc\w+|bilgi\w*|veri\w*|veritaban\w+|sema\w*|tablo\w*|pasaj\w*)"
)

TURKISH: Final = Phrases(
    before=r"""
ah|hm+|sey|yani|eh|merhaba|tesekkur(?:ler| ederim)?(?: [^.,!?]*)?|hayir|guzel soru|iyi soru|bu iyi bir soru|bu guzel bir soru
(?:cok |gercekten )?uzgunum|ozur dilerim|ozur dileriz|kusura bakma(?:yin)?|maalesef|ne yazik ki|affedersin(?:iz)?|pardon|bagislayin|malesef|korkarim(?: ki)?|afedersiniz
(?:bir )?(?:yapay zeka|dil modeli|sanal asistan|asistan|yapay zeka (?:asistani|modeli|dil modeli))[^.,!?]{0,20} olarak|ben (?:sadece |yalnizca )?(?:bir )?(?:yapay zeka|dil modeli|sanal|asistan|sohbet|bot|doktor degilim|avukat degilim)[^.,!?]*
(?:verilen|saglanan|bu|mevcut|sunulan) [^.,!?]{3,40} (?:dayanarak|gore|dayali olarak|bakarak)|[^.,!?]{3,30} (?:dayanarak|dayali olarak)
ama|fakat|ancak|ve|bu nedenle|bu yuzden
""",
    closed=rf"""
{_TR_ABOUT}*(?:bilmiyorum|bilmiyoruz|bilemiyorum|bilemiyoruz|bilemem|bilmem|bilmiyom)(?: (?:maalesef|ki|valla|dogrusu|abi|ya))?
{_TR_ABOUT}*(?:bir )?(?:fikrim|bilgim|cevabim|yanitim|malumatim) (?:yok|bulunmuyor)(?: (?:maalesef|acikcasi))?
{_TR_ABOUT}*(?:emin degilim|emin olamiyorum|tahminde bulunmak istemem|tahminde bulunmak istemiyorum|tahmin yurutmek istemem|tahmin yurutmek istemiyorum|tahmin etmek istemem|tahmin etmek istemiyorum|tahminde bulunmam|yorum yapmak istemem|yorum yapmak istemiyorum|soylememeyi tercih ederim|cevap vermemeyi tercih ederim|tahminde bulunmamayi tercih ederim|spekulasyon yapmak istemem|spekulasyon yapmak istemiyorum)
{_TR_ABOUT}*(?:cevap|yanit) (?:bilmiyorum|yok)|cevaplanamaz|yanitlanamaz|yorum yok|pas
""",
    open=rf"""
(?:[\w']+ ){{0,7}}?(?:(?:cevap|yanit|bilgi|tavsiye|tavsiyesi|oneri|onerisi|danismanlik|danismanligi|destek|yardim|hizmet|detay|talimat|gorus|teshis|tani) (?:veremem|veremiyorum|veremiyoruz|veremeyiz|edemem|edemiyorum|saglayamam|saglayamiyorum|sunamam|sunamiyorum|koyamam|bildiremem|vermem mumkun degil|vermiyorum)|(?:cevaplayamam|cevaplayamiyorum|cevaplayamiyoruz|yanitlayamam|yanitlayamiyorum|yanitlayamiyoruz|yardimci olamam|yardimci olamiyorum|yardimci olamayiz|yardimci olamiyoruz|yardimci olamayacagim|yardim edemem|yardim edemiyorum|yerine getiremem|yerine getiremiyorum|yerine getiremiyoruz|karsilayamam|karsilayamiyorum|cevaplayamayacagim|yanitlayamayacagim|veremeyecegim|getiremeyecegim))\b
{_TR_ABOUT}*(?:(?:sorgu|sorgusu|sql sorgusu|icerik|sorgu olarak|sql'e|sql olarak|sql sorgusuna|sorguya) )(?:[\w']+ )?(?:olusturamam|olusturamiyorum|yazamam|yazamiyorum|uretemem|uretemiyorum|ceviremem|ceviremiyorum|donusturemem|donusturemiyorum|ifade edemem|ifade edemiyorum)
{_TR_ABOUT}{{1,4}}(?:yapamam|yapamiyorum|yapamayiz|soyleyemem|soyleyemiyorum|paylasamam|paylasamiyorum|belirleyemiyorum|belirleyemem|bulamadim|bulamiyorum|bulamadik|anlayamadim|anlamadim|saptayamiyorum|tartisamam|aciklayamam|yorumlayamam|anlatamam|islemem mumkun degil|tespit edemiyorum|cikaramiyorum|dogrulayamiyorum)<end>
(?:[\w']+ ){{0,6}}?(?:yeterli|yeterince|gerekli|herhangi bir|hicbir|guvenilir|ilgili|kisisel|guncel|gercek zamanli|daha fazla|bir|hakkinda) (?:[\w']+ ){{0,2}}?(?:bilgi\w*|veri\w*|gorus\w*|erisim\w*|cevap|yanit|baglam\w*|detay\w*|duygu\w*|kayd?i?t?\w*)(?: [\w']+)?? (?:yok|sahip degilim|sahip degiliz|bulunmuyor|bulunmamaktadir|mevcut degil|yer almiyor|bulamadim|verilmemis|bulunamadi|degil|edinemiyorum|icermiyor|vermiyor)\b
(?:[\w']+ ){{0,5}}?(?:bilgi(?:ye|lere)?|verilere|internete|erisimim|bilgim|yetkim|gorusum|bilgiye erisimim) (?:[\w']+ )?(?:sahip degilim|erisimim yok|erisemiyorum|erisemem|yok|bulunmuyor|bulunmamaktadir)<end>
{_TR_SOURCE}(?: [\w']+){{0,7}}? (?:icermiyor|icermemektedir|bahsetmiyor|bahsedilmiyor|bahsedilmemektedir|belirtilmiyor|belirtilmemis|belirtilmemektedir|belirtmiyor|yer almiyor|yer almamaktadir|bulunmuyor|bulunmamaktadir|bulunamadi|bulamadim|gecmiyor|yok|deginilmiyor|deginmiyor|vermiyor|saglamiyor|soylemiyor|yetersiz|yeterli degil|cevaplamiyor|yanitlamiyor|aciklamiyor|rastlamadim|mevcut degil|verilmemis|verilmiyor|sunmuyor|izin vermiyor|soylenmiyor|cikarilamiyor|cikarilamaz|anlasilmiyor|cevaplanamaz|cevaplanamiyor|belirlenemiyor|yanitlanamaz|yanitlanamiyor)\b
(?:[\w']+ ){{0,5}}?(?:cevaplamak|yanitlamak|cevap vermek|yanit vermek|belirlemek|soylemek|yardimci olmak|yerine getirmek|bilmek|ifade etmek)(?: (?:benim icin|bana gore|su anda|maalesef))? (?:mumkun degil|imkansiz|olanaksiz|mumkun gorunmuyor)
(?:bu|sorunuz|isteginiz|talebiniz|istediginiz|sordugunuz)(?: [\w']+){{0,2}}? (?:(?:benim )?(?:yetenek\w+|bilgi\w*|kapsam\w*|uzmanlik\w*|yetki\w*|gorev\w*|alan\w*|imkan\w*|sinir\w*|beceri\w*)(?: \w+)? (?:disinda|asiyor|disindadir|asmaktadir|otesinde)|kapsam disi\w*|cevaplanamaz|cevaplanamiyor|yanitlanamaz|yanitlanamiyor|belirsiz|bilinmiyor|ifade edilemez|cevrilemez|sorguya donusturulemez)
(?:bu|sorunuz|isteginiz|talebiniz|icerik|mesajiniz|boyle|istenen|tur)(?: [\w']+){{0,3}}? (?:ihlal ediyor|ihlal etmektedir|aykiri|aykiridir|politika\w* (?:ters|uymuyor)|engellendi|filtrelendi|izin verilmiyor|izin verilmemektedir|uygun degil|reddedildi|yasak)
(?:[\w']+ ){{0,4}}?(?:reddetmem gerekiyor|reddetmek zorundayim|reddetmeliyim|reddetmek durumundayim|geri cevirmek zorundayim|geri cevirmem gerekiyor|reddediyorum|kaciniyorum|kacinmaliyim|reddetmek zorunda|cevaplamayi reddediyorum)<end>
{_TR_ABOUT}*(?:ne demek istedigini\w*|ne dediginizi|ne dedigini|sizi|seni|soruyu|sorunuzu|sorunu|demek istediginizi|isteginizi)(?: (?:tam|tam olarak|pek))* (?:anlayamadim|anlamadim|anlayamiyorum|anlamiyorum)
(?:lutfen )?(?:[\w']+ ){{0,5}}?(?:tekrar eder misin\w*|tekrarlar misin\w*|tekrarlayabilir misin\w*|aciklar misin\w*|aciklayabilir misin\w*|netlestirir misin\w*|netlestirebilir misin\w*|ifade eder misin\w*|ifade edebilir misin\w*|belirtir misin\w*|belirtebilir misin\w*|verir misiniz|verebilir misin\w*|sorar misin\w*|sorabilir misin\w*|yeniden ifade edin|tekrar deneyin|daha fazla bilgi verin|belirtin)
(?:[\w']+ ){{0,3}}?(?:daha fazla|ek|baska) (?:bilgiye|bilgi|ayrintiya|detaya|baglama|ayrinti|detay)(?: (?:ihtiyacim|gerekiyor|gerek|lazim|ihtiyac))
(?:yeterli|yeterince|yetersiz) (?:bilgi|veri|baglam)(?: (?:yok|degil|mevcut degil|bulunmuyor))?
(?:hicbir|bu bilgiyi iceren bir) (?:tablo|sutun)\w*[^.!?]* (?:yok|icermiyor|bulunmuyor|tutmuyor)
(?:bunu |bunun icin )?(?:baska birine|baskasina|bir doktora|doktorunuza|bir uzmana|hancıya|hanciya) (?:sor|sorun|sormalisin|sormalisiniz|sorsan|danisin|basvurun|sormaniz|sorman)\w*
""",
    bare=r"""
gecerli degil|uygulanamaz|(?:ben )?nereden bileyim|belirtilmemis|belirsiz
bilinmiyor|bilinmeyen|hicbir fikrim yok|fikrim yok|cevap yok|yanit yok|belirtilmemis|veri yok|bilmem
""",
    guess=r"""
\b(?:sanirim|galiba|belki|muhtemelen|saniyorum|tahminimce|tahminim|herhalde|bence|dusunuyorum|olabilir|zannedersem)\b
""",
    but=r"""
\b(?:ama|fakat|ancak|yine de|lakin)\b
""",
    answers=answering(
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
)

_AR_CANNOT: Final = (
    r"(?:(?:انا|نحن|فانا|لكنني|لكني|فانني|انني|اني|للاسف) )?(?:فانا )?"
    r"(?:لا (?:استطيع|نستطيع|يمكنني|يمكننا|اقدر|يسعني|اتمكن من|اريد|انوي|يجوز لي|يحق لي|يسمح لي|يسعنا)"
    r"|لن (?:استطيع|اتمكن من|يمكنني|اقوم)|لم (?:استطع|اتمكن من|اعثر|اجد)"
    r"|غير قادرة? على|لست (?:قادرا|قادرة|مخولا|مؤهلا|مخولة|مؤهلة|قادر) ?(?:على|ب|ل)?|عاجزة? عن|ليس بامكاني|ليس بوسعي|من غير الممكن|لا استطيع|لا اقوم|مش قادر|ما بقدر|ما اقدر|يتعذر علي|تعذر علي|ليس بمقدوري)"
    r"(?: (?:حاليا|للاسف|ان))*"
)
_AR_SOURCE: Final = (
    r"(?:(?:في|من|ضمن|وفق) )?(?:ال?سياق|ال?نص|ال?فقرة|ال?وثيقة|ال?وثائق|ال?مستندات?|ال?مقالة?|ال?مقطع|ال?مصادر|ال?مصدر|نتائج البحث"
    r"|ال?نتائج|ال?معلومات|ال?بيانات|قاعدة البيانات|ال?مخطط|ال?جداول|ال?جدول|ال?فقرات|قاعدة المعرفة|هذا النص|هذه الوثيقة|هذا السياق)"
    r"(?: (?:المقدمة?|المتاحة?|المعطاة?|المعطى|المتوفرة?|المرفقة?|المذكورة?|اعلاه|المزودة?|التي [\w ]{2,15}|المعطيات))*"
)

ARABIC: Final = Phrases(
    before=r"""
اه|اوه|حسنا|مرحبا|شكرا(?: [^.،!؟]*)?|لا|سؤال جيد|هذا سؤال جيد|همم+
(?:انا |نحن )?(?:جدا )?(?:اسفة?|متاسفة?|اعتذر|نعتذر|نتاسف|ناسف)(?: جدا| حقا| بشدة| كثيرا| عن [^.،!؟]*| على [^.،!؟]*)?|للاسف(?: الشديد)?|عذرا|معذرة|المعذرة|مع الاسف|يؤسفني(?: ان(?:ني)?)?|يؤسفنا|اخشى ان(?:ني)?|ارجو المعذرة|سامحني|العفو|لسوء الحظ
(?:بصفتي|باعتباري|كوني|كنموذج|كمساعد|بوصفي|كوني) [^.،!؟,]*?(?=[،,.]| لا | ليس | لن )
(?:انا )?(?:مجرد |لست |لست سوى )(?:نموذج|مساعد|برنامج|روبوت|ذكاء|طبيبا?|طبيبة|محاميا?|بوت)[^.،!؟,]*?(?=[،,.]| ولا | وليس )
(?:بناء على|استنادا الى|وفقا ل|بحسب|حسب|من خلال) ?[^.،!؟,]{3,50}?(?=[،,]| لا | ليس | لم )
لكن|ولكن|و|لذلك|لذا|ف
""",
    closed=r"""
(?:انا |والله |بصراحة |حقا |فانا )*و?(?:لا|ما|مش) (?:اعرف|اعلم|ادري|بعرف|عارف|ندري|نعرف|نعلم|عندي فكرة)(?: (?:الاجابة|الجواب|ذلك|هذا|حقا|بالضبط|على وجه اليقين|ماذا اقول|كيف اجيب|شيئا عن (?:ذلك|هذا)|عن ذلك شيئا|للاسف|اجابة هذا السؤال|جواب (?:هذا )?السؤال|الاجابة عن (?:هذا السؤال|ذلك)|الاجابة على (?:هذا السؤال|ذلك)|كيف ارد|يا (?:صديقي|اخي|صاحبي)|اي شيء عن (?:هذا|ذلك)))*
(?:ليس|ليست|ما) (?:لدي|عندي|لدينا) (?:اي |ادنى |ايه )?(?:فكرة|جواب|اجابة|علم)(?: (?:عن (?:ذلك|هذا)|على (?:ذلك|هذا|هذا السؤال)|بذلك|لذلك))?|لا (?:فكرة|علم) (?:لدي|لي)(?: ب?(?:ذلك|هذا))?|لا املك (?:اي )?(?:جوابا|اجابة|فكرة)(?: (?:عن|على|ل)\w* ?\w*)?|لا فكرة لدي|اجهل (?:الاجابة|الجواب|ذلك)|معرفش|ماعرفش|مدري|مش عارف|ما عندي فكرة
(?:انا )?(?:لست|غير|مو|مش) (?:متاكدا|متاكدة|واثقا|واثقة|متاكد|متيقنا|متيقن|واثق)(?: (?:من (?:ذلك|هذا|الاجابة|الجواب|انني فهمت[^.،!؟]*|فهم[^.،!؟]*)|تماما|حقا))*
(?:انا )?(?:افضل|اوثر|اود) (?:ان لا|الا|عدم|ال?ا) ?(?:اخمن|اجيب|اقول|التخمين|الاجابة|القول|التكهن|الرد|اتكهن|الحديث|الخوض|التعليق)(?: [^.،!؟]{1,30})?|(?:لا|لن) (?:اريد|ارغب في|اود|احب) ?(?:ان )?(?:التخمين|اخمن|التكهن|اتكهن|تخمين)(?: [^.،!؟]{1,30})?|لن اخمن(?: [^.،!؟]{1,20})?|لا تعليق
(?:هذا |ذلك )?(?:ما |شيء )?لا (?:استطيع|يمكنني) (?:قوله|اخبارك به|البوح به|الجزم|الجزم بذلك|الافصاح عنه|ان اخبرك|اخبارك|الاجابة|القول)(?: (?:بذلك|به|عن ذلك))?
""",
    open=rf"""
{_AR_CANNOT} ?(?:ال|ان |ب|ل|ا)?(?:اجابة|اجيب|رد على|مساعدة|مساعدتك|اساعد|تقديم (?:\w+ ){{0,2}}?(?:نصيحة|نصائح|مشورة|استشار\w+|اجابة|معلومات|مساعدة|المساعدة|رقم|ذلك|هذه|هذا|تشخيص|توصيات|اي)|اقدم|اعطاء (?:نصيحة|نصائح|استشارة|اجابة|معلومات|راي)|توفير|مشاركة (?:هذه|معلومات|تلك|ذلك)|كشف|تلبية|تنفيذ (?:هذا|ذلك|هذه|طلب)|معالجة (?:هذا|ذلك|طلب)|تحديد (?:ذلك|ال|من|ما|متى|اجابة|هذا)|عثور على (?:اجابة|معلومات|اي|هذه|ذكر|الاجابة|ما)|ايجاد (?:اجابة|معلومات|اي|هذه|الاجابة)|استنتاج|انشاء (?:هذا|استعلام|محتوى|مثل)|كتابة (?:هذا|استعلام|مثل)|ترجمة (?:هذا|السؤال)|تحويل (?:هذا|السؤال)|صياغة|تعبير عن|تعليق على|مناقشة|تحدث (?:عن|في) (?:هذا|ذلك|هذه|السياسة)|حديث عن|فهم (?:السؤال|سؤالك|ما|طلبك)|وصول الى (?:الانترنت|معلومات|بيانات|هذه|ال)|تحقق من (?:ذلك|هذه|صحة)|تاكد من ذلك|معرفة (?:ذلك|من|ما|متى|الاجابة)|قيام بذلك|قيام بهذا|فعل ذلك|فعل هذا|فعله|امتثال|استجابة|خوض|ابداء|اكمال هذا|توصية|تشخيص|جزم|افادتك|خدمتك|قول (?:من|ما|متى|ذلك)|صدار|معلومات|اي ذكر|اجابة|ذكر)\w*
(?:(?:انا|نحن|للاسف) )?(?:ليس|ليست|لا|ما|لم|لا تتوفر|لا يتوفر) ?(?:لدي|لدينا|عندي|املك|نملك|امتلك|تتوفر لدي|يتوفر لدي|توجد لدي|يوجد لدي|تتوافر لدي|اجد|نجد|اعثر على|توفر لدي|ارى|بحوزتي)(?: (?:حاليا|اي|ما يكفي من|القدر الكافي من|ال?كثير من|امكانية|حق|القدرة على|صلاحية|ة|في [\w ]{{3,25}}))* ?(?:ال)?(?:معلوم\w+|بيانات|تفاصيل|وصول|معرفة|اراء|راي|مشاعر|اجابة|سياق|ذكرا?|كافية|كاف|صلاحية|ادلة|معتقدات|اشارة|تفضيلات|عواطف|قدرة)\b
(?:لا|ليس|لم|ليست) (?:توجد|يوجد|تتوفر|يتوفر|ترد|يرد|هناك|يذكر|تذكر|يتم ذكر|تتوافر)(?: (?:هنا|اي|هناك|في|ما يكفي من|كافية?))* ?(?:ال)?(?:معلومات|بيانات|ذكر|اجابة|اشارة|السياق|النص|الوثائق|نتائج|جدول|عمود|تفاصيل|هذه المعلومة|الوثيقة|كافية|سياق)\b
{_AR_SOURCE}(?: \w+){{0,4}}? (?:لا|لم|ليس|ليست|غير) (?:(?:ي|ت)(?:حتوي|ذكر|تضمن|حدد|وفر|قدم|جيب|شير|قول|كفي|وجد|تناول|رد|سمح|تطرق|شمل|تيح|وضح|بين|نص|كفى|حتو|عطي|تحدث|جب|تطر)\w*|كافي\w*|فيها?|به|يكفي|يرد|مذكور\w*|موجود\w*|هناك|كاف)\b
(?:لا|ليس من|من غير|من) (?:يمكن|الممكن|ال?مستحيل|يتسنى|سبيل الى)(?: الممكن)?(?: [^.،!؟]{{0,30}})? ?(?:ال|ان |لا|ا)?(?:اجابة|تحديد|معرفة|استنتاج|استخلاص|ترجمة|صياغة|تعبير|جزم|الرد)\b
(?:هذا|هذه|طلبك|سؤالك|الاجابة|السؤال|ذلك|ما تطلبه|هذا الامر)(?: (?:السؤال|الطلب|الموضوع|المعلومة|الامر|المعلومات|المحتوى|عن هذا|امر|شيء))*(?: (?:للاسف|قد|ايضا))? (?:يتجاوز|تتجاوز|خارج|يخرج|يقع خارج|تقع خارج|ليس (?:ضمن|من|شيئا|مما|في|موضوعا)|ليست (?:ضمن|من|في|متاحة|مذكورة|متوفرة)|غير (?:مذكور|متاح|متوفر|معروف|محدد|مسموح|موجود|وارد|واضح من)\w*|لا (?:يمكن|يدخل|يندرج|استطيع|يمكنني|يتوافق|اعرف)|ينتهك|تنتهك|يخالف|تخالف|يتعارض|تتعارض|تم (?:حظر|رفض|حجب)\w*|محظور|ممنوع|فوق (?:قدرت|طاقت)\w+|مجهول\w*)
(?:يجب|علي|يتعين|انا مضطر|مضطر|لا بد|ينبغي|لابد)(?: (?:علي|ان|لي|من|الى|لل?|بادب|انا|اسفا))* ?(?:ارفض|الرفض|الاعتذار عن|رفض|امتنع|اعتذر عن|لرفض|للاعتذار عن|الامتناع)|(?:ارفض|امتنع عن|اعتذر عن) (?:عدم |ال)?(?:الاجابة|اجابة|تقديم|تلبية|هذا|ذلك|مساعدة|القيام|تنفيذ|الرد|امكان)
(?:هذا|هذه|طلبك|محتوى|المحتوى|مثل)(?: \w+){{0,3}}? (?:ينتهك|تنتهك|يخالف|تخالف|يتعارض|تتعارض|مخالف\w*|محظور\w*|غير مسموح\w*|تم (?:حظر|رفض|حجب)\w*)
(?:لم|ما|لا) (?:افهم|فهمت|استوعب|اتمكن من فهم|يتضح لي|اسمع)(?: (?:ما|سؤالك|السؤال|طلبك|قصدك|ذلك|جيدا|عليك|تماما|تقصد)[^.،!؟]*)?<end>
(?:هل )?(?:يمكنك|بامكانك|تستطيع|يرجى|من فضلك|ارجو|الرجاء|هلا|لو سمحت)(?: من فضلك)?(?: (?:ان|منك))? ?(?:ال|ب|ت)?(?:اعادة (?:ال)?(?:صياغة|طرح|المحاولة)|توضيح|توضح|تكرار|تعيد|تحديد|تزويدي|اعد|وضح|عيد|ذكر المزيد|استشارة|مراجعة|المزيد من|كرر|حدد)
(?:احتاج|نحتاج|يلزمني|اود|بحاجة)(?: (?:الى|لل?))? ?(?:ال)?(?:مزيدا?|مزيد من|معلومات (?:اضافية|اكثر)|تفاصيل)
(?:معلومات|بيانات) غير كافية|المعلومات غير كافية|لا معلومات كافية
(?:انا )?لا (?:اقدم|اعطي|اناقش|اعلق على|ابدي|اجيب عن|اتحدث عن|اقوم)\b
(?:لا|ليس) (?:يوجد|هناك|يحتوي|تحتوي) (?:اي )?(?:جدول|عمود|من الجداول)
(?:عليك|يجب ان|من الافضل ان|يفضل ان|ينبغي ان|الافضل ان)(?: ان)? ?(?:تسال|سؤال|استشارة|تستشير|اسال)|(?:اسال|استشر) (?:غيري|طبيب|شخص|احد|صاحب)
""",
    bare=r"""
لا ينطبق|غير منطبق|(?:و)?كيف لي ان اعرف|وما ادراني
غير معروف|مجهول|لا اعرف|لا اعلم|غير متوفر|غير متاح|لا توجد اجابة|لا توجد معلومات|غير محدد|غير مذكور|لا فكرة
""",
    guess=r"""
(?:اعتقد|اظن|ربما|لعل|على الارجح|قد يكون|قد تكون|يبدو ان|اغلب الظن|اخمن ان|اتصور|برايي|في رايي|اغلب ظني|ارجح)
""",
    but=r"""
(?:لكن|غير ان|الا ان|بيد ان|مع ذلك|كيف|اين|متى|لماذا)
""",
    answers=answering_unspaced(
        r"(?:الاجابة|الجواب)(?: الصحيحة?)? (?:هي|هو)",
        "غير|ليس|لا ",
        "صراحة|مباشرة|حرفيا|بالضبط|بدقة|الدقيق",
        "لكن|غير ان|الا ان",
        "لا (?:حاجة|داعي)|لا يلزم|ليست? (?:مطلوبة|ضرورية)",
        r"(?:اجابة|جواب) (?:اخرى|اخر|سوى|غير)",
    ),
)

HINDI: Final = Phrases(
    before=r"""
ओह|अरे|हम्म|नमस्ते|धन्यवाद(?: [^।,!?]*)?|नहीं|जी|अच्छा सवाल(?: है)?|यह अच्छा सवाल है|खैर
(?:मुझे |हमें )?(?:बहुत |इसका |इस बात का )?(?:खेद|अफसोस|दुख)(?: है)?(?: कि)?|(?:मुझे )?(?:क्षमा|माफी|माफ)(?: करें| करे| कीजिए| कीजिएगा| करना| चाहता हूं| चाहती हूं| चाहते हैं| करिए| कर दीजिए)?|सॉरी|दुर्भाग्य से|दुर्भाग्यवश|अफसोस|क्षमा प्रार्थी हूं|माफ करें|बदकिस्मती से|मैं (?:क्षमा|माफी) (?:चाहता|चाहती) हूं|मैं क्षमाप्रार्थी हूं
(?:एक )?(?:एआई|ai|कृत्रिम|भाषा|वर्चुअल|आभासी|डिजिटल|बड़े|बड़ा|सहायक)[^।,!?]*? (?:के रूप में|होने के नाते|के तौर पर|की हैसियत से)
मैं (?:सिर्फ |केवल |बस |तो )?(?:एक )?(?:एआई|ai|कृत्रिम|भाषा मॉडल|वर्चुअल|चैटबॉट|सहायक|मशीन|डॉक्टर|वकील)[^।,!?]*? (?:हूं|नहीं हूं)
(?:दिए गए|उपलब्ध|इस|प्रदान किए गए|दिये गये|दी गई) [^।,!?]{2,40} (?:के आधार पर|के अनुसार)|[^।,!?]{2,25} के आधार पर
लेकिन|और|परंतु|मगर|पर|इसलिए|कि|तो
""",
    closed=r"""
(?:(?:मैं|मै|मुझे|मुझको|हमें|हम|यह|ये|इसका|इस|इसके|इस बारे में|बारे में|इस सवाल का|इस प्रश्न का|इस विषय में|विषय में|उत्तर|जवाब|सही|ठीक से|वास्तव में|सच में|सच कहूं तो|तो|यार|भाई|भी|इस बात का|कुछ|निश्चित रूप से|बिल्कुल|का|इसकी|जानकारी|पक्का|सचमुच|खुद) )*(?:नहीं (?:पता|मालूम|जानता|जानती|जानते|ज्ञात)|पता नहीं|मालूम नहीं|नहीं जानता|ज्ञात नहीं|नही पता|पता नही)(?: (?:है|हैं|हूं|था|चला|यार|भाई|जी|कि क्या (?:कहूं|बोलूं|उत्तर दूं)))*
(?:(?:मुझे|मेरे पास|इसका|इस|बारे में|इस बारे में|कोई|जरा भी|तनिक भी|बिल्कुल|इसकी|मैं|इस बात को लेकर|इसे लेकर|इसके बारे में|लेकर|को|उत्तर|के|पूरी तरह|पूरी तरह से|पूरा|ज्यादा|अभी|सही) )*(?:(?:अंदाजा|अंदाज|आइडिया|विचार|यकीन|पक्का|निश्चित|सुनिश्चित|आश्वस्त|भरोसा|कल्पना) (?:नहीं|नही)|(?:उत्तर|जवाब) (?:नहीं|नही))(?: (?:है|हूं|हैं))?
(?:मैं |इस बारे में |यहां |इस पर |इस विषय में |बिना जानकारी के )*(?:अनुमान|अटकल|अटकलें|अंदाजा|तुक्का) (?:नहीं |न )(?:लगाना|लगाऊंगा|लगाऊंगी|लगाने|लगा|मारना)(?: [^।,!?]{0,25})?|मैं (?:इस पर |इस बारे में )?(?:कुछ )?(?:न|नहीं) (?:कहना|बताना|बोलना) (?:ही )?(?:चाहूंगा|चाहूंगी|पसंद करूंगा|पसंद करूंगी|बेहतर समझूंगा)|कोई टिप्पणी नहीं
""",
    open=r"""
(?![^।,!?]{0,25}? ने )(?!वह |उस|उन)[^।,!?]{0,70}?(?:(?:उत्तर|जवाब|सलाह|जानकारी|परामर्श|सुझाव|सहायता|मदद|सूचना|विवरण|राय|निर्देश|टिप्पणी|चर्चा|अनुरोध|सवाल|प्रश्न|अनुवाद|क्वेरी|पुष्टि|निर्धारित|निर्धारण|निदान|प्रदान|व्यक्त|पूर्ति) )(?:(?:देने|करने|दे|कर|बता|बना|लिख|लगा|पूरा|पूरी|समझ|साझा|प्रदान|का|की|में|उपलब्ध|ढूंढ|खोज|निकाल|बदल|तैयार|लगाने|बताने) ?){0,4} ?(?:नहीं (?:दे |कर |बता |बना |लिख |लगा |ढूंढ |दी |की |दिया |किया |कर पा |दे पा |बता पा |निकाल |समझ )*(?:सकता|सकती|सकते|सकूंगा|सकूंगी|सकेंगे|पाऊंगा|पाऊंगी|पाएंगे|रहा|रही|पाया|पाई|देता|देती|करता|करती|जा सकता|जा सकती|जा सकते)|में असमर्थ|में सक्षम नहीं|में अक्षम|संभव नहीं|से इनकार|से इंकार|मुमकिन नहीं|की अनुमति नहीं|असमर्थ)
(?:(?:मेरे|हमारे) पास|मुझे|यहां|इसमें|हमें)(?: [^।,!?\s]+){0,7}? (?:जानकारी|सूचना|डेटा|आंकड़े|विवरण|पहुंच|एक्सेस|राय|भावनाएं|संदर्भ|ज्ञान|उत्तर|जवाब|जानकारियां|उल्लेख|क्षमता|अधिकार|साधन|भावनाएँ|विचार)(?: [^।,!?\s]+){0,4}? (?:नहीं|नही|मौजूद नहीं|उपलब्ध नहीं)
(?:(?:दिए|दिये|दी|उपलब्ध|इस|प्रदान|खोज|प्रस्तुत|इन|संबंधित|मौजूदा) ?(?:गए|गये|गई|किए गए|किये गए)? ?)?(?:संदर्भ|पाठ|दस्तावेज\S*|अनुच्छेद|गद्यांश|स्रोत\S*|डेटाबेस|स्कीमा|खोज परिणाम\S*|(?:इस|दिए गए|दी गई|उपलब्ध|प्रदान की गई) (?:लेख|जानकारी|डेटा|तालिका\S*|टेबल\S*|सामग्री|अंश|पैराग्राफ))(?: [^।,!?\s]+){0,9}? (?:नहीं|नही|अपर्याप्त|पर्याप्त नहीं)
(?:कोई|पर्याप्त|ऐसी कोई|ऐसा कोई|इतनी|इसका कोई|अपर्याप्त|किसी भी|इसकी कोई)(?: [^।,!?\s]+){0,4}? ?(?:जानकारी|उल्लेख|डेटा|तालिका|टेबल|कॉलम|संदर्भ|उत्तर|परिणाम|विवरण|सूचना|दस्तावेज|स्तंभ)(?: [^।,!?\s]+){0,5}? (?:नहीं|नही)
(?:इस|इसका|यह|ये|आपका|आपके|आपकी|ऐसे|ऐसी|इसे|यहां से|इसके|इससे)(?: [^।,!?\s]+){0,6}? (?:(?:क्षमता|दायरे|सीमा|सीमाओं|विशेषज्ञता|क्षेत्र|विषय|ज्ञान|अधिकार|कार्यक्षेत्र|जानकारी|पहुंच|बस|सामर्थ्य|क्षमताओं) ?(?:के |से |की )?(?:बाहर|परे|में नहीं)|(?:नीति|नीतियों|दिशा-?निर्देशों?|नियमों|सिद्धांतों|शर्तों|दिशानिर्देश\S*) (?:[^।,!?\s]+ ){0,4}?(?:उल्लंघन|खिलाफ|विरुद्ध|के खिलाफ|विपरीत)|(?:उत्तर|जवाब|पता|निर्धारण|अनुवाद|व्यक्त) (?:[^।,!?\s]+ ){0,4}?(?:नहीं|असंभव|संभव नहीं)|अवरुद्ध|ब्लॉक|अस्वीकृत|अनुमति नहीं|असंभव|मेरे बस में नहीं)
(?![^।,!?]{0,25}? ने )(?!वह |उस|उन)(?:[^।,!?\s]+ ){0,7}?(?:अस्वीकार|मना|इनकार|इंकार) (?:करना|करता|करती|करने|कर)(?: (?:होगा|होगी|पड़ेगा|पड़ रहा है|हूं|पड़ेगी|चाहूंगा|पड़ता है|रहा हूं|रही हूं))
(?![^।,!?]{0,25}? ने )(?!वह |उस|उन)(?:[^।,!?\s]+ ){0,5}?(?:समझ नहीं (?:पाया|पाई|आया|आई|सका|सकी|पा|रहा|पाए)|नहीं (?:समझा|समझी|समझ (?:पाया|पाई|सका|सकी|आया|आई)))
(?![^।,!?]{0,25}? ने )(?!वह |उस|उन)(?:[^।,!?\s]+ ){0,6}?(?:दोहराएं|दोहरा सकते|दोहराइए|दोहराएंगे|स्पष्ट (?:करें|कर सकते|कीजिए|करेंगे)|दूसरे शब्दों में|फिर से (?:पूछ|बता|कह|लिख|बोल|कोशिश|प्रयास)\S*|अधिक (?:जानकारी|विवरण) (?:दें|दे सकते|दीजिए|प्रदान|देंगे)|और (?:जानकारी|विवरण) (?:दें|दे सकते|दीजिए|देंगे)|दोबारा (?:पूछ|कह|लिख|बता|बोल)\S*|दोबारा|पुनः)
(?![^।,!?]{0,25}? ने )(?!वह |उस|उन)(?:[^।,!?\s]+ ){0,4}?(?:और|अधिक|अतिरिक्त|ज्यादा) (?:जानकारी|विवरण|संदर्भ)(?: [^।,!?\s]+)? (?:चाहिए|आवश्यकता|जरूरत|आवश्यक|की)
(?![^।,!?]{0,25}? ने )(?!वह |उस|उन)(?:[^।,!?\s]+ ){0,4}?(?:उत्तर|जवाब) देना (?:मेरे लिए |अभी )?(?:संभव नहीं|असंभव|मुश्किल|मुमकिन नहीं)
(?:यह|ये|ऐसा|वह|मैं यह|मैं ऐसा)(?: (?:मैं|तो|काम))? नहीं कर (?:सकता|सकती|सकते|पाऊंगा|पाऊंगी)
(?:किसी (?:और|डॉक्टर|चिकित्सक|विशेषज्ञ|दूसरे|वकील)|डॉक्टर|चिकित्सक|आप किसी|अपने डॉक्टर)(?: [^।,!?\s]+)? ?(?:से|को) (?:पूछ|सलाह|परामर्श|संपर्क|मिल)\S*
""",
    bare=r"""
लागू नहीं|मुझे (?:क्या|कैसे) पता
अज्ञात|पता नहीं|मालूम नहीं|उपलब्ध नहीं|कोई उत्तर नहीं|कोई जवाब नहीं|जानकारी नहीं|ज्ञात नहीं|नहीं पता
""",
    guess=r"""
(?:शायद|मुझे लगता है|मेरे विचार से|मेरे ख्याल से|संभवतः|हो सकता है|मेरा अनुमान|अनुमानतः|मेरी राय में|संभवत)
""",
    but=r"""
(?:लेकिन|परंतु|किंतु|हालांकि|मगर)
""",
    words=False,
    answers=answering_unspaced(
        "(?:उत्तर|जवाब)(?: है)?(?: ?:| यह है| होगा)",
        "नहीं|अज्ञात",
        "सीधे|स्पष्ट रूप से|ठीक-ठीक|सटीक",
        "लेकिन|परंतु|मगर|पर ",
        "(?:जानकारी|सूचना)(?: की)? (?:आवश्यक नहीं|(?:ज़रूरत|जरूरत|आवश्यकता) नहीं)",
        "(?:के अलावा|के सिवा|अन्य|दूसरा) (?:कोई )?(?:उत्तर|जवाब)?",
    ),
)

PHRASES: Final = {"tr": TURKISH, "ar": ARABIC, "hi": HINDI}

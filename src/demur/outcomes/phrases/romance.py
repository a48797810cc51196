"""How a system declines in French, Spanish, Italian and Portuguese."""

# An alternative is one line, however long, in letters that look like ours at times:
# ruff: noqa: E501

from typing import Final

from demur.outcomes.phrases import Phrases, answering

_FR_CANNOT: Final = (
    "(?:je|nous|on) (?:ne |n')?(?:(?:vous|te|y|le|la|lui|leur|t'|l') ?)*"
    "(?:peux|pouvons|peut|puis|saurais|saurait|pourrai|pourrais|pouvais|suis pas en mesure"
    "|suis pas capable|suis pas autorise|suis pas habilite|suis pas qualifie"
    "|suis malheureusement pas en mesure|suis pas apte|souhaite|veux|voudrais)"
    "(?: (?:malheureusement|helas|vraiment|donc))*(?: (?:pas|e pas|e))?"
    "(?: (?:de|d'|a))? ?(?:(?:vous|te|y|le|la|lui|t'|l') ?)*"
)
_FR_SOURCE: Final = (
    "(?:(?:d'apres|dans|selon) )?(?:le|la|les|ce|cet|cette|ces|votre|aucun|aucune|l') ?"
    "(?:contexte|texte|passage|documents?|article|paragraphe|sources?"
    "|resultats(?: de recherche)?|extrait|informations?|donnees|base de donnees"
    "|base de connaissances|schema|tables?|documentation|resultats de la recherche)"
    "(?: (?:fournie?s?|donnee?s?|disponibles?|ci-dessus|de recherche|trouvee?s?|de la base|fourni))*"
)

FRENCH: Final = Phrases(
    before=r"""
oh|hm+|euh|ah|ben|bah|eh bien|bonjour|merci(?: [^.,!?]*)?|non|bonne question|c'est une bonne question
(?:je suis |nous sommes )?(?:vraiment |sincerement |bien |tres )?desolee?s?(?: mais)?|malheureusement|helas|pardon|excusez-moi|excuse-moi|toutes mes excuses|mes excuses|je m'excuse|je regrette|navree?|je suis navree?|je crains(?: que| de)?|j'ai bien peur(?: que| de)?|pardonnez-moi|veuillez m'excuser
en tant qu[e'] ?(?:ia|intelligence|modele|assistant|un|une|agent|chatbot)[^.,!?]*
je (?:ne )?suis (?:qu'|seulement |juste |simplement )?(?:une? )?(?:ia|intelligence artificielle|modele|assistant|chatbot|robot|pas medecin|pas un medecin|pas avocat|pas docteur)[^.,!?]*
(?:d'apres|selon|sur la base d[eu]|a partir d[eu]|compte tenu d[eu]) [^.,!?]{3,50},
mais|et|donc|que|alors
""",
    closed=r"""
(?:ca,? |cela,? )?(?:moi )?(?:je |j'|chais |j )(?:(?:en|n'en|ne|n'|le|l') ?)*(?:sais|sai|ignore) ?(?:(?:vraiment|malheureusement|absolument|helas|franchement|meme) )*(?:pas(?: du tout| vraiment)?|rien|fichtre rien)?(?: (?:du tout|trop|la reponse|non plus|la reponse a cette question|ce que c'est|quoi (?:dire|repondre)|repondre(?: a (?:cela|ca|cette question))?))*
(?:je ne |je |on ne )connais pas (?:malheureusement )?la (?:bonne )?reponse(?: a (?:cela|cette question))?|j'ignore (?:la reponse|cela|tout de cela)(?: a cette question)?|la reponse m'est inconnue|je n'en sais (?:rien|pas plus)|je ne saurais (?:le |vous le |vous )?(?:dire|repondre)|j'en sais rien|chais pas|j'sais pas
(?:je )?(?:n'|n)?ai (?:(?:vraiment|malheureusement|absolument) )?(?:aucune|pas la moindre|pas d') ?(?:idee|reponse)(?: (?:a ce sujet|la-dessus|du tout|a (?:cette question|cela)|sur la question))?|j'ai pas d'idee|je n'ai (?:malheureusement )?(?:aucune|pas d'|pas la|pas de) ?(?:idee|reponse)(?: [^.,!?]{1,25})?
je (?:ne )?suis pas (?:(?:tout a fait|vraiment|tres|entierement|completement) )?(?:sure?|certaine?)(?: (?:de (?:la reponse|moi|cela|comprendre|bien comprendre|vous comprendre)|d'avoir (?:bien )?compris)(?: [^.,!?]*)?)?|je (?:n'en )?suis pas sure?
je (?:ne )?(?:prefere(?:rais)?|peux|veux|souhaite|voudrais|vais) (?:pas |ne pas |malheureusement pas )(?:le |vous le |te le |me |en |y |deviner|speculer)*(?:dire|deviner|speculer|repondre|parler|prononcer|avancer|hasarder|risquer|affirmer)(?: [^.,!?]{1,30})?
je (?:passe|donne ma langue au chat|seche)|sans commentaire|pas de commentaire|impossible de (?:repondre|le dire|le savoir)|mes levres sont scellees
""",
    open=rf"""
{_FR_CANNOT}(?:aider|assister|repondre|fournir|donner|proposer|partager|communiquer|reveler|divulguer|accomplir|satisfaire|traiter|realiser|executer|effectuer|determiner|trouver|deduire|dire avec|dire si|dire qui|generer|creer|produire|ecrire (?:de|une|cette|ce)|rediger|traduire|formuler|exprimer|convertir|discuter|commenter|acceder|donner suite|conseiller|comprendre|verifier|confirmer|faire (?:cela|ca)|poser|porter|remplacer|identifier|etablir|me prononcer|prendre)\b(?!.{{0,20}}(?:mon compte|ma carte|mon mot))
(?:je|nous|j') ?(?:ne |n')?(?:dispose|disposons|ai|avons|possede|trouve|trouvons|vois) (?:(?:malheureusement|actuellement|pas|helas) )*(?:pas|aucune?|rien|e pas)(?: (?:trouve|suffisamment|assez|acces|la|les|le|de|d'|des|pu|en))*(?: ?(?:d'|de |l'|la |les ))?(?:informations?|infos?|donnees|details?|elements?|acces|contexte|connaissances?|avis|opinions?|sentiments?|emotions|reponse|capacite|preferences|mention|renseignements?|indications?|trouver|trouve)\b
(?:je|nous) (?:n'ai|n'avons|ai) (?:malheureusement )?(?:pas (?:trouve|pu|acces|(?:bien )?compris|saisi)|rien trouve|aucune? (?:information|donnee|acces|renseignement|element|mention|connaissance|avis|opinion)s?)
(?:je )?(?:ne |n')?(?:dispose|manque) (?:pas )?(?:de suffisamment |d'assez |d')?(?:d'|des |de )?(?:informations?|donnees|elements|contexte)
je ne comprends pas (?:bien |tout a fait )?(?:votre|ta|la|cette) (?:question|demande|requete)
{_FR_SOURCE}(?: [\w'-]+){{0,3}}? (?:ne |n')\s?(?:(?:me|nous|vous|permet|y) )?(?:contient|contiennent|mentionne|mentionnent|precise|precisent|indique|indiquent|fournit|fournissent|donne|donnent|dit|disent|parle|parlent|permet|permettent|repond|repondent|comporte|comportent|figure|figurent|evoque|aborde|est|sont|suffit|suffisent|specifie|couvre|inclut|prend|y)\b
(?:il n'y a|il n'existe|y a|on ne trouve|il n'est|je ne vois|rien dans|aucune?|pas assez|pas suffisamment|trop peu)(?: (?:pas|aucune?|rien|assez|suffisamment|trace|de|d'|fait|table|des|n'est|colonne|resultat|mention|dans))*(?: ?(?:d'|de |des |dans ))?(?: ?(?:informations?|mention|donnees|reponse|elements?|contexte|document|indications?|details?|le texte|le contexte|les documents|table|colonne|resultat))\b(?! personnel)
(?:il (?:m'|nous )?(?:est|serait)(?: malheureusement)? |c'est |cela est )?(?:impossible|pas possible)(?: pour moi)? (?:de|d') ?(?:y )?(?:repondre|determiner|dire|savoir|deduire|donner|traduire|fournir|etablir|formuler|exprimer)
il (?:ne |n')(?:m')?est (?:malheureusement )?pas possible (?:de|d')
(?:la|cette|votre|ta|l') ?(?:question|demande|requete|information|reponse)(?: [\w'-]+){{0,4}}? (?:ne |n'|sort|depasse|est (?:inconnue|impossible|hors|en dehors|contraire)|a ete (?:bloquee|filtree|signalee)|enfreint|viole|releve pas)
(?:cela|ceci|ca|ce|c'est|celle-ci|ce sujet|cette question|votre question|votre demande)(?: ne)?(?: (?:malheureusement|n'est pas|est|se situe|sort))* ?(?:depasse|hors de|hors du|en dehors|au-dela|sort (?:de|du)|pas (?:quelque chose que je|dans mes|de mon|de mes|un sujet)|releve pas de|fait pas partie|quelque chose que je ne|mentionne (?:pas|nulle)|precise (?:pas|nulle)|indique (?:pas|nulle)|pas (?:precise|mentionne|indique)e? (?:dans|par))
(?:je|nous) (?:dois|devons|suis (?:oblige|contraint|dans l'obligation)e? (?:de|d')|me vois (?:contraint|oblige)e? (?:de|d')) ?(?:malheureusement )?(?:decliner|refuser|m'abstenir|rejeter|passer|vous dire non)|je (?:decline|refuse de (?:repondre|donner|fournir|faire)|m'abstiens|m'y refuse|suis (?:dans l'incapacite|incapable) de)
(?:ce|cet|cette|ces|votre|le|la|cela|une telle)(?: [\w'-]+){{0,3}} (?:est|sont|va|enfreint|viole|violent|contrevient|contreviennent|a ete|peut|pourrait|risque)(?: [\w']+)? ?(?:contraires?|a l'encontre|enfreindre|nos|notre|les|bloquee?|signalee?|filtree?|pas (?:autorise|permis)e?|mes|aux|la|a) ?(?:(?:de|aux?|a|nos|notre|mes|les|la) )*(?:politiques?|regles|directives|conditions|consignes|principes|charte|filtre|raison)?\b
(?:pourriez|pouvez|pourrais|peux|voulez)-(?:vous|tu) (?:s'il (?:vous|te) plait )?(?:reformuler|repeter|preciser|clarifier|me (?:donner|dire|preciser)|etre plus|fournir)
(?:veuillez|merci de) (?:reformuler|preciser|repeter|fournir|consulter|clarifier)|consultez (?:un|votre)
(?:j'ai besoin|j'aurais besoin|il me faut|il me faudrait|il me manque|il manque) (?:d'|de |des |plus |davantage )*(?:informations?|precisions|details|contexte|plus|elements)
je ne (?:donne|fournis|discute|parle|traite|prends|reponds|dis|formule) (?:pas|aucun|pas a|jamais)\b
(?:il (?:vous )?faut|il (?:vous )?faudrait|il vaut mieux|vous devriez|vous devrez|adressez-vous|demandez) (?:plutot )?(?:le )?(?:demander|consulter|vous adresser|interroger|a (?:quelqu'un|un|votre|l'))
""",
    bare=r"""
je l'ignore|sans objet|s\.?o\.?|non applicable|ne s'applique pas|comment (?:le saurais-je|voulez-vous que je le sache)
aucune idee|pas la moindre idee|inconnue?|sans reponse|non (?:precise|disponible|specifie|renseigne)e?|nsp|n\.?c\.?|je sais pas|pas (?:de reponse|d'idee)
""",
    guess=r"""
\b(?:je (?:pense|crois|dirais|suppose|parierais|presume)|peut-etre|probablement|sans doute|il me semble|a mon avis|vraisemblablement|c'est surement)\b
""",
    but=r"""
\b(?:mais|cependant|toutefois|pourtant|comment|ou|quand|pourquoi|qui)\b
""",
    answers=answering(
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
)

_ES_CANNOT: Final = (
    "(?:yo )?(?:(?:no|tampoco) (?:(?:te|le|les|os|lo|la|se|me) )*(?:puedo|podemos|podria|pude"
    "|podre|logro|consigo|logre|es posible|me es posible|resulta posible|soy capaz de"
    "|estoy (?:en condiciones de|autorizad[oa] (?:a|para)|capacitad[oa] para"
    "|cualificad[oa] para|en posicion de|programad[oa] para)|tengo permitido|quiero|quisiera"
    "|voy a|deseo|debo)|me (?:es|resulta) imposible|soy incapaz de|es imposible)"
    "(?: (?:ahora|lamentablemente|realmente))?"
)
_ES_SOURCE: Final = (
    "(?:(?:en|segun) )?(?:el|la|los|las|este|esta|estos|su|tu|ningun|ninguna) "
    "(?:contexto|texto|pasaje|documentos?|articulo|parrafo|fuentes?|fragmento"
    "|resultados(?: de (?:la )?busqueda)?|informacion|datos|base de datos|esquema"
    "|tablas?|documentacion|base de conocimientos?)"
    "(?: (?:proporcionad[oa]s?|dad[oa]s?|disponibles?|facilitad[oa]s?|suministrad[oa]s?|anterior|de busqueda|encontrad[oa]s?))*"
)

SPANISH: Final = Phrases(
    before=r"""
oh|hm+|eh|ah|ay|bueno|pues|vaya|hola|gracias(?: [^.,!?]*)?|no|buena pregunta|es una buena pregunta
(?:lo )?(?:siento|lamento|sentimos)(?: mucho| muchisimo)?(?: (?:no poder|informarle?|decirle?))?|(?:le |te )?(?:pido )?(?:mil )?(?:disculpas|disculpa|disculpe|perdon|perdona|perdone)(?:me)?|lamentablemente|desafortunadamente|desgraciadamente|por desgracia|me temo(?: que)?|una pena
como (?:ia|inteligencia|modelo|asistente|un|una|soy)[^.,!?]*?(?=,| no )
(?:solo |yo )?(?:no )?soy (?:solo |solamente |simplemente )?(?:una? )?(?:ia|inteligencia artificial|modelo|asistente|chatbot|bot|medic[oa]|doctor|abogad[oa])[^.,!?]*?(?=,| y |[.!?])
(?:segun|con base en|basandome en|a partir de|de acuerdo con|en base a|con) [^.,!?]{3,50},
pero|y|que|asi que|entonces
""",
    closed=r"""
(?:eso |la verdad(?: es que)? |pues |yo )*no (?:lo |la |se lo |te lo )?(?:se|sabria|sabemos)(?: (?:decir(?:te|le|lo|selo|telo)?|responder(?:te|le)?|la respuesta|eso|con (?:certeza|seguridad)|muy bien|bien|exactamente|que (?:decir|responder)(?:te|le)?|a que te refieres|contestar(?:te|le)?|nada(?: (?:de|sobre) eso)?|tampoco|tio|a ciencia cierta))*
(?:yo )?no (?:conozco|tengo) (?:la )?respuesta(?: (?:a (?:eso|esa pregunta|esta pregunta)|para eso))?|desconozco (?:la respuesta|eso|ese dato|esa informacion)(?: a (?:esa|esta) pregunta)?|lo (?:desconozco|ignoro)|ignoro la respuesta
(?:yo )?no (?:tengo|tenemos) (?:(?:ni|la menor|la mas minima|ninguna|mucha|absolutamente|puta) )*idea(?: (?:de eso|sobre eso|al respecto))?|ni idea(?: tio)?
no (?:estoy|me siento) (?:(?:muy|del todo|completamente|totalmente|seguro|tan) )*segur[oa](?: (?:de (?:eso|la respuesta|ello|haber(?:te|le|lo)? (?:entendido|comprendido)[^.,!?]*|entender(?:te|lo|le)?[^.,!?]*)))?
(?:yo )?(?:prefiero|prefiriria|preferiria|quisiera) no (?:decir(?:lo)?|adivinar|especular|responder|opinar|hablar|arriesgar(?:me)?|aventurar(?:me)?|hacer (?:conjeturas|suposiciones))(?: [^.,!?]{1,30})?|no (?:quiero|voy a|puedo|deseo) (?:adivinar|especular|hacer (?:conjeturas|suposiciones))(?: [^.,!?]{1,30})?
(?:eso )?no (?:te |se |le )?lo puedo decir|no puedo decir(?:lo|telo|selo|te|le)?(?: (?:eso|con (?:certeza|seguridad)))?|eso no (?:puedo|lo puedo|sabria) (?:decir\w*|responder\w*)|sin comentarios|paso|me rindo
""",
    open=rf"""
{_ES_CANNOT} (?:ayudar|asistir|responder|contestar|proporcionar|dar(?:te|le|les|os)?\b (?:una?|esa|ese|esta|este|mas|la|el|consejos?|asesor|informacion|detalles|recomendac|instrucc|respuesta|ningun|medic|asesor)|ofrecer|compartir|revelar|facilitar|cumplir|atender|procesar|realizar|ejecutar|completar|determinar|encontrar (?:la|esa|esta|una|informacion|ningun|esa|nada)|deducir|inferir|generar|crear (?:ese|esa|este|esta|contenido|una consulta)|producir|escribir (?:eso|una consulta|ese|esa)|redactar|traducir|formular|expresar|convertir|comentar|hablar (?:de|sobre) (?:eso|ese|esto|este|politica)|discutir|acceder (?:a (?:internet|esa|datos|informacion|la web))|aconsejar|recomendar|entender (?:tu|su|la|esa) |comprender (?:tu|su|la|esa)|verificar (?:esa|esto|eso)|confirmar (?:esa|esto|eso)|hacer (?:eso|esto)|hacerlo|diagnosticar|saber(?:lo)? |establecer|opinar|satisfacer|participar)\w*
(?:yo )?no (?:tengo|tenemos|dispongo|disponemos|cuento|contamos|poseo|encuentro|encontre|hallo|veo|he encontrado|hemos encontrado|he podido encontrar) (?:(?:con|de|actualmente|suficientes?|bastante|la|el|ningun|ninguna|mas|mucha) )*(?:informacion|datos|detalles|acceso|contexto|conocimientos?|opinion(?:es)?|sentimientos|emociones|respuesta|mencion|elementos|capacidad|preferencias|(?:forma|manera|modo) de saber(?:lo)?)\b
(?:me|nos) (?:falta|faltan) (?:(?:mas|la|los|suficiente) )*(?:informacion|datos|detalles|contexto)|carezco de (?:la |los )?(?:informacion|datos|suficiente|acceso|opinion)
no (?:entiendo|entendi|comprendo|comprendi|he entendido|he comprendido|capte|te entendi|le entendi|te he entendido)(?: (?:muy|bien|del todo|la|tu|su|esa|lo que))* ?(?:pregunta|consulta|solicitud|dices|quieres decir|dijiste|bien|peticion|mensaje|<end>)
{_ES_SOURCE}(?: [\w-]+){{0,4}}? no (?:se )?(?:(?:me|lo|nos|la) )?(?:contienen?|mencionan?|especifican?|indican?|proporcionan?|dan?|dicen?|hablan?|permiten?|responden?|incluyen?|aparecen?|abordan?|son|es|hay|bastan?|precisan?|menciona|ofrecen?|figuran?|encuentra|hace|tiene[n]?|cubren?|describe[n]?|contesta)\b
(?:no hay|no existe|no existen|no se (?:menciona|especifica|indica|dice|encontro|encontraron|encuentra|han encontrado|ha encontrado|proporciona|aporta|puede|me ha)|no aparece|nada en|falta|insuficiente|no se)(?: [\w]+){{0,3}}? ?(?:informacion|datos|mencion|respuesta|resultados|contexto|texto|documento|tabla|columna|responder|determinar|saber|saberlo|contestar|pasaje|detalles|deducir|expresar|inferir)\b
(?:la|esta|esa|tu|su) (?:pregunta|solicitud|consulta|peticion|informacion|respuesta)(?: [\w]+){{0,4}}? (?:no (?:se|puede|es|esta|figura|aparece|tiene)|esta (?:fuera|mas alla)|queda fuera|excede|supera|infringe|viola|incumple|ha sido|fue (?:bloquead|filtrad)|sobrepasa|va (?:mas alla|en contra))
(?:eso|esto|ello|ese tema|este tema|lo que (?:pides|pide|preguntas))(?: (?:ya|se))? (?:esta fuera|queda fuera|esta mas alla|va mas alla|excede|supera|sobrepasa|escapa|sale|no es (?:algo que|mi|un tema|de mi)|es algo que no|no (?:entra|esta dentro|forma parte|figura|aparece|se menciona|esta en|corresponde|me corresponde)|infringe|viola|va contra|va en contra|incumple)
(?:yo )?(?:debo|tengo que|debemos|me veo (?:obligad[oa] a|en la obligacion de)|he de|tendre que) (?:rechazar|declinar|negarme|abstenerme|denegar|rehusar|decir que no)|(?:me niego|rechazo|declino|me abstengo)(?: (?:a|de|esta|esa|tu|su|responder)\b|<end>)
(?:este|esta|ese|esa|el|la|su|tu|dicho|lo que)(?: [\w]+){{0,3}} (?:infringe|viola|incumple|va en contra|contraviene|es contrari[oa]|podria (?:infringir|violar)|fue (?:bloquead|marcad|filtrad)|ha sido (?:bloquead|marcad|filtrad|rechazad)|no (?:esta permitid|cumple))
(?:podrias|puedes|podria|puede|me puedes|me podrias)(?: por favor)?,? (?:reformular|repetir|aclarar|precisar|especificar|darme mas|decirme (?:mas|a que)|ser mas|proporcionar|indicar(?:me)?|explicar)|(?:por favor,? )?(?:reformul[ae]|repit[ae]|aclar[ae]|especifi(?:ca|que)|precis[ae]) (?:tu|su|la|mas|a|que|cual|de)
(?:necesito|necesitaria|me haria falta|hace falta|haria falta) (?:(?:un poco|mas|alguna|algunos|otros|conocer) )*(?:informacion|datos|detalles|contexto)|(?:consulte?|consulta) (?:a|con) (?:un|su|tu)
no (?:doy|ofrezco|proporciono|brindo|discuto|opino|respondo|hablo|facilito) (?:(?:a|de|sobre|ese tipo de) )*(?:consejos?|asesoramiento|opiniones|politica|preguntas|informacion|recomendaciones|eso|temas)
(?:ningun|ninguna) (?:de las )?(?:tablas?|columnas?)[^.!?]* (?:contiene|tiene|coincide|corresponde|guarda)
(?:tendra|tendras|debera|deberas|habra|tiene|tienes) que (?:preguntar|consultar|hablar)\w*|pregunt[ae]\w* (?:mejor )?a (?:otro|otra|alguien|un|su|tu)
""",
    bare=r"""
no aplica(?:ble)?|no procede|(?:y )?(?:yo )?(?:como|que) (?:voy a|quieres que) (?:saberlo|saber yo|lo sepa)|ignoro
ni idea|ninguna idea|desconocid[oa]|sin respuesta|no (?:especificado|disponible|consta|aplica|se sabe)|n/?d|n/?s|ns/?nc
""",
    guess=r"""
\b(?:creo que|pienso que|diria que|supongo|quizas?|tal vez|probablemente|posiblemente|seguramente|a lo mejor|me parece que|sospecho|apostaria)\b
""",
    but=r"""
\b(?:pero|sin embargo|aunque|como|donde|cuando|por que|quien|cual|si)\b
""",
    answers=answering(
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
)

_IT_CANNOT: Final = (
    "(?:io )?(?:non (?:(?:le|ti|vi|lo|la|ci|mi|ve|te|glielo) )*(?:posso|possiamo|potrei|riesco a"
    "|sono (?:in grado di|in condizione di|autorizzat[oa] a|abilitat[oa] a"
    "|qualificat[oa] per|capace di)|sono riuscit[oa] a|e possibile|mi e possibile|saprei"
    "|voglio|vorrei|intendo|desidero|ho potuto)|(?:mi )?e impossibile|sono incapace di"
    "|sono impossibilitat[oa] a)(?: (?:purtroppo|proprio|quindi|pero))?"
)
_IT_SOURCE: Final = (
    "(?:(?:nel|nella|nei|nelle|dal|dalla|secondo|in base al) )?(?:(?:il|lo|la|i|gli|le|questo|questa|nessuna?|l') ?)?"
    "(?:contesto|testo|passaggio|passo|brano|documenti?|articolo|paragrafo|fonti|fonte"
    "|risultati(?: (?:di|della) ricerca)?|informazioni|dati|database|schema|tabell[ae]"
    "|estratto|documentazione|base di (?:dati|conoscenza))"
    "(?: (?:fornit[oaie]|dat[oaie]|disponibil[ei]|indicat[oaie]|di ricerca|trovat[oaie]|qui sopra|a disposizione))*"
)

ITALIAN: Final = Phrases(
    before=r"""
oh|hm+|eh|ah|mah|boh|beh|be'|ciao|grazie(?: [^.,!?]*)?|no|bella domanda|e una bella domanda|buona domanda
(?:mi )?(?:dispiace|spiace)(?: (?:molto|davvero|tanto))?|(?:mi )?scus[ai](?:mi|temi|te)?(?: tanto)?|purtroppo|sfortunatamente|spiacente|sono (?:davvero |molto )?spiacente|(?:chiedo |le chiedo |ti chiedo )scusa|temo (?:di|che)|ho paura (?:di|che)|perdon[aio](?:mi|temi|te)?|mi rincresce|sono desolat[oa]|le mie scuse|sono mortificat[oa]
(?:come|in quanto|essendo) (?:ia|ai|intelligenza|modello|assistente|un|una)[^.,!?]*?(?=,| non )
(?:sono|non sono) (?:solo |soltanto |semplicemente )?(?:un |una |un')?(?:ia|intelligenza artificiale|modello|assistente|chatbot|bot|medico|dottore|avvocato)[^.,!?]*?(?=,| e |[.!?])
(?:secondo|in base a[li]?|sulla base d[ie]l?|stando a[li]?) [^.,!?]{3,50}?(?=,| non )
ma|e|quindi|che|pero
""",
    closed=r"""
(?:questo |cio |proprio |io )*(?:non|nun) (?:(?:lo|ne|te lo|glielo|ve lo|saprei) ?)*(?:so|saprei|sappiamo)?(?: (?:dire|dirti|dirle|dirlo|dirtelo|dirglielo|rispondere|risponderti|risponderle|la risposta|proprio|davvero|niente|nulla|con (?:certezza|sicurezza)|cosa (?:dire|rispondere)|bene|esattamente|nemmeno io|che dire|di (?:questo|cio)|in merito|al riguardo|purtroppo))*
(?:io )?non (?:conosco|ho|so) (?:purtroppo )?(?:la |una )?risposta(?: a (?:questa domanda|questo|cio))?|ignoro la risposta|la risposta (?:non la (?:so|conosco)|mi e (?:ignota|sconosciuta))|lo ignoro|non (?:ne )?ho (?:(?:la minima|la piu pallida|proprio|alcuna|nessuna|davvero) )*idea(?: (?:in merito|al riguardo))?|boh
non (?:ne )?sono (?:(?:molto|del tutto|proprio|affatto|completamente|tanto|cosi) )*(?:sicur[oa]|cert[oa])(?: (?:di (?:questo|cio|aver(?:e)? (?:capito|compreso)[^.,!?]*|capire[^.,!?]*)|della risposta))?
(?:io )?(?:preferisco|preferirei|vorrei) (?:non |evitare di )(?:dir(?:lo|e)|indovinare|speculare|rispondere|esprimermi|parlarne|tirare a indovinare|fare (?:ipotesi|supposizioni|congetture)|azzardare)(?: [^.,!?]{1,30})?|non (?:voglio|intendo|vorrei|posso) (?:tirare a indovinare|indovinare|speculare|fare (?:ipotesi|supposizioni|congetture)|azzardare)(?: [^.,!?]{1,30})?|non (?:tiro|vorrei tirare) a indovinare
(?:questo |cio )?non (?:lo |te lo |glielo |ve lo |ti |le )*posso dir(?:e|lo|ti|le|telo|glielo)?|non posso (?:dirlo|dirtelo|dirglielo|dirti|saperlo)|nessun commento|passo
""",
    open=rf"""
{_IT_CANNOT} (?:(?:ne )?aiutar|assister|risponder|fornir|dar(?:e|ti|le|vi)\b (?:un|una|consigl|consulenz|informazion|questa|quest|quell|piu|la|pareri|consulenza|istruzion|rispost|alcun)|offrir|condivider|rivelar|divulgar|soddisfar|esaudir|elabora(?:re|rla)|evader|eseguir|completar|determinar|trovar(?:e|la) ?(?:la|informaz|una|quest|alcun|rispost|nulla)?|dedurr|desumer|ricavar|generar|crear(?:e) (?:quest|quell|contenut|una query)|produrr|scriver(?:e) (?:quest|quell|una query)|rediger|tradurr|formular|esprimer|convertir|commentar|parlar(?:e|ne) ?(?:di (?:quest|quell|politica))?|discuter|acceder(?:e) a (?:internet|dati|quest|informaz)|consigliar|raccomandar|capir(?:e) (?:la|quest|cosa)|comprender(?:e) (?:la|quest|cosa)|verificar(?:e) (?:quest|tale)|confermar(?:e) (?:quest|tale)|far(?:e) (?:quest|quell|cio)|farlo|stabilir|saper(?:e|lo)|dir(?:e|ti|le) con|dire (?:chi|quando|quale|se)|sostituir|accoglier|procedere|pronunciarmi)\w*
(?:io )?non (?:ho|abbiamo|dispongo|disponiamo|possiedo|trovo|vedo|ho trovato|abbiamo trovato|ci sono|c'e) (?:(?:di|a|purtroppo|attualmente|abbastanza|sufficienti|sufficiente|alcuna?|alcun|nessuna?|nessun|la|le|il|piu|delle|dei|trovato|opinioni|personali) ?)*(?:informazion[ei]|dati|dettagli|accesso|contesto|conoscenz[ae]|opinion[ei]|sentimenti|emozioni|elementi|risposta|menzione|capacita|preferenze|riferiment[oi]|modo di saper\w*|notizie|riscontr[oi]|traccia|indicazion[ei]|tabell[ae]|colonn[ae])\b
(?:mi|ci) (?:mancano|manca|servono|serve|servirebbero|occorrono)(?: \w+){{0,3}}? (?:informazion[ei]|dati|dettagli|contesto|elementi)
non (?:ho|avevo) (?:ben |bene )?(?:capito|compreso|afferrato)(?: (?:bene|la domanda|cosa|la (?:sua|tua)|quello che|che cosa)[^.,!?]*)?|non (?:capisco|comprendo) (?:bene )?(?:la (?:sua |tua )?(?:domanda|richiesta)|cosa (?:intend|vuo|vuol|chied))
{_IT_SOURCE}(?: [\w'-]+){{0,3}}? non (?:(?:mi|ci|lo|la|ne|si|vi|viene|vengono|permette di|e) )?(?:contien\w*|contengono|menzionan?o?|menziona|specifica|specificano|indica|indicano|fornisce|forniscono|dice|dicono|parla|permette|permettono|risponde|rispondono|include|compare|compaiono|riporta|riportano|basta|bastano|precisa|offre|figura|cita|citano|consente|consentono|tratta|sono|ha|fa|riportat[oa]|menzionat[oa]|specificat[oa]|indicat[oa]|c'e|trova|trovano|copre|sufficienti?)\b
(?:nessuna?|non ci sono|non c'e|non si|non e|non viene|manca|mancano|insufficienti)(?: \w+){{0,3}}? ?(?:informazion[ei]|menzione|risposta|risultat[oi]|tabell[ae]|colonn[ae]|contesto|testo|possibile (?:risponder|determinar|stabilir|dir|saper|ricavar|dedurr|tradur)\w*|menzionat[oa]|specificat[oa]|indicat[oa]|riportat[oa]|documenti|risponde|puo (?:rispondere|determinare|stabilire|dedurre|sapere)|riferiment[oi])\b
(?:la|questa|tale|l'|a questa|alla) ?(?:sua |tua |vostra )?(?:domanda|richiesta|informazione|risposta|query)(?: [\w]+){{0,3}}? (?:non (?:si|puo|e|rientra|ha|compare|figura|riguarda|viene|trova|posso)|esula|va oltre|supera|viola|e (?:fuori|al di fuori|stata (?:bloccata|filtrata)|contraria|sconosciuta)|infrange)
(?:questo|cio|quest'argomento|questo argomento|quello che (?:chiedi|chiede)|e)(?: (?:qui|purtroppo))? (?:e una cosa che non|va oltre|esula|e (?:al di (?:fuori|la)|fuori|oltre|qualcosa che non|una cosa che non)|supera|non (?:e (?:qualcosa che|di mia|nelle mie|il mio|una cosa|di mia competenza)|rientra|fa parte|compare|viene menzionato|e menzionato|e specificato|e indicato|e riportato)|fuori dalle|al di fuori|viola)
(?:io )?(?:devo|dobbiamo|sono costrett[oa] a|sono obbligat[oa] a|mi vedo costrett[oa] a|mi tocca) (?:purtroppo )?(?:declinare|rifiutar\w*|respingere|astenermi|passare|dire di no)|(?:mi rifiuto|declino|mi astengo|rifiuto)(?: (?:di|la|questa|dal|rispond)\w*|<end>)
(?:questo|questa|quest[aeio]|il|la|i|tale|ci[o])(?: \w+){{0,3}} (?:viola|violano|infrange|contravviene|va contro|e contrari[oa]|potrebbe violare|e stat[oa] (?:bloccat|segnalat|filtrat)|non (?:e consentit|e permess|rispetta))
(?:potresti|puoi|potrebbe|puo|mi puo)(?: per favore| gentilmente)?,? (?:riformular|ripeter|chiarir|precisar|specificar|darmi (?:piu|maggiori)|dirmi (?:di piu|a quale)|essere piu|fornir\w+|spiegar)|(?:per favore,? |prego,? |la prego di )?(?:riformul[ai]|ripet[ai]|ripete(?:re|te)|precis[ai]|specific(?:a|hi)|riformulare|riprova)(?: |<end>)
(?:ho bisogno|avrei bisogno|mi servirebbero|mi servono|occorrono) (?:di )?(?:(?:piu|maggiori|ulteriori|altre|altri|qualche) )*(?:informazion[ei]|dati|dettagli|contesto|dettaglio)|(?:consult[ai]|si rivolga|rivolgiti|chied[ai]) (?:a )?(?:un|il (?:suo|tuo)|qualcun)
non (?:do|offro|fornisco|discuto|esprimo|rispondo|parlo|tratto) (?:(?:a|di|su|questo tipo di) )*(?:consigli|consulenze?|opinioni|politica|domande|informazioni|pareri|giudizi)
(?:dovresti|dovrebbe|dovrai|dovra|devi|deve|bisogna) (?:chiedere|domandare|rivolger\w+|consultare|chiederlo)
""",
    bare=r"""
non (?:applicabile|pertinente)|(?:e )?(?:io )?come faccio a saperlo|che ne so(?: io)?
boh|nessuna idea|non saprei|sconosciut[oa]|ignot[oa]|nessuna risposta|non (?:specificato|disponibile|pervenuto|noto|indicato)|n\.?d\.?
""",
    guess=r"""
\b(?:penso|credo|direi|suppongo|forse|probabilmente|immagino|mi pare|mi sembra|magari|secondo me|ritengo)\b
""",
    but=r"""
\b(?:ma|pero|tuttavia|anche se|come|dove|quando|perche|chi|cosa (?!dire|rispondere)|se)\b
""",
    answers=answering(
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
)

_PT_CANNOT: Final = (
    "(?:eu )?(?:(?:nao|nem) (?:(?:te|lhe|lhes|o|a|vos|me) )*(?:posso|podemos|poderia|consigo"
    "|consegui|pude|sou capaz de|me e possivel|e possivel|estou (?:em condicoes de"
    "|autorizad[oa] a|apt[oa] a|habilitad[oa] a|qualificad[oa] para|em posicao de)"
    "|tenho (?:como|condicoes de|permissao para|autorizacao para|capacidade para"
    "|capacidade de)|saberia|sei|quero|gostaria de|vou|devo|tenho autorizacao para)"
    "|sou incapaz de|e(?:-me)? impossivel)(?: (?:infelizmente|realmente))?"
)
_PT_SOURCE: Final = (
    "(?:(?:de acordo com|segundo) )?(?:o|a|os|as|este|esta|esse|essa|no|na|nos|nas|nenhum|nenhuma) "
    "(?:contexto|texto|passagem|trecho|documentos?|artigo|paragrafo|fontes?"
    "|resultados(?: da (?:busca|pesquisa)| de (?:busca|pesquisa))?|informacao|informacoes|dados"
    "|base de dados|banco de dados|esquema|tabelas?|documentacao|base de conhecimento)"
    "(?: (?:fornecid[oa]s?|dad[oa]s?|disponive(?:l|is)|apresentad[oa]s?|acima|de (?:busca|pesquisa)|encontrad[oa]s?|indicad[oa]s?))*"
)

PORTUGUESE: Final = Phrases(
    before=r"""
oh|hm+|ah|ai|bem|bom|olha|ola|oi|obrigad[oa](?: [^.,!?]*)?|nao|boa pergunta|e uma boa pergunta|puxa
(?:me |mil |pedimos |peco )?(?:desculp[ae](?:s|m|-me|mos)?)(?: pelo [^.,!?]*)?|(?:eu )?(?:sinto|lamento)(?: muito| imenso)?(?: informar(?: que)?)?|lamentavelmente|infelizmente|perdao|perdoe-me|receio(?: que)?|temo(?: que)?
(?:como|sendo|enquanto) (?:ia|inteligencia|modelo|assistente|um|uma)[^.,!?]*?(?=,| nao )
(?:eu )?(?:nao )?sou (?:so |apenas |somente )?(?:um |uma )?(?:ia|inteligencia artificial|modelo|assistente|chatbot|robo|bot|medic[oa]|advogad[oa])[^.,!?]*?(?=,| e |[.!?])
(?:segundo|com base n?[oa]?s?|a partir d[oa]s?|de acordo com) [^.,!?]{3,50},
mas|e|que|portanto|entao
""",
    closed=r"""
(?:isso |disso |isto |eu |sinceramente |olha )*(?:nao|num|n) (?:(?:o|lhe|te) )?(?:sei|saberia|sabemos|faco)(?: (?:nao|dizer(?:-lhe|-te)?|te dizer|lhe dizer|responder(?: (?:a )?(?:isso|essa pergunta|esta pergunta|isto))?|a resposta|(?:a )?(?:isso|isto)|com certeza|ao certo|bem|direito|exatamente|o que (?:dizer|responder)|informar|nada(?: (?:sobre|disso|disto|a respeito)(?: isso)?)?|cara|mesmo|mano|tambem))*
nao fac[oa] (?:a minima|a menor|nenhuma|ideia)(?: ideia)?|nao (?:conheco|tenho|sei) (?:a |uma )?resposta(?: (?:para|a) (?:isso|essa pergunta|esta pergunta))?|desconheco(?: (?:a resposta|isso|essa informacao))?|ignoro a resposta|sei la(?: (?:cara|mano|eu))?
(?:eu )?nao (?:tenho|fac[oa]) (?:(?:a minima|a menor|nenhuma|qualquer) )*ideia(?: (?:disso|sobre isso))?
nao (?:estou|tenho) (?:(?:muito|bem|totalmente|completamente|tao|la muito) )*(?:cert[oa]|certeza|segur[oa])(?: (?:absoluta|disso|disto|da resposta|sobre (?:isso|a resposta)|de (?:ter|que) (?:entendi|compreend)[^.,!?]*|se (?:entendi|percebi|compreendi)[^.,!?]*))?
(?:eu )?(?:prefiro|preferia|preferiria) nao (?:dizer|adivinhar|especular|responder|opinar|falar|arriscar|chutar|palpitar|comentar|fazer (?:suposicoes|conjeturas|conjecturas))(?: [^.,!?]{1,30})?|nao (?:quero|vou|posso|gostaria de|pretendo) (?:adivinhar|especular|chutar|arriscar|palpitar|dar (?:um )?palpites?|fazer suposicoes)(?: [^.,!?]{1,30})?
(?:isso |isto )?(?:eu )?nao (?:te |lhe |o )?posso (?:lhe |te )?(?:dizer|contar|responder|revelar)(?:-lhe|-te|-lho)?(?: (?:isso|isto|com certeza|ao certo))?|sem comentarios|passo
""",
    open=rf"""
{_PT_CANNOT} (?:(?:lhe|te|o|a) )?(?:ajudar|auxiliar|responder|fornecer|dar(?:-lhe|-te)?\b (?:um|uma|conselh|aconselh|informac|esse|essa|este|esta|isso|mais|detalhes|recomendac|resposta|instruc|orientac|parecer|opini)|oferecer|prestar|partilhar|compartilhar|revelar|divulgar|atender|cumprir|processar|realizar|executar|concluir|satisfazer|determinar|encontrar (?:a|essa|esta|uma|informac|nenhum|nada|qualquer)|deduzir|inferir|gerar|criar (?:ess|est|conteudo|uma consulta)|produzir|escrever (?:ess|uma consulta|isso)|redigir|traduzir|formular|exprimir|expressar|converter|comentar|falar (?:sobre|de) (?:iss|ess|polit)|discutir|acessar (?:a internet|dados|inform|ess)|aceder (?:a internet|a dados|a informac|a ess)|aconselhar|recomendar|entender (?:a|sua|o que|ess)|compreender (?:a|sua|o que|ess)|verificar (?:ess|isso)|confirmar (?:ess|isso)|fazer (?:iss|ist)|faze-lo|saber|afirmar|diagnosticar|estabelecer|dizer (?:com|quem|qual|quando|se|ao)|dize-lo|opinar|substituir|apurar|identificar (?:a|iss)|participar)\w*
(?:eu )?nao (?:tenho|temos|disponho|dispomos|possuo|encontro|encontrei|encontramos|acho|achei|vejo|ha|existe|existem|foi|foram) (?:(?:de|o|a|os|as|atualmente|informacoes|suficientes?|bastante|nenhuma?|qualquer|mais|muita|encontradas?|no|na|fornecid\w+) )*(?:informacao|informacoes|dados|detalhes|acesso|contexto|conhecimentos?|opiniao|opinioes|sentimentos|emocoes|resposta|mencao|elementos|capacidade|preferencias|como saber|referencia|registros?|registos|encontrad[oa]s?|texto|resultados|tabela|coluna)\b
(?:me faltam?|faltam?(?:-me)?|carec[oe] de|sao necessari[oa]s)(?: \w+){{0,2}}? (?:informacao|informacoes|dados|detalhes|contexto)
nao (?:entendi|compreendi|percebi|entendo|compreendo|percebo|captei)(?: (?:muito|bem|direito|la|a (?:sua |tua )?(?:pergunta|questao|solicitacao|pedido)|o que|sua pergunta|o seu pedido|isso)[^.,!?]*)?<end>
{_PT_SOURCE}(?: [\w-]+){{0,3}}? nao (?:(?:me|o|a|nos|se|foi|foram|e|sao|ha) )?(?:contem|menciona|mencionam|especifica|especificam|indica|indicam|fornece|fornecem|da|dao|diz|dizem|fala|falam|permite|permitem|responde|respondem|inclui|incluem|aparece|consta|constam|aborda|abordam|sao|e|bastam?|traz|trazem|informa|informam|oferece|cita|citam|refere|referem|figura|tem|faz|cobre|encontra|suficientes?|mencionad\w+|especificad\w+|qualquer|nenhuma|informac\w+)\b
(?:nenhuma?|nao (?:e|foi|ha|se|consta|esta|aparece)|falta|insuficiente|nada (?:no|na|sobre))(?: \w+){{0,3}}? ?(?:informacao|informacoes|mencao|resposta|resultados?|tabelas?|colunas?|contexto|texto|possivel (?:respond|determin|dize|sabe|inferi|deduzi|traduzi|afirma|forne)\w*|mencionad[oa]|especificad[oa]|indicad[oa]|documentos?|referencia|trecho)\b
(?:a|esta|essa|sua|tua)(?: sua| tua)? (?:pergunta|solicitacao|consulta|informacao|resposta|questao)(?: \w+){{0,3}}? (?:nao (?:se|pode|e|esta|consta|aparece|tem|foi|faz)|esta (?:fora|alem)|fica fora|excede|ultrapassa|viola|infringe|foge|foi (?:bloquead|filtrad)|vai (?:contra|alem)|e desconhecida)
(?:isso|isto|esse assunto|este assunto|esse tema|este tema|o que (?:voce )?(?:pede|pergunta))(?: ja)? (?:esta (?:fora|alem|para la)|fica fora|vai (?:alem|contra)|excede|ultrapassa|foge|sai (?:do|da|fora)|nao (?:e (?:algo que|minha|um tema|da minha|do meu)|faz parte|consta|aparece|e mencionado|esta no|esta na|me cabe|cabe|foi)|e algo que (?:eu )?nao|viola|infringe|escapa|transcende)
(?:eu )?(?:devo|tenho (?:que|de)|temos (?:que|de)|preciso|sou (?:obrigad[oa]|forcad[oa]) a|vejo-me (?:obrigad[oa]|forcad[oa]) a|terei (?:que|de)) (?:recusar|declinar|rejeitar|negar|abster-me|me abster|dizer (?:que )?nao)|(?:recuso-me|me recuso|recuso|declino|abstenho-me|me abstenho)(?: (?:a|de|o|esse|este|responder)\b|<end>)
(?:este|esta|esse|essa|o|a|seu|sua|tal)(?: \w+){{0,3}} (?:viola|violam|infringe|vai contra|contraria|contraria?m|e contrari[oa]|pode(?:ria)? violar|foi (?:bloquead|sinalizad|filtrad)|nao (?:e permitid|esta permitid|cumpre))
(?:poderia|pode|podia|podes|podias)(?: por favor)?,? (?:reformular|repetir|esclarecer|clarificar|precisar|especificar|me dar mais|dar(?:-me)? mais|dizer-me (?:mais|a que)|me dizer (?:mais|qual|a)|ser mais|fornecer|indicar|explicar)|(?:por favor,? )?(?:reformule|repita|esclareca|especifique|precise|reformula|tente (?:reformular|novamente))(?: |<end>)
(?:preciso|precisaria|necessito|seriam? necessari[oa]s?) (?:de )?(?:(?:um pouco|mais|algumas?|outros|outras|de) )*(?:informacao|informacoes|dados|detalhes|contexto)|(?:consulte|procure|fale com|pergunte a) (?:um|uma|o seu|seu|alguem)
nao (?:dou|ofereco|forneco|presto|discuto|opino|respondo|falo|tenho) (?:(?:a|de|sobre|esse tipo de|este tipo de) )*(?:conselhos?|aconselhamento|opinioes|politica|perguntas|informacoes|orientacao|recomendacoes|assuntos)
(?:tera|teras|devera|deve|tem) (?:que|de) (?:perguntar|consultar|falar)
""",
    bare=r"""
ignoro|nao (?:se aplica|aplicavel)|como (?:e que )?(?:eu )?(?:vou|hei de|ia) saber
sei la|nenhuma ideia|desconhecid[oa]|sem resposta|nao (?:informado|especificado|disponivel|consta|se sabe)|n/?d|n/?s
""",
    guess=r"""
\b(?:acho que|penso que|creio que|diria que|suponho|talvez|provavelmente|possivelmente|se calhar|imagino que|parece-me|me parece|acredito que)\b
""",
    but=r"""
\b(?:mas|porem|no entanto|embora|como|onde|quando|por que|porque|quem|qual|se)\b
""",
    answers=answering(
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
)

PHRASES: Final = {"fr": FRENCH, "es": SPANISH, "it": ITALIAN, "pt": PORTUGUESE}

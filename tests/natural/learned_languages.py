"""What learns from texts learns from texts of any language.

Three questions in the language, each with an answer of its own: whoever has learned
them answers each of them so, and is surer of one than of another.
"""
# The letters of other scripts look like those of ours, which is what is tested:
# ruff: noqa: RUF001

from __future__ import annotations

from typing import Any

import demur
from demur import baselines
from natural.ends import Case, Shown, case, gives, noted, refused

ANSWERS = ["name", "age", "home"]
QUESTIONS = {
    "russian": ["как тебя зовут", "сколько тебе лет", "где ты живёшь"],
    "greek": ["πώς σε λένε", "πόσων χρονών είσαι", "πού μένεις"],
    "arabic": ["ما اسمك", "كم عمرك", "أين تسكن"],
    "hebrew": ["מה שמך", "בן כמה אתה", "איפה גר"],
    "hindi": ["तुम्हारा नाम क्या है", "आपकी उम्र कितनी है", "घर कहाँ है"],
    "tamil": ["உன் பெயர் என்ன", "உனக்கு வயது எத்தனை", "வீடு எங்கே"],
    "thai": ["คุณชื่ออะไร", "อายุเท่าไหร่", "บ้านอยู่ที่ไหน"],
    "chinese": ["你叫什么名字", "你今年几岁", "你住在哪里"],
    "japanese": ["お名前は何ですか", "何歳ですか", "どこに住んでいますか"],
    "korean": ["이름이 뭐예요", "몇 살이에요", "어디에 살아요"],
    "turkish": ["adın ne", "kaç yaşındasın", "nerede oturuyorsun"],
    "georgian": ["რა გქვია", "რამდენი წლის ხარ", "სად ცხოვრობ"],
    "amharic": ["ስምህ ማን ነው", "እድሜህ ስንት ነው", "የት ትኖራለህ"],
    "khmer": ["អ្នកឈ្មោះអ្វី", "អាយុប៉ុន្មាន", "រស់នៅឯណា"],
    "burmese": ["နာမည်ဘယ်လိုခေါ်လဲ", "အသက်ဘယ်လောက်ရှိပြီလဲ", "ဘယ်မှာနေလဲ"],
    "german": ["wie heißt du", "wie alt bist du", "wo wohnst du"],
}


def answered(system: Any, texts: list[str]) -> Shown:
    """The guesses, and whether the system tells the questions apart at all."""
    inputs = [demur.Input(str(number), text) for number, text in enumerate(texts)]
    answers = demur.as_system(system).respond(inputs)
    return Shown({"answers": " ".join(str(answer.response) for answer in answers)})


def relevance(language: str) -> Case:
    texts = QUESTIONS[language]
    return case(
        f"relevance-{language}",
        lambda: answered(demur.RelevanceModel().fit(texts, ANSWERS), texts),
        gives(answers="name age home"),
        refused("word|token|script|English"),
    )


def classifier(kind: str, language: str) -> Case:
    texts = QUESTIONS[language]
    return case(
        f"classifier-{kind}-{language}",
        lambda: answered(demur.intent_classifier(kind).fit(texts, ANSWERS), texts),
        gives(answers="name age home"),
        refused("word|token|script|English"),
    )


def nearest(language: str) -> Case:
    texts = QUESTIONS[language]
    return case(
        f"nearest-{language}",
        lambda: answered(baselines.Nearest().fit(texts, ANSWERS), texts),
        gives(answers="name age home"),
        refused("word|token|script|English"),
    )


def feature(name: str, text: str, part: str) -> Case:
    """Whether a word stands whole among the features of a text."""
    return case(
        f"maxent-{name}",
        lambda: Shown(
            {"whole": f"pair={part}:</s>" in demur.maxent_features(text)},
        ),
        gives(whole=True),
    )


def questions_of(text: str) -> Shown:
    made = list(demur.RuleQuestions()(text))
    return Shown({"questions": len(made)})


def spelled(word: str) -> Shown:
    tokens = demur.PhoneTokenizer({"are": ["AA", "R"]}, sizes=(1,))(word)
    return Shown({"tokens": len(tokens)})


CASES = (
    *(relevance(language) for language in QUESTIONS),
    classifier("maxent", "russian"),
    classifier("maxent", "hindi"),
    classifier("linear-svm", "chinese"),
    classifier("words", "greek"),
    classifier("words", "japanese"),
    classifier("naive-bayes", "arabic"),
    classifier("logistic", "thai"),
    classifier("naive-bayes", "tamil"),
    nearest("russian"),
    nearest("hebrew"),
    nearest("korean"),
    nearest("chinese"),
    classifier("linear-svm", "turkish"),
    feature("russian-words", "да нет", "нет"),
    feature("german-words", "wie heißt", "heißt"),
    feature("hindi-words", "यह हिन्दी", "हिन्दी"),
    feature("english-apostrophe", "i don’t", "don't"),
    case(
        "vocabulary-mark-apart",
        lambda: demur.out_of_vocabulary(
            ["caf\u00e9", "noir"], references=["cafe\u0301 noir"]
        ),
        gives(oov_rate=0.0),
    ),
    case(
        "questions-of-a-german-text",  # its rules are English: none, or it says so
        lambda: questions_of("Die Mühle wurde 1790 von Anna Holt gebaut."),
        gives(questions=0),
        noted("English"),
        refused("English"),
    ),
    case(
        "phones-of-a-russian-word",  # spellings are English: never an empty reading
        lambda: spelled("музей"),
        noted("English|spell"),
        refused("English|spell|letter|phone"),
    ),
)

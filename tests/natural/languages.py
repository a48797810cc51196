"""Words and texts of all languages: letters, marks, signs, scripts without spaces.

Rates are worked out by hand. By ``letters`` capitals and signs do not count, letters
and the marks on them do, and how these are put down (NFC or NFD) does not.
"""
# The letters of other scripts look like those of ours, which is what is tested:
# ruff: noqa: RUF001

from __future__ import annotations

import unicodedata
from typing import Any

import demur
from natural.asking import judged
from natural.ends import Case, End, case, gives, noted, refused


def apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def joined(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def letters(name: str, hypothesis: str, reference: str, errors: int, of: int) -> Case:
    """Errors and words of the reference, as small letters without signs."""
    return case(
        f"letters-{name}",
        lambda: demur.word_errors(
            hypotheses=[hypothesis], references=[reference], reading="letters"
        ),
        gives(wer=errors / of, reference_words=of),
    )


def written(name: str, hypothesis: str, reference: str, errors: int, of: int) -> Case:
    """The same as they stand between spaces."""
    return case(
        f"written-{name}",
        lambda: demur.word_errors(hypotheses=[hypothesis], references=[reference]),
        gives(wer=errors / of, reference_words=of),
    )


def same(name: str, hypothesis: str, reference: str) -> Case:
    """No errors, whether the words of the script are counted or its characters."""
    return case(
        f"letters-{name}",
        lambda: demur.word_errors(
            hypotheses=[hypothesis], references=[reference], reading="letters"
        ),
        gives(wer=0.0),
    )


def spaceless(name: str, hypothesis: str, reference: str, *rates: float) -> Case:
    """By characters, or whole and noted: a line is no single word."""
    return case(
        f"spaceless-{name}",
        lambda: demur.word_errors(
            hypotheses=[hypothesis], references=[reference], reading="letters"
        ),
        *(gives(wer=rate) for rate in rates),
        noted("character|space|segment"),
        refused("character|space|segment"),
    )


def text(
    name: str, response: Any, reference: Any, verdict: str, by: str = "text", *ends: End
) -> Case:
    return case(
        f"text-{name}",
        lambda: judged([response], [reference], by=by),
        gives(verdicts=verdict),
        *ends,
    )


SQUAD = "text(normalise=squad)"
ACCENTS = "text(normalise=casefold+accents+whitespace)"

CASES = (
    # -- vowel signs and other marks count -----------------------------------------
    letters("hindi-vowel-signs", "की का", "का की", 2, 2),
    letters("hindi-sign-missing", "हन्दी भाषा", "हिन्दी भाषा", 1, 2),
    letters("hindi-end-sign", "यह क्या है", "यह क्या है।", 0, 3),
    letters("tamil-sign-missing", "தமிழ மொழி", "தமிழ் மொழி", 1, 2),
    letters("bengali-vowel-signs", "বাংলা ভাষা", "বাংলি ভাষা", 1, 2),
    letters("hebrew-question", "מה השעה", "מה השעה?", 0, 2),
    letters("hebrew-gershayim", "צה״ל הודיע", 'צה"ל הודיע', 0, 2),
    letters("arabic-question", "أين المحطة", "أين المحطة؟", 0, 2),
    letters("arabic-word", "أين المحطة البعيدة", "أين المحطة القريبة", 1, 3),
    letters("persian-joiner", "من می‌خواهم", "من می‌خواهم", 0, 2),
    letters("greek-final-sigma", "ο δρόμος", "Ο ΔΡΌΜΟΣ", 0, 2),
    letters("russian-capitals", "где находится музей", "Где находится музей?", 0, 3),
    letters("russian-mark-apart", apart("мой трамвай"), "Мой трамвай", 0, 2),
    letters("french-mark-apart", apart("café déjà"), joined("café déjà"), 0, 2),
    letters("french-other-mark", "cafe noir", "café noir", 1, 2),
    letters("vietnamese-mark-apart", apart("tiếng Việt"), joined("tiếng Việt"), 0, 2),
    letters("vietnamese-other-tone", "má ơi", "mà ơi", 1, 2),
    letters("german-capitals", "über größe", "ÜBER Größe", 0, 2),
    letters("german-other-mark", "schon", "schön", 1, 1),
    letters("turkish-capital-dot", "istanbul güzel", "İstanbul güzel", 0, 2),
    letters("turkish-dotless", "isi", "ısı", 1, 1),
    letters("korean-mark-apart", apart("서울 날씨"), joined("서울 날씨"), 0, 2),
    letters("korean-word-missing", "서울 날씨 알려", "서울 날씨 알려 줘", 1, 4),
    same("japanese-dakuten-apart", apart("ガギグ です"), joined("ガギグ です")),
    # -- apostrophes, quotes, digits -----------------------------------------------
    letters("english-apostrophes", "don't stop", "don’t stop", 0, 2),
    letters("english-modifier-apostrophe", "donʼt stop", "don't stop", 0, 2),
    letters("french-apostrophes", "l'heure d’été", "l’heure d'été", 0, 2),
    letters("ukrainian-apostrophes", "п'ять м'ячів", "п’ять мʼячів", 0, 2),
    letters("french-quotes", "il dit oui", "il dit « oui »", 0, 3),
    letters("german-quotes", "er sagt ja", "er sagt „ja“", 0, 3),
    same("japanese-full-width-digits", "123 号", "１２３ 号"),
    letters("spanish-signs", "dónde está", "¿Dónde está?", 0, 2),
    written("french-mark-apart", apart("café noir"), joined("café noir"), 0, 2),
    written("hindi-vowel-signs", "की का", "का की", 2, 2),
    written("korean-mark-apart", apart("서울 날씨"), joined("서울 날씨"), 0, 2),
    written("arabic-no-break-space", "أين المحطة", "أين\u00a0المحطة", 0, 2),
    same("japanese-wide-space", "はい そうです", "はい\u3000そうです"),
    letters("english-apostrophe-at-an-end", "goin' home", "goin’ home", 0, 2),
    letters("english-apostrophe-at-a-start", "'tis so", "’tis so", 0, 2),
    letters("english-single-quotes", "he said yes", "he said ‘yes’", 0, 3),
    letters("german-acute-for-apostrophe", "geht's gut", "geht´s gut", 0, 2),
    letters("swedish-single-quotes", "hon sa ja", "hon sa ’ja’", 0, 3),
    letters("hebrew-geresh", "ג'ירפה גבוהה", "ג׳ירפה גבוהה", 0, 2),
    letters("persian-joiner-left-out", "من میخواهم", "من می‌خواهم", 0, 2),
    letters("arabic-long-stroke", "مرحبا بك", "مـرحبـا بك", 0, 2),
    letters("arabic-vowel-points", "كتب هنا", "كَتَبَ هنا", 1, 2),
    letters("german-soft-hyphen", "Haustür zu", "Haus\u00adtür zu", 0, 2),
    letters("german-capital-sharp-s", "große straße", "GROẞE STRAẞE", 0, 2),
    letters("english-ligature", "five files", "ﬁve ﬁles", 0, 2),
    letters("emoji-is-no-word", "ja gerne", "ja gerne ❤️", 0, 2),
    letters("georgian", "სად არის", "სად არის?", 0, 2),
    letters("amharic-signs", "ሰላም ነው", "ሰላም፣ ነው።", 0, 2),
    letters("armenian-signs", "որտեղ է", "Որտե՞ղ է։", 0, 2),
    letters("catalan-dot", "collegi nou", "col·legi nou", 1, 2),
    # -- scripts without spaces ----------------------------------------------------
    spaceless("chinese", "我想订两张票", "我想订一张票", 1 / 6),
    spaceless("japanese", "京都へ行きます", "東京へ行きます", 2 / 7),
    spaceless("thai", "ฉันรักหมา", "ฉันรักแมว", 2 / 9, 2 / 7),
    spaceless("khmer", "ខ្ញុំស្រលាញ់ឆ្កែ", "ខ្ញុំស្រលាញ់ឆ្មា", 2 / 16, 1 / 5),
    spaceless("chinese-with-latin", "我买iPhone15", "我买iPhone16", 1 / 4, 1 / 3),
    spaceless("lao", "ຂ້ອຍຮັກໝາ", "ຂ້ອຍຮັກແມວ"),
    spaceless("burmese", "နေကောင်းလား", "နေမကောင်းလား"),
    same("chinese-with-spaces-put-in", "我 想 订 票", "我想订票"),
    spaceless("chinese-in-two-pieces", "你好，世纪", "你好，世界", 1 / 4),
    # -- texts as answers ----------------------------------------------------------
    text("hindi-sign-is-heard", "की", "का", "wrong", SQUAD),
    text("hindi-sign-is-no-accent", "की", "का", "wrong", ACCENTS),
    text("tamil-sign-is-no-accent", "தமிழ", "தமிழ்", "wrong", ACCENTS),
    text("hindi-end-sign", "नमस्ते।", "नमस्ते", "right", SQUAD),
    text("thai-tone-is-heard", "ไม", "ไม้", "wrong", SQUAD),
    text("chinese-full-stop", "北京。", "北京", "right", SQUAD),
    text("spanish-signs", "¿Madrid?", "madrid", "right", SQUAD),
    text("arabic-question", "القاهرة؟", "القاهرة", "right", SQUAD),
    text("french-apostrophes", "L’Oréal", "L'Oréal", "right"),
    text("french-apostrophes-squad", "L’Oréal", "L'Oréal", "right", SQUAD),
    text("english-quotes", "“Hamlet”", '"Hamlet"', "right"),
    text("ukrainian-apostrophes", "п’ять", "п'ять", "right"),
    text("french-quotes", "«Hamlet»", '"Hamlet"', "right"),
    text("quotes-are-heard", "“Hamlet”", "Hamlet", "wrong"),
    text("turkish-dotless-is-another", "ısı", "isi", "wrong"),
    text(
        "label-vietnamese-mark-apart",
        apart("Hà Nội"),
        joined("Hà Nội"),
        "right",
        "label",
    ),
    text("label-other-mark", "Ha Noi", "Hà Nội", "wrong", "label"),
    text(
        "slots-mark-apart",
        {"città": apart("Forlì")},
        {"città": "forlì"},
        "right",
        "slots",
    ),
    text("slots-apostrophe", {"name": "Joe’s"}, {"name": "joe's"}, "right", "slots"),
    text(
        "slots-dontcare-apostrophe",
        {"a": "b", "c": "don’t care"},
        {"a": "b"},
        "right",
        "slots(dontcare=empty)",
    ),
    case(
        "text-number-comma-of-thousands",
        lambda: judged(["1,234"], [1.234], by="number"),
        noted("comma", verdicts="wrong"),
    ),
    text("japanese-half-width", "ﾄｳｷｮｳ", "トウキョウ", "right"),
    text("chinese-full-width-digits", "１２号", "12号", "right"),
    text("korean-mark-apart", apart("서울"), joined("서울"), "right"),
    text("vietnamese-mark-apart", apart("Hà Nội"), joined("Hà Nội"), "right"),
    text("vietnamese-tone-is-heard", "Ha Noi", "Hà Nội", "wrong"),
    text("vietnamese-accents", "Ha Noi", "Hà Nội", "right", ACCENTS),
    text("german-sharp-s", "STRASSE", "Straße", "right"),
    text("greek-final-sigma", "ΟΔΌΣ", "οδός", "right"),
    text("russian-capitals", "ЕЩЁ", "ещё", "right"),
    text(
        "turkish-capital-dot",
        "İSTANBUL",
        "istanbul",
        "right",
        "text",
        noted("Turkish|dot|İ"),
    ),
    text(
        "label-mark-apart",
        apart("café"),
        joined("café"),
        "right",
        "label",
        noted("NFC|NFD|normal|mark"),
    ),
    text("number-full-width", "１２", 12, "right", "number", noted("number")),
    text("number-arabic-digits", "١٢", 12, "right", "number", noted("number")),
    text("number-hindi-digits", "१२", 12, "right", "number", noted("number")),
    text(
        "number-german-comma",  # 1,234 is one and a bit in German: never 1234 unsaid
        "1,5",
        1.5,
        "right",
        "number",
        noted("number|comma"),
        refused("comma"),
    ),
)

"""One spelling of what looks alike, and words in any language."""
# The letters of other scripts look like those of ours, which is what is tested:
# ruff: noqa: RUF001

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur.spellings import composed, plain_quotes, unspaced, words

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


@given(st.text(st.characters(max_codepoint=127)))
def test_words_of_ascii_are_what_is_left_without_signs(text):
    assert words(text) == re.sub(r"[^\w'\s]|_", " ", text.lower()).split()
    assert composed(text) == plain_quotes(text) == text
    # The long way, which a text of other letters takes, is the same.
    assert words(f"{text} ж")[:-1] == words(text)


@given(st.text(st.characters(codec="utf-8")), st.sampled_from(FORMS))
def test_words_are_words(text, form):
    parts = words(text)
    assert words(" ".join(parts)) == parts
    for part in parts:
        assert part
        assert not re.search(r"[\s_]", part)
        assert not unicodedata.category(part[0]).startswith("M")
    assert words(" ".join(unicodedata.normalize(form, part) for part in parts)) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("donʼt geht´s l’été", "don't geht's l'été"),
        ("goin’ home ’tis é", "goin' home 'tis é"),
        ("‘hello’ ‚ja‘ ‹oui› the dogs’", "hello ja oui the dogs'"),
        ("Pekka sanoi ’ei’ ääneen", "pekka sanoi ei ääneen"),
        ('צה"ל ג׳ירפה 24"é', "צה״ל ג'ירפה 24 é"),
        ("m\u200cm so\u00adft \u200fab x\u200by", "mm soft ab x y"),
        ("مـرحبا", "مرحبا"),
        ("❤\ufe0f 1\ufe0f\u20e3 ½ ﬁt \u0301 ¨ü", "1 1\u20442 fit ü"),
        ("İSTANBUL I\u0307zmir ısı", "istanbul izmir ısı"),
        ("ΔΡΌΜΟΣ. STRASSE straße", "δρόμος strasse straße"),
        ("人工iPhone手機2024年", "人 工 iphone 手 機 2024 年"),
        ("𠮷野 ㄅ ガ ー々", "𠮷 野 ㄅ ガ ー 々"),
        ("ไม้ ๑๒ น้ำ", "ไ ม้ ๑๒ น้ํ า"),
        ("ខ្ញុំ မြန်မာ", "ខ្ញុំ မြ န် မာ"),
        ("x手's", "x 手 's"),
        ("Որտե՞ղ է։", "որտեղ է"),
        ("col·legi ceŀla 3·4 οχι\u0387 ναι", "col·legi cel·la 3 4 οχι ναι"),
    ],
)
def test_words_in_many_spellings(text, parts):
    assert words(text) == unicodedata.normalize("NFKC", parts).split(" ")


def test_scripts_without_spaces():
    assert all(map(unspaced, "東ひカไລမខ〇ㄅ𠮷ꦗ"))
    assert not any(map(unspaced, "Aж한हاאა、བ"))


def test_one_sign_for_quotes():
    assert plain_quotes("«“„ja‟”″»「è」") == '"""ja"""' + '""è"'
    assert plain_quotes("‘’‚‛ʻʼ′´‹é›") == "''''''''" + "'é'"


def test_long_texts_of_quotes_take_no_longer():
    """A text that would take for ever if a quote were looked for from every other."""
    rng = np.random.default_rng(0)
    text = "".join(rng.choice([*"‘’‚a é"], 20_000))
    assert "a" in "".join(words(text))

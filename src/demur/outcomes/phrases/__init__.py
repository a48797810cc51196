"""How systems decline, by language."""

from collections.abc import Mapping
from typing import Final

from demur.outcomes.phrases.east_asian import CHINESE, JAPANESE, KOREAN
from demur.outcomes.phrases.english import ENGLISH
from demur.outcomes.phrases.germanic import DUTCH, GERMAN, SWEDISH
from demur.outcomes.phrases.phrasing import Phrases
from demur.outcomes.phrases.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from demur.outcomes.phrases.slavic import CZECH, POLISH, RUSSIAN, UKRAINIAN
from demur.outcomes.phrases.turkish_arabic_hindi import ARABIC, HINDI, TURKISH

PHRASES: Final[Mapping[str, Phrases]] = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
    "pl": POLISH,
    "cs": CZECH,
    "sv": SWEDISH,
    "ru": RUSSIAN,
    "uk": UKRAINIAN,
    "tr": TURKISH,
    "ar": ARABIC,
    "hi": HINDI,
    "zh": CHINESE,
    "ja": JAPANESE,
    "ko": KOREAN,
}
"""By the code of ISO 639-1."""

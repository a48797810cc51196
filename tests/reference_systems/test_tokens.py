"""Tokens: words, letters, phones, and the features of partial utterances."""

import gzip
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.reference_systems.phones import _SPELLINGS, read_pronunciations, spell_out
from demur.reference_systems.tokenizers import groups, letters, words

CONSONANTS = "B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH"
VOWELS = "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW"
PHONES = {*f"{CONSONANTS} {VOWELS}".split()}
KNOWN = {"are": ["AA", "R"], "you": ["Y", "UW"], "mary": ["M", "EH", "R", "IY"]}


def test_phones_run_across_words():
    tokens = demur.PhoneTokenizer(KNOWN, sizes=(2,))("are you")
    assert tokens == ["phones AA R", "phones R Y", "phones Y UW"]


def test_the_mixture_is_words_and_phones():
    alone = demur.PhoneTokenizer(KNOWN)("are you mary")
    mixed = demur.PhoneTokenizer(KNOWN, with_words=True)("are you mary")
    assert mixed == ["are", "you", "mary", *alone]


def test_what_was_heard_wrong_shares_phones():
    known = {**KNOWN, "married": ["M", "EH", "R", "IY", "D"]}
    tokenizer = demur.PhoneTokenizer(known)
    meant, heard = set(tokenizer("are you married")), set(tokenizer("are you mary"))
    assert len(meant & heard) / len(meant | heard) > 0.8


def test_words_that_are_not_in_the_dictionary_are_put_together_or_spelled_out():
    tokenizer = demur.PhoneTokenizer(KNOWN)
    assert tokenizer.phones("mary's") == [*KNOWN["mary"], "Z"]
    assert tokenizer.phones("mary") == KNOWN["mary"]
    assert tokenizer.phones("maryyou") == [*KNOWN["mary"], *KNOWN["you"]]
    assert tokenizer.phones("youare") == [*KNOWN["you"], *KNOWN["are"]]
    for half in ("maryzzz", "zzzmary"):
        assert tokenizer.phones(half) == spell_out(half)
    short = demur.PhoneTokenizer({"yo": ["Y"], "are": ["R"]})
    assert short.phones("areyo") == spell_out("areyo")
    assert short.phones("yoare") == spell_out("yoare")
    parts = {"abcd": ["1"], "efg": ["2"], "abc": ["3"], "defg": ["4"]}
    assert demur.PhoneTokenizer(parts).phones("abcdefg") == ["1", "2"]
    assert tokenizer.phones("zz9") == spell_out("zz9") == ["Z", "N", "AY", "N"]


@pytest.mark.parametrize(
    ("word", "phones"),
    [
        ("cat", "K AE T"),
        ("city", "S IH T IY"),
        ("make", "M EY K"),
        ("phone", "F OW N"),
        ("nation", "N AE SH AH N"),
        ("gene", "JH IY N"),
        ("don't", "D AA N T"),
        ("", ""),
        ("'", ""),
        ("é", "EH"),
        ("éa", "IY"),
        ("be", "B EH"),
        ("e", "EH"),
        ("see", "S IY"),
        ("dance", "D AE N S"),
        ("a1e", "AE W AH N"),
        ("maker", "M AE K ER"),
        ("maka", "M AE K AE"),
        ("moue", "M AW"),
        ("mac", "M AE K"),
        ("cell", "S EH L"),
        ("gym", "JH IY M"),
        ("gut", "G AH T"),
        ("ice", "AY S"),
        ("delicious", "D EH L IH SH AH S"),
        ("catch", "K AE CH"),
    ],
)
def test_spelling_out(word, phones):
    assert " ".join(spell_out(word)) == phones


@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789'", max_size=20))
def test_every_word_is_spelled_with_phones(word):
    found = spell_out(word)
    assert set(found) <= PHONES
    assert bool(found) == any(each != "'" for each in word)


@pytest.mark.parametrize(
    ("word", "phones"),
    [("café", "K EH F"), ("naïve", "N EY V"), ("zoë's", "Z OW Z"), ("über", "Y UW")],
)
def test_accents_are_left_out_where_the_dictionary_lacks_them(word, phones):
    known = {"cafe": ["K", "EH", "F"], "zoe": ["Z", "OW"], "über": ["Y", "UW"]}
    assert " ".join(demur.PhoneTokenizer(known).phones(word)) == phones


def test_letters_that_are_not_english_stand_for_themselves_with_a_warning():
    with pytest.warns(UserWarning, match="as in English: other letters than a to z"):
        assert spell_out("жeд") == ["Ж", "EH", "Д"]
    assert spell_out("1\u20442") == spell_out("12")


def test_the_spellings_hold_known_phones_only():
    entries = [e.split() for e in _SPELLINGS.replace("\n", "|").split("|") if e]
    assert {phone for _, *phones in entries for phone in phones} <= PHONES
    first = [spelling for spelling, *_ in entries]
    assert len(set(first)) == len(first)


def test_a_dictionary_is_read_plain_or_gzipped(tmp_path):
    text = ";;; a comment\nCAT K AE1 T # furry\ncat(2) K AA1 T\n\nto T AH0\nto T UW1\n"
    plain, packed = tmp_path / "a.dict", tmp_path / "b.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    wanted = {"cat": ["K", "AE", "T"], "to": ["T", "AH"]}
    assert read_pronunciations(plain) == read_pronunciations(packed) == wanted
    assert demur.PhoneTokenizer(plain, sizes=(3,))("a cat") == [
        "phones AE K AE",
        "phones K AE T",
    ]


@pytest.mark.parametrize(
    ("content", "place", "words_"),
    [
        (b"cat K AE1 T\ndog\n", ":2", "a word and its phones"),
        (b"cat,K,AE,T\n", ":1", "a word and its phones"),
        (b"the cat sat\n", ":1", "a word and its phones"),
        (b"\n# nothing\n", "", "have words"),
        (b"", "", "have words"),
        (b"\xff\xfe", "", "UTF-8"),
        (b"\x1f\x8bnothing", "", "UTF-8"),
    ],
)
def test_what_is_no_dictionary(tmp_path, content, place, words_):
    path = tmp_path / "d.txt"
    path.write_bytes(content)
    with pytest.raises(demur.InputError, match=words_) as told:
        demur.PhoneTokenizer(path)
    assert f"{path}{place}" in str(told.value)


def test_a_size_is_a_whole_number():
    refuses("whole number", demur.PhoneTokenizer, KNOWN, sizes=(0,))


def test_the_dictionary_knows_most_words_that_are_spoken(demur_data):
    pronunciations = read_pronunciations(demur_data / "cmudict" / "cmudict.dict.gz")
    assert len(pronunciations) == 126_052
    # How far the letters alone are from it: docs/reference_systems.md says so.
    sample = sorted(pronunciations)[::20]
    wrong = sum(distance(spell_out(word), pronunciations[word]) for word in sample)
    total = sum(len(pronunciations[word]) for word in sample)
    assert 0.25 < wrong / total < 0.29


def distance(first, second):
    """Insertions, deletions and substitutions between two sequences."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        before, row = row, [number]
        for place, other in enumerate(second, 1):
            kept = before[place - 1] + (one != other)
            row.append(min(before[place] + 1, row[-1] + 1, kept))
    return row[-1]


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=6), st.integers(1, 4))
def test_groups_are_all_runs_of_one_size(parts, size):
    found = groups(parts, size, "+")
    assert found == ["+".join(run) for run in runs(parts, size)]


def runs(parts, size):
    return [parts[k : k + size] for k in range(len(parts)) if k + size <= len(parts)]


def test_letters_of_a_short_text():
    assert letters("a") == []
    assert words("< UNK > Hi!") == ["hi"]


# -- maximum entropy -----------------------------------------------------------------


@given(st.lists(st.sampled_from(["go", "on", "now"]), max_size=5))
def test_features_are_length_pairs_and_grams(said):
    tokens = ["<s>", *said, "</s>"]
    wanted = {f"len={len(tokens)}"}
    wanted |= {f"pair={a}:{b}" for a, b in itertools.combinations(tokens, 2)}
    wanted |= {"gram=" + " ".join(run) for n in (1, 2, 3) for run in runs(tokens, n)}
    found = demur.maxent_features(" ".join(said))
    assert set(found) == wanted
    assert len(found) == len(wanted)


@given(st.lists(st.sampled_from(["go", "on", "now"]), max_size=9), st.integers(1, 6))
def test_prefixes_grow_evenly_to_the_whole_text(said, parts):
    found = demur.prefixes(" ".join(said), parts)
    assert len(found) == parts
    assert found[-1] == " ".join(said)
    sizes = [len(each.split()) for each in found]
    for number, size in enumerate(sizes, 1):
        exact = len(said) * number / parts
        assert size == min(len(said), 1) or abs(size - exact) <= 0.5
        assert size >= min(len(said), 1)

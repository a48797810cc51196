import gzip
import io
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.metrics.ngrams.smoothing import SMOOTHINGS
from reference_ngrams import TWINS

TEXTS = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join), min_size=1
)
GOLDEN = Path(__file__).parents[1] / "golden" / "ngrams"
HISTORIES = ["", "<s>", "a", "<s> b", "a b", "z a", "b z", "<s> a b", "c a b d"]


def zipfian(seed: int, n_texts: int, n_words: int) -> list[str]:
    """Texts whose counts of counts are as of a language."""
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(n_words)]
    weights = [1 / (number + 1) for number in range(n_words)]
    return [
        " ".join(rng.choices(words, weights, k=rng.randrange(8)))
        for _ in range(n_texts)
    ]


def made(texts, order, smoothing, add=0.25):
    return demur.ngram_model(texts, order=order, smoothing=smoothing, add=add)


# -- against definitions ---------------------------------------------------------------


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_are_those_of_the_definition(smoothing, order):
    texts = zipfian(order, 60, 25)
    model = made(texts, order, smoothing)
    twin = TWINS[smoothing](texts, order, add=0.25)
    assert {*model.words} == {*twin.words, "<s>"}
    contexts = [*HISTORIES, *texts[:3], "w0", "w1 w0", "<s> w0", "w0 w1 w0", "w3 w0"]
    for history in contexts:
        for word in twin.words:
            wanted = float(twin.of(word, history.split()))
            assert model.probability(word, history) == pytest.approx(wanted, rel=1e-9)


def test_smoothings_are_estimated_where_texts_are_as_of_a_language():
    texts = zipfian(1, 2000, 3000)
    for smoothing in SMOOTHINGS.keys() - {"katz"}:
        assert made(texts, 2, smoothing).notes == ()
    assert made(zipfian(1, 6000, 3000), 2, "katz").notes == ()
    noted = made(["a", "a b"], 2, "kneser-ney").notes
    assert [note[:31] for note in noted] == [
        f"the discounts of {n}-grams are 0.5"[:31] for n in (1, 2)
    ]


@given(TEXTS, st.sampled_from(sorted(SMOOTHINGS)), st.integers(1, 5))
def test_probabilities_after_any_history_add_up_to_one(texts, smoothing, order):
    model = made(texts, order, smoothing)
    words = [word for word in model.words if word != "<s>"]
    for history in [*HISTORIES, *texts[:2]]:
        total = sum(model.probability(word, history) for word in words)
        assert total == pytest.approx(1, abs=1e-9)


@given(TEXTS, st.sampled_from(sorted(SMOOTHINGS)))
def test_only_maximum_likelihood_calls_a_word_impossible(texts, smoothing):
    model = made(texts, 3, smoothing)
    least = min(model.probability("new", history) for history in HISTORIES)
    assert (least == 0) == (smoothing == "maximum-likelihood")


def test_the_restaurant_book_and_chen_and_goodman():
    # Jurafsky and Martin, Speech and Language Processing (3rd edition), section 3.1
    texts = ["I am Sam", "Sam I am", "I do not like green eggs and ham"]
    model = made(texts, 2, "maximum-likelihood")
    published = {
        **{("I", "<s>"): 2 / 3, ("Sam", "<s>"): 1 / 3, ("am", "I"): 2 / 3},
        **{("</s>", "Sam"): 1 / 2, ("Sam", "am"): 1 / 2, ("do", "I"): 1 / 3},
    }
    found = {key: model.probability(*key) for key in published}
    assert found == pytest.approx(published)
    # Chen and Goodman (1998), section 1.1
    texts = [
        *("JOHN READ MOBY DICK", "MARY READ A DIFFERENT BOOK"),
        "SHE READ A BOOK BY CHER",
    ]
    model = made(texts, 2, "maximum-likelihood")
    john = demur.text_perplexity(["JOHN READ A BOOK"], model)
    assert 2 ** -(john.bits_per_token * 5) == pytest.approx(1 / 18)  # about 0.06
    cher = demur.text_perplexity(["CHER READ A BOOK"], model)
    assert (cher.perplexity, cher.impossible) == (math.inf, 2)
    assert "probability 0" in cher.notes[0]
    assert cher.to_dict()["perplexity"] == "inf"
    unknown = demur.text_perplexity(["JOHN READ A NOVEL"], model)
    assert (unknown.perplexity, unknown.impossible) == (math.inf, 0)
    assert "out of the vocabulary probability 0" in unknown.notes[0]
    assert "share the probability" not in str(unknown)


# -- ARPA files ------------------------------------------------------------------------


@given(TEXTS, st.sampled_from(sorted(SMOOTHINGS)), st.integers(1, 4))
def test_a_model_that_is_written_and_read_is_the_same(texts, smoothing, order):
    model = made(texts, order, smoothing)
    again = demur.read_arpa(io.BytesIO(written(model)))
    assert again.ngrams == model.ngrams
    for history in [*HISTORIES, *texts[:2]]:
        for word in model.words:
            wanted = model.probability(word, history)
            assert again.probability(word, history) == pytest.approx(wanted, rel=1e-7)
    assert written(again) == written(model)


def written(model, ending="") -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"model.arpa{ending}")
        model.write_arpa(path)
        return path.read_bytes()


def test_files_may_be_compressed():
    model = made(["a b", "b"], 2, "witten-bell")
    packed = written(model, ".gz")
    assert gzip.decompress(packed) == written(model)
    assert demur.read_arpa(io.BytesIO(packed)).ngrams == model.ngrams


FILE = """what comes before is not read
\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-0.5\t<UNK>
-99\t<s>\t-0.25
-0.5 </s>
-0.75\tcat\t-0.5

\\2-grams:
-0.1 <s> cat
-0.2\tcat </s>

\\end\\
"""


def read(text: str):
    return demur.read_arpa(io.BytesIO(text.encode()))


def test_a_file_by_hand():
    model = read(FILE)
    assert (model.order, model.ngrams) == (2, (4, 2))
    log10 = {
        ("cat", "<s>"): -0.1,
        ("</s>", "<s>"): -0.25 - 0.5,
        ("</s>", "cat"): -0.2,
        ("cat", "cat"): -0.5 - 0.75,
        ("dog", "cat"): -0.5 - 0.5,
        ("cat", "dog"): -0.75,
    }
    for (word, history), wanted in log10.items():
        assert math.log10(model.probability(word, history)) == pytest.approx(wanted)
    assert model.probability("<s>", "cat") == 0
    found = demur.text_perplexity(["cat", "dog cat"], model)
    # KenLM: 10 ** -(total / tokens), with and without OOVs
    total, oov = -0.1 - 0.2 - 0.25 - 0.5 - 0.75 - 0.2, -0.25 - 0.5
    assert found.perplexity == pytest.approx(10 ** (-total / 5))
    assert found.perplexity_known == pytest.approx(10 ** (-(total - oov) / 4))
    assert found.perplexity_per_word == pytest.approx(10 ** (-(total - oov) / 2))
    assert (found.tokens, found.words, found.oov, found.texts) == (5, 3, 1, 2)
    assert found.oov_rate == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "stream:1: the file must have a line \\data\\"),
        ("ngram 1=4", "ngram 1 4", ":3: a count must be as ngram 1=100; got 'ngram 1"),
        ("ngram 2=2", "ngram 3=2", ":4: the next count must be of 2-grams; got of 3-"),
        ("ngram 1=4", "ngram 1=5", ":12: the section \\1-grams: must have the 5"),
        ("ngram 1=4", "ngram 1=3", ":10: the section \\1-grams: must have the 3"),
        ("\\2-grams:", "\\3-grams:", ":12: the next section must be \\2-grams:; got"),
        ("-0.75\t", "high\t", ":10: the logarithm of a probability must be a number"),
        ("-0.75\t", "0.75\t", ":10: the logarithm of a probability must be 0 or below"),
        ("cat\t-0.5", "cat\tnan", ":10: the back-off weight must be a number; got 'na"),
        ("<s> cat", "<s> the big cat", ":13: the entry must have a logarithm, 2 words"),
        ("<s> cat", "cat", ":13: the entry must have a logarithm, 2 words"),
        ("<s> cat", "dog cat", ":13: 'dog', which the n-gram holds, must be listed"),
        ("<s> cat", "<s> dog", ":13: 'dog', which the n-gram holds, must be listed"),
        ("<s> cat", "cat </s>", ":14: an n-gram must stand there once; got 'cat </s>'"),
        ("-0.5 </s>", "-0.5 end", "the words must hold </s>"),
        ("\\end\\", "", "the file must end with \\end\\; got no such line"),
        ("\\end\\", "\\3-grams:", "the next section must be \\end\\ after 2-grams"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(old, new, message):
    with pytest.raises(demur.InputError) as refused:
        read(FILE.replace(old, new, 1))
    assert message in str(refused.value)


@pytest.mark.parametrize("lines", range(1, 15))
def test_a_file_that_is_cut_off_is_refused(lines):
    with pytest.raises(demur.InputError, match="stream:"):
        read("\n".join(FILE.split("\n")[:lines]))


SPECIAL = ["", "0", "\t", "\n", "\\", "nan", "1e999", "<s>", "</s>", "\x00", "é", "=9"]


@given(st.integers(0, len(FILE)), st.integers(0, 9), st.sampled_from(SPECIAL))
def test_a_damaged_file_is_read_or_refused_with_its_line(at, length, special):
    text = FILE[:at] + special + FILE[at + length :]
    try:
        read(text)
    except demur.InputError:
        with pytest.raises(demur.InputError, match=r"^stream:\d+: "):
            read(text)


def test_a_model_without_unknown_words():
    model = read(FILE.replace("-0.5\t<UNK>\n", "").replace("1=4", "1=3"))
    found = demur.text_perplexity(["cat dog"], model)
    [no_chance] = [note for note in found.notes if "out of the vocabulary" in note]
    assert "probability 0" in no_chance
    assert (found.perplexity, found.oov, found.impossible) == (math.inf, 1, 0)
    assert found.perplexity_known < 10
    assert b"<unk>" not in written(model)


# -- perplexity ------------------------------------------------------------------------


@given(TEXTS, st.randoms())
def test_the_order_of_texts_makes_no_difference(texts, chance):
    model = made(["a b", "b c a"], 3, "witten-bell")
    shuffled = [*texts]
    chance.shuffle(shuffled)
    one, two = (demur.text_perplexity(each, model) for each in (texts, shuffled))
    assert one.perplexity == pytest.approx(two.perplexity)
    assert (one.interval is None) == (two.interval is None) == (len(texts) < 5)
    if one.interval:
        assert one.interval == pytest.approx(two.interval)
        assert one.interval[0] <= one.perplexity <= one.interval[1]


def test_texts_that_are_repeated_have_the_same_perplexity():
    model = made(zipfian(1, 50, 20), 2, "kneser-ney")
    texts = zipfian(2, 20, 25)
    one, two = (demur.text_perplexity(texts * n, model) for n in (1, 2))
    assert two.perplexity == pytest.approx(one.perplexity)
    documents = [*range(20)] * 2
    clustered = demur.text_perplexity(texts * 2, model, cluster=documents)
    assert clustered.interval == pytest.approx(one.interval)
    assert two.interval[1] < one.interval[1]
    assert clustered.recipe["units"] == "clusters"


def test_equally_likely_words_are_as_many_as_the_perplexity():
    words = "".join(f"-0.90309\t{word}\n" for word in ["<unk>", "</s>", *"abcdef"])
    model = read(f"\\data\\\nngram 1=8\n\\1-grams:\n{words}\\end\\")
    found = demur.text_perplexity(["a b", "c", "z"], model)
    assert found.perplexity == pytest.approx(8, rel=1e-5)
    assert found.bits_per_token == pytest.approx(3, rel=1e-5)


def test_the_intervals_hold_the_perplexity_of_many_texts():
    model = made(zipfian(1, 100, 20), 2, "kneser-ney")
    whole = demur.text_perplexity(zipfian(2, 5000, 25), model).perplexity
    held = 0
    for seed in range(60):
        low, high = demur.text_perplexity(zipfian(seed + 3, 40, 25), model).interval
        held += low <= whole <= high
    assert 52 <= held < 60


def test_letters_are_read_alike_in_training_and_in_tests():
    model = demur.ngram_model(["The cat."], order=1, reading="letters")
    assert demur.text_perplexity(["THE, CAT"], model).oov == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: demur.ngram_model([]), "the texts must hold at least one"),
        (lambda: demur.ngram_model(["a"], order=6), "order must be at most 5; got 6"),
        (lambda: demur.ngram_model(["a"], order=0), "order must be a whole number"),
        (lambda: demur.ngram_model(["a"], smoothing="katze"), "Did you mean 'katz'?"),
        (lambda: demur.ngram_model(["a"], add=0), "add must be above 0"),
        (lambda: demur.ngram_model(["a", "a </s>"]), "row 1 of the texts must hold no"),
        (lambda: scored([]), "the texts must hold at least one"),
        (lambda: scored(["<s> a"]), "row 0 of the texts must hold no <s>"),
        (lambda: scored("a b"), "texts must be"),
        (lambda: demur.text_perplexity(["a"], "b"), "model must be a NgramModel"),
        (lambda: scored(["a"], cluster=[1, 2]), "cluster must be as many as texts, 1"),
        (lambda: scored(["a"], cluster=[None]), "cluster of row 0 must be a name"),
        (lambda: scored(["a"], level=2), "level must be"),
        (lambda: made(["a"], 1, "add-k").probability("a b"), "word must be one word"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(demur.InputError) as refused:
        call()
    assert message in str(refused.value)


def scored(texts, **how):
    return demur.text_perplexity(texts, demur.ngram_model(["a b"]), **how)


def test_texts_without_words_have_ends_alone():
    found = scored(["", ""])
    assert (found.tokens, found.oov_rate, found.perplexity_per_word) == (2, None, None)
    assert found.interval is None
    assert "no interval: too few items (2)" in found.notes[-1]


# -- against KenLM ---------------------------------------------------------------------


def golden(name: str) -> list[str]:
    return (GOLDEN / name).read_text("utf-8").splitlines()


def entries(model) -> dict[str, tuple[float, float]]:
    """Logarithms and back-off weights by n-gram."""
    listed, names = {}, [""]
    for table in model.tables:
        words = [model.words[number] for number in table.word]
        pairs = zip(table.context, words, strict=True)
        names = [f"{names[row]} {word}".strip() for row, word in pairs]
        logs = zip(table.log10, table.backoff, strict=True)
        listed |= dict(zip(names, logs, strict=True))
    return listed


def test_kneser_ney_is_that_of_kenlm():
    wanted = entries(demur.read_arpa(GOLDEN / "kenlm.arpa"))
    found = entries(made(golden("train.txt"), 3, "kneser-ney"))
    assert found.keys() == wanted.keys()
    for name, pair in wanted.items():
        assert found[name] == pytest.approx(pair, abs=2e-7), name


def test_perplexities_are_those_of_kenlm():
    # by its program query, of the same commit, from kenlm.arpa and test.txt
    model = demur.read_arpa(GOLDEN / "kenlm.arpa")
    found = demur.text_perplexity(golden("test.txt"), model)
    assert found.perplexity == pytest.approx(16.551417692292564, rel=1e-6)
    assert found.perplexity_known == pytest.approx(14.921826593645644, rel=1e-6)
    assert (found.oov, found.tokens) == (4, 63)


def test_one_unknown_word_is_one():
    model = demur.ngram_model(["the cat sat", "the dog ran"], smoothing="witten-bell")
    said = demur.text_perplexity(["the bird sat"], model).sentence()
    assert "without the 1 word that is not in the vocabulary" in said
    said = demur.text_perplexity(["a bird sat"], model).sentence()
    assert "without the 2 words that are not in the vocabulary" in said


@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz", "witten-bell"])
def test_short_texts_have_no_long_ngrams(smoothing):
    model = demur.ngram_model(["yes", "no"], order=5, smoothing=smoothing)
    shorter = demur.ngram_model(["yes", "no"], order=3, smoothing=smoothing)
    found, wanted = (demur.text_perplexity(["yes"], each) for each in (model, shorter))
    assert found.perplexity == pytest.approx(wanted.perplexity)

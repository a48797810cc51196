"""Word error rate: golden cases, another package, a plain twin, and bad texts."""

import math
import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr

import demur
from builders import printed, printed_json, refuses, stderr_of, undefined, write_records
from demur.metrics.matched_pairs import matched_pairs
from demur.metrics.word_alignments import count_edits, steps_of
from demur.statistics.units import FEWEST_UNITS, t_quantile
from nlu_cases import case, cases

texts = st.lists(st.sampled_from("abc"), max_size=6)


def distance(first, second):
    """The fewest substitutions, deletions and insertions, by plain recursion."""

    @cache
    def far(i, j):
        if i == len(first) or j == len(second):
            return len(first) - i + len(second) - j
        same = first[i] != second[j]
        return min(far(i + 1, j + 1) + same, far(i + 1, j) + 1, far(i, j + 1) + 1)

    return far(0, 0)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_errors_are_the_fewest(pairs):
    counts = count_edits(pairs)
    for row, (first, second) in enumerate(pairs):
        substituted, deleted, inserted, _ = counts[row]
        assert sum(counts[row, :3]) == distance(tuple(first), tuple(second))
        steps = steps_of(first, second)
        assert [left for _, left, _ in steps if left is not None] == first
        assert [right for _, _, right in steps if right is not None] == second
        tags = [tag for tag, _, _ in steps]
        assert tags.count("replace") == substituted
        assert tags.count("delete") == deleted
        assert tags.count("insert") == inserted
        changed = inserted - deleted
        assert changed == len(second) - len(first)


@pytest.mark.parametrize("one", cases("asr.wer"))
def test_golden_rates(one):
    given_, wanted = one["input"], one["expected"]
    if "pairs" in given_:
        refs, hyps = zip(*given_["pairs"], strict=True)
    elif isinstance(given_["ref"], list):
        refs, hyps = given_["ref"], given_["hyp"]
    else:
        refs, hyps = [given_["ref"]], [given_["hyp"]]
    found = demur.word_errors(hypotheses=hyps, references=refs)
    figures = {
        "S": found.substitutions,
        "D": found.deletions + deleted_as_declined(found),
        "I": found.insertions,
        "N": found.wer.units,
        "wer": found.wer.value,
        "pooled": found.wer.value,
        "corpus_wer": found.wer.value,
        "corpus_insertions": found.insertions,
    }
    for name in figures.keys() & wanted.keys():
        assert figures[name] == pytest.approx(wanted[name], abs=1e-6), name


def test_golden_vocabularies():
    one = case("oov_rate")
    given_, wanted = one["input"], one["expected"]
    found = demur.out_of_vocabulary(
        given_["vocab"],
        hypotheses=[" ".join(given_["hyp"])],
        references=[" ".join(given_["ref"])],
    )
    figures = (found.oov_rate, found.oov_type_rate, found.missed_rate)
    assert figures == pytest.approx(tuple(wanted.values()), abs=1e-6)


@pytest.mark.parametrize("one", cases("lm.perplexity"))
def test_golden_perplexities(one):
    given_ = one["input"].get("p") or one["input"]["word_probs"]
    wanted = one["expected"]["perplexity"]
    for base, log in ((math.e, math.log), (2, math.log2), (10, math.log10)):
        found = demur.perplexity([log(p) for p in given_], base=base)
        assert found == pytest.approx(wanted, abs=1e-6)


def deleted_as_declined(found):
    """Other packages count the words of an empty hypothesis among the deletions."""
    return int(found.counted.units[~found.counted.answered].sum())


def noisy(n=300, seed=0, rate=0.15, same=0):
    rng = np.random.default_rng(same)
    words = [f"w{k}" for k in range(40)]
    refs = [" ".join(rng.choice(words, rng.integers(1, 12))) for _ in range(n)]
    rng = np.random.default_rng(seed + 100)
    hyps = []
    for text in refs:
        heard = []
        for word in text.split():
            draw = rng.random()
            if draw < rate / 3:
                continue
            heard.append(rng.choice(words) if draw < 2 * rate / 3 else word)
            if draw > 1 - rate / 3:
                heard.append(rng.choice(words))
        hyps.append(" ".join(heard))
    return refs, hyps


def test_another_package_counts_the_same():
    jiwer = pytest.importorskip("jiwer")
    refs, hyps = noisy()
    found = demur.word_errors(hypotheses=hyps, references=refs)
    theirs = jiwer.process_words(refs, hyps)
    assert found.wer.value == pytest.approx(theirs.wer)
    deletions = found.deletions + deleted_as_declined(found)
    assert found.declined == hyps.count("") > 0
    assert (found.substitutions, deletions, found.insertions) == (
        theirs.substitutions,
        theirs.deletions,
        theirs.insertions,
    )


def test_declined_utterances_are_deleted_and_stand_apart():
    refs, hyps = noisy()
    some = [None if k % 3 == 0 else text for k, text in enumerate(hyps)]
    found = demur.word_errors(hypotheses=some, references=refs)
    kept = [k for k in range(len(refs)) if k % 3]
    answered = demur.word_errors(
        hypotheses=[hyps[k] for k in kept], references=[refs[k] for k in kept]
    )
    assert found.wer_answered.value == answered.wer_answered.value
    assert (found.substitutions, found.insertions) == (
        answered.substitutions,
        answered.insertions,
    )
    gone = sum(len(refs[k].split()) for k in range(0, len(refs), 3))
    assert found.wer.errors == answered.wer.errors + gone
    assert found.declined == sum(not text for text in some)
    whole = demur.word_errors(hypotheses=hyps, references=refs)
    wrong = [text is None or whole.counted.errors[k] > 0 for k, text in enumerate(some)]
    assert found.sentence_error == pytest.approx(np.mean(wrong))
    flagged = demur.word_errors(
        {"ref": refs, "hyp": hyps, "declined": [k % 3 == 0 for k in range(len(refs))]}
    )
    assert flagged.wer == found.wer


def test_outcomes_weigh_words_and_keep_the_rate():
    refs, hyps = noisy()
    refs, hyps = [*refs, "", "one"], [*hyps, "what", "one two three four"]
    found = demur.word_errors(
        {"ref": refs, "hyp": hyps, "confidence": [k / 400 for k in range(len(refs))]}
    )
    outcomes = found.outcomes()
    assert (found.empty_references, len(outcomes)) == (1, len(refs) - 1)
    assert found.clipped >= 1
    curve = demur.error_return(outcomes)
    clipped = np.minimum(found.counted.errors, found.counted.units)
    # As if all that was declined were wrong, as it counts in the rate.
    assert curve.forced_choice_error[1] == pytest.approx(
        clipped.sum() / found.wer.units
    )
    assert any("empty reference" in note for note in outcomes.notes)
    assert any("more errors" in note for note in outcomes.notes)


@pytest.mark.parametrize("size", [1, 5])
def test_intervals_hold_the_truth_as_often_as_they_say(size):
    rng, held, n = np.random.default_rng(0), 0, 300
    for _ in range(n):
        # 40 speakers; each has an error rate of its own.
        rates = rng.beta(2, 18, 40).repeat(size)
        words = rng.integers(1, 10, 40 * size)
        errors = rng.binomial(words, rates)
        refs = [" ".join(["a"] * k) for k in words]
        heard = zip(words, errors, strict=True)
        hyps = [" ".join(["b"] * e + ["a"] * (k - e)) for k, e in heard]
        found = demur.word_errors(
            {"ref": refs, "hyp": hyps, "cluster": np.arange(40).repeat(size)}
        )
        low, high = found.wer.interval
        held += low <= 0.1 <= high
    assert 0.9 < held / n < 0.98


@pytest.mark.parametrize("word", ["true", "Yes", "1", 1, True, 1.0])
def test_declined_in_several_words(word):
    table = {"ref": ["a", "a"], "hyp": ["a", "a"], "declined": [word, "false"]}
    found = demur.word_errors(table)
    assert (found.declined, found.wer.value) == (1, 0.5)
    (table,) = found.tables()
    assert table.to_columns()["declined"] == [1]
    assert str(found).startswith("The word error rate is 0.500: 1 error on 2 words")


def test_readings():
    found = demur.word_errors(
        hypotheses=["it's me"], references=["It's  Me!"], reading="letters"
    )
    assert found.wer.value == 0
    assert (
        demur.word_errors(hypotheses=["it's me"], references=["It's  Me!"]).wer.value
        == 1
    )
    assert "reading:letters" in found.signature


# -- two recognisers -----------------------------------------------------------------


def test_differences_are_tested_over_speakers():
    refs, first = noisy(seed=1)
    second = noisy(seed=2, rate=0.3)[1]
    speaker = [k % 30 for k in range(len(refs))]
    a, b = (
        demur.word_errors({"ref": refs, "hyp": hyps, "cluster": speaker})
        for hyps in (first, second)
    )
    found = demur.compare_words(a, b)
    assert (found.wer_a, found.wer_b) == (a.wer.value, b.wer.value)
    assert found.difference == pytest.approx(b.wer.value - a.wer.value)
    assert found.interval[0] > 0
    assert max(found.p_value, found.segments.p_value) < 0.001
    assert found.bootstrap == pytest.approx(found.interval, abs=0.01)
    assert found.bootstrap_p < 0.01
    turned = demur.compare_words(b, a)
    assert turned.difference == -found.difference
    assert turned.segments.z == -found.segments.z


def segments_by_hand(reference, first, second):
    """What lies between two words or more that both have right, and has an error."""
    events = {}  # a place of the reference -> the errors of both; halves lie between
    for who, heard in enumerate((first, second)):
        at = 0
        for tag, word, _ in steps_of(reference, heard):
            place = at if word is not None else at - 0.5
            events.setdefault(place, [0, 0])[who] += tag != "equal"
            at += word is not None
    letters = "".join("e" if any(events[place]) else "g" for place in sorted(events))
    pieces = [match.span() for match in re.finditer("e(ge|e)*", letters)]
    errors = [events[place] for place in sorted(events)]
    return [sum(b - a for a, b in errors[slice(*piece)]) for piece in pieces]


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4))
def test_segments_are_those_of_the_definition(rows):
    wanted = [gap for row in rows for gap in segments_by_hand(*row)]
    found = (
        matched_pairs(*zip(*rows, strict=True)) if rows else matched_pairs(*[[]] * 3)
    )
    assert found.segments == len(wanted)
    assert found.mean == pytest.approx(np.mean(wanted or [0]))


@pytest.mark.parametrize(
    ("first", "second", "segments", "mean"),
    [
        ("abcdefgh", "abcdefgh", 0, 0),
        ("abcdefgh", "Xbcidefgh", 2, 1),  # an insertion leaves both words beside it
        ("abcdefgh", "XbcideFgh", 3, 1),
        ("abcdefgh", "Xbicdefgh", 1, 2),  # one good word between
        ("abcdefgh", "XbcXefgh", 2, 1),
        ("abcdefgh", "XbXdefgh", 1, 2),
        ("xbcdefyh", "xbxdefgh", 2, 0),  # [a b c] has 1 and 2 errors, [g h] 1 and 0
        ("xbcxefgh", "xbcyefgh", 2, 0),  # an error of both in each
        ("abcdefgh", "iabcdefgh", 1, 1),
        ("abcdefgh", "abcdefghi", 1, 1),
        ("abcdefgh", "", 1, 8),
    ],
)
def test_segments_are_parted_by_two_words_that_both_have_right(
    first, second, segments, mean
):
    found = matched_pairs([[*"abcdefgh"]], [[*first]], [[*second]])
    assert (found.segments, found.mean) == (segments, mean)
    assert found.p_value == (None if mean else 1.0)
    turned = matched_pairs([[*"abcdefgh"]], [[*second]], [[*first]])
    assert (turned.segments, turned.mean) == (segments, -mean)


def test_ten_segments_have_a_p_value():
    ref = [[*"abc"]]
    for n, p_value in ((9, None), (10, 2.0**-9)):
        alike = matched_pairs(ref * n, ref * n, [[*"xbc"]] * n)
        assert (alike.segments, alike.z, alike.p_value) == (n, 0.0, p_value)
    apart = [[*"xyc"], [*"xbc"]] * 5
    found = matched_pairs(ref * 10, ref * 10, apart)
    z = 1.5 / (np.std([1, 2] * 5, ddof=1) / np.sqrt(10))
    assert found.z == pytest.approx(z)
    assert found.p_value == pytest.approx(2 * stdtr(9, -z))


@pytest.mark.parametrize(("speakers", "said"), [(None, "also those"), (3, "see the")])
def test_what_segments_take_as_independent_is_said(speakers, said):
    table = {"ref": ["a b c"] * 9, "hyp": ["a b c"] * 9}
    if speakers:
        table["cluster"] = [k % speakers for k in range(9)]
    a, b = (demur.word_errors({**table, "hyp": [h] * 9}) for h in ("a b c", "x b c"))
    where, few, *units = demur.compare_words(a, b).notes
    assert len(units) == bool(speakers)
    assert said in where
    assert few == (
        "MAPSSWE has no p value: 9 segments are too few, at least 10 are needed"
    )
    assert len(demur.compare_words(a, a).notes) == 1 + bool(speakers)


def test_true_nulls_are_rejected_as_seldom_as_the_level_says():
    rejected = np.zeros(3)
    for seed in range(150):
        refs, first = noisy(120, seed=2 * seed, same=seed)
        second = noisy(120, seed=2 * seed + 1, same=seed)[1]
        found = demur.compare_words(
            *(
                demur.word_errors(hypotheses=hyps, references=refs)
                for hyps in (first, second)
            )
        )
        p_values = (found.p_value, found.bootstrap_p, found.segments.p_value)
        rejected += np.array(p_values) < 0.05
    assert (rejected / 150 < 0.11).all()


@pytest.mark.parametrize("size", [1, 3])
def test_the_interval_of_a_difference_is_that_of_utterances_left_out(size):
    refs, first = noisy(30, seed=1)
    speaker = np.arange(30) // size
    a, b = (
        demur.word_errors({"ref": refs, "hyp": hyps, "cluster": speaker.tolist()})
        for hyps in (refs, first)
    )
    errors, words = b.counted.errors, b.counted.units
    without = [
        errors[speaker != k].sum() / words[speaker != k].sum() for k in set(speaker)
    ]
    n = len(without)
    deviation = np.sqrt((n - 1) / n * ((without - np.mean(without)) ** 2).sum())
    reach = t_quantile(0.95, n) * deviation
    found = demur.compare_words(a, b)
    assert found.difference == pytest.approx(errors.sum() / words.sum())
    ends = found.difference - reach, found.difference + reach
    assert found.interval == pytest.approx(ends, abs=0.02 * reach)
    assert found.bootstrap == pytest.approx(ends, abs=0.3 * reach)


@pytest.mark.parametrize(
    ("names", "rates", "said"),
    [
        (("", ""), (0.1, 0.4), r"^a has fewer word errors than b, .*, beyond luck \(p"),
        (("x", "y"), (0.4, 0.1), r"^y has fewer .* than x, .*, beyond luck \(p"),
        (("x", ""), (0.2, 0.21), r"^x has fewer .* b, .*, but luck may explain that"),
        (("x", "y"), (0.3, 0.3), r"^x and y have the same word error rate, 0\.\d+\.$"),
    ],
)
def test_the_verdict_on_two_recognisers(names, rates, said):
    refs, first = noisy(120, seed=3, rate=rates[0])
    second = noisy(120, seed=3, rate=rates[1])[1]
    a, b = (
        demur.word_errors(hypotheses=hyps, references=refs, system=name)
        for name, hyps in zip(names, (first, second), strict=True)
    )
    found = demur.compare_words(a, b)
    assert re.search(said, found.sentence()), found.sentence()
    title = f"{names[1] or 'b'} less {names[0] or 'a'}"
    assert found.tables()[0].title == title
    [whole] = a.tables()
    heads = [column.head for column in whole.columns]
    assert {"WER", "WER answered", "words"} <= set(heads)


def test_so_few_utterances_have_an_interval():
    for many in (FEWEST_UNITS - 1, FEWEST_UNITS):
        refs, first = noisy(many, seed=1)
        a, b = (
            demur.word_errors(hypotheses=hyps, references=refs)
            for hyps in (refs, first)
        )
        found = demur.compare_words(a, b)
        shown = (found.interval, found.p_value, found.bootstrap, found.bootstrap_p)
        assert [value is not None for value in shown] == [many == FEWEST_UNITS] * 4
        few = f"too few items ({many}): how much they vary is not known."
        for result, start in (
            (a, "no interval: "),
            (found, "no test over utterances: "),
        ):
            notes = [note for note in result.notes if note.startswith(start + few)]
            assert len(notes) == (many < FEWEST_UNITS)
        reason = [figure.why_undefined for figure in found.figures()][-1]
        assert reason.startswith(few) == (many < FEWEST_UNITS)


def test_why_there_is_no_interval_counts_what_has_words():
    table = {"ref": ["a b", "c", "", "d", "e", "f"], "hyp": ["a", "c", *"xdef"]}
    assert demur.word_errors(table).wer.interval is not None
    table["cluster"] = [1, 2, 9, 3, 4, 4]
    found = demur.word_errors(table)
    assert found.wer.interval is None
    assert found.notes[-1].startswith("no interval: too few clusters (4): ")
    del table["cluster"]
    answered = demur.word_errors(table | {"hyp": ["a", "c", "x", "d", None, "f"]})
    assert answered.wer_answered.interval is None
    assert answered.notes[-1].startswith(
        "no interval where answered: too few items (4)"
    )
    empty = demur.word_errors({"ref": [""], "hyp": ["a"]})
    assert not any("interval" in note for note in empty.notes)


def two_systems(order, other=""):
    """A table of two systems, the second one's rows in an order of their own."""
    refs, first = noisy(40, seed=1)
    second = noisy(40, seed=2, rate=0.3)[1]
    columns = {name: [] for name in ("item", "system", "ref", "hyp")}
    for system, hyps, rows in (("a", first, range(40)), ("b", second, order)):
        for k in rows:
            item = f"u{k}{other if system == 'b' else ''}"
            row = (item, system, "yes please" if other else refs[k], hyps[k])
            for values, value in zip(columns.values(), row, strict=True):
                values.append(value)
    return [
        dict(zip(columns, row, strict=True))
        for row in zip(*columns.values(), strict=True)
    ]


def test_two_systems_are_compared_item_by_item(tmp_path):
    found = []
    for order in (range(40), np.random.default_rng(0).permutation(40).tolist()):
        path = write_records(tmp_path / "t.jsonl", two_systems(order))
        found.append(printed_json("metrics", "words", path)["comparison"])
    plain, shuffled = found
    assert (shuffled["p_value"], shuffled["segments"]) == (
        pytest.approx(plain["p_value"]),
        plain["segments"],
    )
    assert shuffled["interval"] == pytest.approx(plain["interval"])
    assert shuffled["bootstrap"] == pytest.approx(plain["bootstrap"])


def test_systems_without_a_common_item_are_not_compared(tmp_path):
    path = write_records(tmp_path / "t.jsonl", two_systems(range(40), "other"))
    said = printed("metrics", "words", path)
    assert said.startswith("No item is common")
    assert "fewer word errors" not in said
    assert "comparison" not in printed_json("metrics", "words", path)
    gate = ["--fail-if", "p_value < 0.5"]
    assert "name must be one of" in stderr_of("metrics", "words", path, *gate)
    a, b = (
        demur.word_errors({"ref": ["a"], "hyp": ["a"], "item": [name]}) for name in "xy"
    )
    refuses("the same items", demur.compare_words, a, b)


def test_recognisers_of_other_texts_are_not_compared():
    one, other = (
        demur.word_errors(hypotheses=["a"], references=[text]) for text in "ab"
    )
    refuses("same references", demur.compare_words, one, other)


# -- bad texts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refs", "hyps", "words"),
    [
        (["a"], ["a", "b"], "as many as references, 1"),
        ([None], ["a"], "row 1: ref must be a text"),
        (["a"], [3], "row 1: hyp must be a text"),
        ([], [], "the rows must be at least one; got none"),
        ([{"ref": "a"}], None, "have hyp"),
        (
            [{"ref": "a", "hyp": "a", "system": name} for name in "xy"],
            None,
            "record 2: the table must be of one system; got 'x' and 'y'",
        ),
        (
            [{"ref": "a", "hyp": "a", "item": "q"}] * 2,
            None,
            "item q must be there once",
        ),
        ([{"ref": "a", "hyp": "a", "declined": "maybe"}], None, "true or false"),
        ([{"ref": "a", "hyp": "a", "confidence": "x"}], None, "be a number"),
    ],
)
def test_texts_that_are_none(refs, hyps, words):
    refuses(words, demur.word_errors, hypotheses=hyps, references=refs)


def test_an_empty_reference_alone_has_no_rate():
    found = demur.word_errors(hypotheses=["a b"], references=[""])
    assert (found.wer.value, found.insertions) == (None, 2)
    undefined("every reference is empty", found.outcomes)


@pytest.mark.parametrize(
    ("logs", "message"),
    [([], "0 or below"), ([0.1], "0 or below"), ([float("nan")], "be a number")],
)
def test_logarithms_that_are_none(logs, message):
    refuses(message, demur.perplexity, logs)


def test_an_utterance_that_is_not_there():
    found = demur.word_errors(hypotheses=[None], references=["a"])
    refuses("one of these texts.* numbered from 0", found.alignment, "q9")
    refuses("have a hypothesis", found.alignment, 0)


# -- the command ---------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    refs, hyps = noisy()
    paths = []
    for name, lines in (("ref", refs), ("a", hyps), ("b", noisy(seed=5)[1])):
        path = tmp_path / f"{name}.txt"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        paths.append(str(path))
    return paths


def test_the_command_reads_lines(files):
    shown = printed_json("metrics", "words", *files[:2])
    refs, hyps = noisy()
    found = demur.word_errors(hypotheses=hyps, references=refs)
    assert shown["wer"] == found.wer.value
    assert shown["reference_words"] == found.wer.units
    assert shown["interval"] == list(found.wer.interval)
    said = printed("metrics", "words", *files)
    assert "has fewer word errors than" in said
    assert "b less a" in said
    assert found.alignment(3) in printed("metrics", "words", *files[:2], "--align", "3")


def test_columns_may_be_called_otherwise(tmp_path):
    refs, hyps = noisy()
    path = tmp_path / "t.jsonl"
    rows = [
        {"said": ref, "heard": hyp, "who": f"s{k % 9}"}
        for k, (ref, hyp) in enumerate(zip(refs, hyps, strict=True))
    ]
    write_records(path, rows)
    names = ["--ref", "said", "--hyp", "heard", "--cluster", "who"]
    table = {"ref": refs, "hyp": hyps, "cluster": [row["who"] for row in rows]}
    wanted = demur.word_errors(table).wer.interval
    assert printed_json("metrics", "words", path, *names)["interval"] == list(wanted)
    stderr_of("metrics", "words", path, *names[:-1], "speaker")


def test_the_command_writes_outcomes_and_breaks_gates(files, tmp_path):
    out = tmp_path / "o.jsonl"
    printed("metrics", "words", *files, "-o", out)
    outcomes = demur.read_outcomes(out)
    assert outcomes.systems == ("a", "b")
    err = stderr_of("metrics", "words", *files, "--fail-if", "wer > 0.01", code=1)
    assert "gate broken: a: wer" in err
    printed("metrics", "words", *files, "--fail-if", "wer > 0.9")


def test_files_that_do_not_fit_are_named(files, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("a\n", "utf-8")
    err = stderr_of("metrics", "words", files[0], short)
    assert f"{short}: the hypotheses must have 300 lines" in err
    short.write_bytes(b"a\nb\xff\n")
    assert f"{short}:2" in stderr_of("metrics", "words", files[0], short)
    stderr_of("metrics", "words", *files[:2], "--where", "a=b", code=2)
    assert "Of texts name two files" in stderr_of("metrics", "words", files[0])


def test_known_figures_of_slurp(demur_data):
    path = demur_data / "slurp_asr" / "test_asr.jsonl.gz"
    rows = [record for _, record in demur.iter_records(path)]
    table = {
        "ref": [row["ref"] for row in rows],
        "hyp": [row["asr"].replace("< unk >", "") for row in rows],
        "cluster": [row["slurp_id"] for row in rows],
    }
    found = demur.word_errors(table, reading="letters")
    errors = [row["word_errors"] for row in rows]
    assert found.counted.errors.tolist() == errors
    assert found.counted.units.tolist() == [row["ref_words"] for row in rows]
    assert round(found.wer.value, 3) == 0.181


def test_a_script_without_spaces_between_words_is_noted():
    texts = ["\u6771\u4eac\u306b\u884c\u304f", "to Oslo"]
    found = demur.word_errors(hypotheses=texts, references=texts)
    few, note = found.notes
    assert few.startswith("no interval: too few items (2)")
    assert note.startswith("references in a script without spaces between words: 1")

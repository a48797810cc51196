"""The commands about words out of a vocabulary, and about a grammar."""

import pytest

import demur
from builders import printed, printed_json, refuses, run, stderr_of, write_records
from demur.statistics.ratios import ratio_interval

SAID = ["the cat sat", "a dog", "the dog sat", "a cat ran", "hello", ""]
HEARD = ["the bat sat", "a dog", "the dog", "a cat", "", ""]
KNOWN = ["the", "a", "cat", "dog"]
SPEAKERS = ["ann", "ann", "bob", "cy", "dan", "eve"]


def test_rates_have_intervals():
    found = demur.out_of_vocabulary(KNOWN, references=SAID, hypotheses=HEARD)
    assert (found.oov, found.words, found.oov_types, found.types) == (4, 12, 3, 7)
    assert found.oov_rate == pytest.approx(4 / 12)
    assert found.missed_rate == pytest.approx(1 / 8)
    how = {"cluster": None, "level": 0.95, "share": True}
    sizes, unknown, missed = [3, 2, 3, 3, 1, 0], [1, 0, 1, 1, 1, 0], [1, 0, 0, 0, 0, 0]
    assert found.interval == ratio_interval(unknown, sizes, **how)
    known = [size - out for size, out in zip(sizes, unknown, strict=True)]
    assert found.missed_interval == ratio_interval(missed, known, **how)
    few = demur.out_of_vocabulary(KNOWN, references=SAID, cluster=SPEAKERS)
    assert few.interval is None
    assert few.missed_rate is None
    assert "too few clusters (4)" in few.notes[0]
    assert "units:clusters" in few.to_dict()["signature"]


def test_clusters_are_as_many_as_texts():
    words = "cluster must be as many as texts, 6; got 5"
    how = {"references": SAID, "cluster": SPEAKERS[1:]}
    refuses(words, demur.out_of_vocabulary, KNOWN, **how)


@pytest.fixture
def files(tmp_path):
    texts = {
        "words.txt": ["the 1", "a 2", ";; a comment", "cat", "dog", ""],
        "said.txt": SAID,
        "heard.txt": HEARD,
        "said.trn": [f"{text} (s-{row})" for row, text in enumerate(SAID)],
        "heard.trn": [f"{text} (s-{row})" for row, text in enumerate(HEARD)][::-1],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join([*lines, ""]), "utf-8")
    return tmp_path


@pytest.mark.parametrize("ending", ["txt", "trn"])
def test_oov_of_texts(files, ending):
    paths = files / f"said.{ending}", files / f"heard.{ending}"
    asked = "metrics", "oov", *paths, "--vocabulary", files / "words.txt"
    wanted = demur.out_of_vocabulary(KNOWN, references=SAID, hypotheses=HEARD)
    assert printed(*asked) == f"{wanted}\n"
    assert "words.txt: 2 lines have more than a word" in run(*asked).err
    assert run(*asked, "--fail-if", "oov_rate > 0.3").code == 1
    alone = printed_json(*asked[:3], *asked[4:])
    assert (alone["oov"], alone["missed_rate"]) == (4, None)


def test_oov_of_a_table_and_of_segments(files):
    pairs = zip(SAID, HEARD, SPEAKERS, strict=True)
    rows = [{"text": a, "hyp": b, "speaker": c} for a, b, c in pairs]
    table = write_records(files / "t.jsonl", rows)
    asked = "metrics", "oov", "--vocabulary", files / "words.txt"
    found = printed_json(*asked, table, "--text", "text", "--cluster", "speaker")
    assert (found["oov"], found["missed_rate"], found["interval"]) == (4, 0.125, None)
    ann = printed_json(*asked, table, "--text", "text", "--where", "speaker=ann")
    assert (ann["oov"], ann["words"]) == (1, 5)
    (files / "r.stm").write_text("f 1 ann 0.0 2.0 the cat\nf 1 b 2.0 3.0 sat\n")
    (files / "h.ctm").write_text("f 1 0.5 0.1 the\n")
    found = printed_json(*asked, files / "r.stm", files / "h.ctm")
    assert (found["oov"], found["missed_rate"]) == (1, 0.5)
    assert printed_json(*asked, files / "r.stm")["missed_rate"] is None


def test_what_oov_does_not_read(files):
    asked = "metrics", "oov", "--vocabulary", files / "words.txt"
    text = files / "said.txt"
    assert "got 3 files" in stderr_of(*asked, text, text, text, code=2)
    assert "--text COLUMN" in stderr_of(*asked, text, "--where", "a=b", code=2)
    (files / "short.txt").write_text("a\n", "utf-8")
    assert "have 6 lines" in stderr_of(*asked, text, files / "short.txt")


def test_alternatives_are_no_words_that_are_known():
    texts = ["the { cat / dog }"]
    [note, _] = demur.out_of_vocabulary(KNOWN, references=texts).notes
    assert note.endswith("whose signs count as words")


def test_grammar_outcomes_of_a_table(tmp_path):
    columns = {
        "ref": ["yes", None, "no", "yes", "no", "no"] * 3,
        "hyp": ["yes", "no", None, "yes", "yes", "no"] * 3,
        "speaker": ["ann", "bob", "cy", "dan", "eve", "ann"] * 3,
        "system": ["a"] * 9 + ["b"] * 9,
    }
    rows = [
        {name: column[row] for name, column in columns.items()} for row in range(18)
    ]
    table = write_records(tmp_path / "t.jsonl", rows)
    asked = "metrics", "grammar", table, "--cluster", "speaker"
    found = printed_json(*asked, "--where", "system=a")
    part = {name: column[:9] for name, column in columns.items()}
    wanted = demur.grammar_outcomes(
        {**part, "cluster": part["speaker"]}, system="a"
    ).to_dict()
    assert "where:system=a|measure:grammar outcomes" in found["signature"]
    del wanted["signature"]
    assert {name: found[name] for name in wanted} == wanted
    assert wanted["interval"] is not None
    counted = "match", "mismatch", "false_reject", "out_of_grammar_mismatch"
    assert [wanted[name] for name in counted] == [4, 1, 2, 2]
    both = printed(*asked)
    assert "a " in both
    assert "b " in both
    assert run(*asked, "--fail-if", "correct_rate < 0.9").code == 1


def test_grammar_outcomes_of_declined_rows():
    table = {"ref": ["a", "a", None], "hyp": ["a", "a", "b"], "declined": [0, 1, 1]}
    found = demur.grammar_outcomes(table)
    assert (found.match, found.false_reject, found.out_of_grammar_match) == (1, 1, 1)
    assert "too few items (3)" in found.notes[0]


def test_perplexity_reads_ids_off(files):
    train = files / "heard.txt"
    model = demur.ngram_model(HEARD, order=2)
    wanted = demur.text_perplexity(SAID, model)
    asked = "metrics", "perplexity", files / "said.trn", "--order", 2, "--train"
    assert printed(*asked, train) == f"{wanted}\n"
    both = run(*asked, files / "heard.trn")
    assert both.out == f"{wanted}\n"
    assert both.err.count("lines have ids, such as s-") == 2
    half = files / "half.txt"
    half.write_text("a (s-1)\nb (s-2)\nc\n", "utf-8")
    told = run(*asked[:2], half, "--train", train).err
    assert "2 of 3 lines of" in told

"""The command ``demur metrics perplexity``."""

import pytest

import demur
from builders import printed, printed_json, run, stderr_of, write_records

TRAIN = ["the cat sat", "a dog ran", "the dog sat", "a cat ran on"]
TEST = ["the cat ran", "a bird sat", "", "the dog", "hello"]


@pytest.fixture
def files(tmp_path):
    for name, texts in (("train", TRAIN), ("test", TEST)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n", "utf-8")
    return tmp_path


def test_a_text_is_scored_by_a_model_of_another(files):
    asked = (
        "metrics",
        "perplexity",
        files / "test.txt",
        "--train",
        files / "train.txt",
    )
    how = ("--order", 2, "--smoothing", "add-k", "--add", 0.5)
    model = demur.ngram_model(TRAIN, order=2, smoothing="add-k", add=0.5)
    wanted = demur.text_perplexity(TEST, model)
    assert printed(*asked, *how) == str(wanted) + "\n"
    plain = printed_json(*asked, *how)
    assert {name: plain[name] for name in wanted.to_dict()} == wanted.to_dict()
    assert run(*asked, "--fail-if", "perplexity > 2").code == 1
    assert run(*asked, "--fail-if", "oov_rate > 0.5").code == 0
    read = printed_json(*asked, "--reading", "letters")
    assert "reading:letters" in read["signature"]


def test_a_model_is_written_and_read(files):
    asked = ("metrics", "perplexity", files / "test.txt")
    arpa = files / "model.arpa.gz"
    first = printed_json(*asked, "--train", files / "train.txt", "-o", arpa)
    again = printed_json(*asked, "--arpa", arpa)
    assert again["perplexity"] == pytest.approx(first["perplexity"], rel=1e-7)
    assert again["oov"] == first["oov"] == 2


def test_tables_have_documents(files):
    rows = [{"said": text, "doc": f"d{row // 2}"} for row, text in enumerate(TEST * 3)]
    table = write_records(files / "t.jsonl", rows)
    model = demur.ngram_model(TEST * 3, order=3)
    documents = [row["doc"] for row in rows]
    wanted = demur.text_perplexity(TEST * 3, model, cluster=documents)
    asked = ("metrics", "perplexity", table, "--train", table, "--text", "said")
    found = printed_json(*asked, "--cluster", "doc")
    assert found["interval"] == list(wanted.interval)
    assert printed_json(*asked, "--where", "doc=d1")["texts"] == 2
    assert "units:texts" in printed_json(*asked)["signature"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "--train must name a text, or --arpa a model; got neither"),
        (("--arpa", "a", "--order", "2"), 2, "--order must come with --train"),
        (("--arpa", "a", "--smoothing", "katz"), 2, "--smoothing must come with"),
        (("--arpa", "a", "--reading", "letters"), 2, "--reading must come with"),
        (("--train", "train.txt", "--add", "0.5"), 2, "with --smoothing add-k"),
        (("--train", "train.txt", "--cluster", "x"), 2, "--cluster must come with"),
        (("--train", "t", "--arpa", "a"), 2, "or --arpa a model; got both"),
        (
            ("--train", "train.txt", "--where", "a=b"),
            2,
            "--where must come with --text",
        ),
        (("--train", "train.txt", "--order", "6"), 2, "--order"),
        (("--train", "train.txt", "-o", "train.txt"), 2, "not be a file that is read"),
        (("--train", "none.txt"), 4, "none.txt"),
        (("--arpa", "train.txt"), 4, "train.txt:1: the file must have a line \\data\\"),
        (("--train", "train.txt", "--text", "said"), 4, "said"),
    ],
)
def test_what_cannot_be_asked_is_said(words, code, message, files, monkeypatch):
    monkeypatch.chdir(files)
    asked = ("metrics", "perplexity", "test.txt", *words)
    assert message in stderr_of(*asked, code=code)


def test_a_column_of_numbers_is_refused(files):
    table = write_records(files / "t.jsonl", [{"said": "a"}, {"said": 3}])
    asked = ("metrics", "perplexity", table, "--train", table, "--text", "said")
    assert "t.jsonl:2: said must be a text; got 3. Name" in stderr_of(*asked)


def test_with_a_column_the_training_text_is_a_table_too(files):
    table = write_records(files / "t.jsonl", [{"said": "a cat"}])
    asked = ("metrics", "perplexity", table, "--train", files / "train.txt")
    message = stderr_of(*asked, "--text", "said")
    assert "train.txt:2: a record must have said" in message
    assert "With --text, --train is a table too, with this column." in message
    assert "with --text a table" in run("metrics", "perplexity", "--help").out


def test_texts_that_the_model_was_trained_on_are_said_to_be(files):
    train = files / "train.txt"
    said = "is also what the model was trained on"
    assert said in run("metrics", "perplexity", train, "--train", train).err
    assert (
        said
        not in run("metrics", "perplexity", files / "test.txt", "--train", train).err
    )


def test_alternatives_are_said_in_either_file(files):
    for name in ("train", "test"):
        text = "the cat sat (q-1)\n{ a / b } c (q-2)\n"
        (files / f"{name}.trn").write_text(text, "utf-8")
    asked = (
        "metrics",
        "perplexity",
        files / "test.trn",
        "--train",
        files / "train.trn",
    )
    said = run(*asked).err
    for name in ("train", "test"):
        assert (
            f"{name}.trn: 1 of 2 texts has alternatives, such as '{{ a / b }} c'"
            in said
        )
    plain = (files / "test.txt", "--train", files / "train.txt")
    assert "alternatives" not in run("metrics", "perplexity", *plain).err

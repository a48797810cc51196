"""``demur agree``: tables in, coefficients and gates out."""

import re

import pytest

from builders import printed, printed_json, stderr_of

LONG = """unit,annotator,label,cluster
u1,ann,a,d1
u1,bob,a,d1
u2,ann,a,d1
u2,bob,b,d1
u3,ann,b,d2
u3,bob,b,d2
u4,ann,b,d2
u4,bob,b,d2
u5,bob,a,d2
"""
WIDE = "unit,ann,bob,note\nu1,a,a,x\nu2,a,b,y\nu3,b,b,z\nu4,b,b,x\nu5,,a,y\n"
SETS = """unit,annotator,label
u1,ann,x;y
u1,bob,y
u2,ann,{}
u2,bob,{}
u3,ann,x
u3,bob,x
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("long.csv", LONG), ("wide.csv", WIDE), ("sets.csv", SETS)):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_long_and_wide_tables_give_the_same():
    long = printed_json("agree", "long.csv")
    words = ["agree", "wide.csv", "--annotators", "ann,bob", "--json"]
    wide = printed_json(*words)
    assert long["alpha"] == wide["alpha"] == pytest.approx(8 / 15)
    assert long["by_label"] == wide["by_label"]
    assert "resample:cluster" in long["signature"]
    assert "resample:unit" in wide["signature"]


@pytest.mark.usefixtures("folder")
def test_sets_are_written_with_a_separator():
    found = printed_json("agree", "sets.csv", "--sets", ";")
    names = [each["name"] for each in found["coefficients"]]
    assert "alpha masi" in names
    labels = [each["label"] for each in found["by_label"]]
    assert sorted(labels) == [[], ["x"], ["x", "y"], ["y"]]


def test_numbers_in_a_file_are_numbers(folder):
    (folder / "n.csv").write_text("unit,ann,bob\n1,1,2\n2,10,9\n3,2,2\n")
    words = ["agree", "n.csv", "--metric", "interval", "--json"]
    found = printed_json(*words)
    assert found["alpha"] > 0.9
    assert found["by_label"][0]["label"] == 2


@pytest.mark.usefixtures("folder")
def test_the_table_says_all_of_it():
    said = " ".join(printed("agree", "long.csv", "--key", "bob").split())
    for words in (
        "2 annotators, 9 labels, 4 of 5 units with two labels or more.",
        "alpha nominal",
        "kappa (PARADISE, key bob, ann)",
        "Units to look at first, by nominal",
        "u2 1.000 ann: a, bob: b",
        "1 of 5 units have fewer than two labels",
        "signature: ",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("alpha < 0.67", 1),
        ("alpha >= 0.5", 1),
        ("alpha < 0.5", 0),
        ("kappa (Cohen) < 0.6", 1),
        ("alpha nominal == 1", 0),
        ("alpha jaccard < 0.5", 4),
    ],
)
@pytest.mark.usefixtures("folder")
def test_gates(gate, code):
    words = ["agree", "long.csv", "--fail-if", gate]
    said = stderr_of(*words, code=code)
    assert ("gate broken" in said) == (code == 1)


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("precision < 0.99", 1, "b: precision is 0.666667, must not be < 0.99"),
        ("b: specificity < 0.9", 1, "b: specificity is 0, must"),
        ("c: precision < 0.9", 0, ""),
        ("sensitivity < 0.9", 0, ""),
        ("c: negative_predictive_value < 0.9", 0, ""),
        ("b: negative_predictive_value < 0.9", 4, "is undefined"),
        ("f < 0.8", 0, ""),
        ("f < 0.81", 1, "b: f is 0.8,"),
        ("sensitivity > 1", 2, "sensitivity"),
    ],
)
def test_judges_can_be_gated(gate, code, said, tmp_path):
    table = tmp_path / "judged.csv"
    table.write_text("unit,a,b,c\n1,yes,yes,yes\n2,no,yes,no\n3,yes,yes,yes\n")
    words = ["agree", table, "--fail-if", gate]
    assert said in stderr_of(*words, "--key", "a", code=code)
    assert "must be one of alpha" in stderr_of(*words, code=2)


def test_both_error_rates_say_whose_they_are(tmp_path):
    table = tmp_path / "judged.csv"
    table.write_text("unit,a,b\n1,yes,yes\n2,no,yes\n3,yes,no\n")
    text = printed("agree", table, "--key", "a")
    assert "no by key" in text
    assert "no by judge" in text


@pytest.mark.parametrize(
    "gate", ["alpha < 2", "alpha > 1", "alpha", "alpha < ", "pi < 0.5"]
)
@pytest.mark.usefixtures("folder")
def test_gates_that_make_no_sense(gate):
    stderr_of("agree", "no such file.csv", "--fail-if", gate, code=2)


def test_a_value_that_is_undefined_passes_no_gate(folder):
    (folder / "one.csv").write_text("unit,ann,bob\nu1,a,a\nu2,a,a\n")
    err = stderr_of("agree", "one.csv", "--fail-if", "alpha < 0.67")
    assert "alpha is undefined" in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one record"),
        ("unit,annotator\nu1,ann\n", "have a column label"),
        ("unit,annotator,label\n,ann,x\n", ":2: .*have a unit"),
        ("unit,annotator,label\nu1,ann,x\nu1,ann,y\n", ":3: .*one label of each"),
        ("unit,ann,bob\nu1,x,y\nu1,x,\n", ":3: .*one label of each"),
    ],
)
def test_files_that_are_wrong(folder, text, words):
    (folder / "bad.csv").write_text(text)
    assert re.search(words, stderr_of("agree", "bad.csv"))


def test_ratios_below_0_are_refused(folder):
    (folder / "below.csv").write_text("unit,ann,bob\nu1,-1,1\nu2,2,2\n")
    err = stderr_of("agree", "below.csv", "--metric", "ratio")
    assert "labels for ratio must be 0 or more; got -1. Take interval" in err


def test_a_picture_is_written(folder):
    pytest.importorskip("matplotlib")
    err = stderr_of("agree", "long.csv", "--plot", "a.png", code=0)
    assert "wrote a.png" in err
    assert (folder / "a.png").stat().st_size
    stderr_of("agree", "long.csv", "--plot", "no/a.png", code=2)


@pytest.mark.usefixtures("folder")
def test_annotators_that_are_not_there():
    assert "carl" in stderr_of("agree", "wide.csv", "--annotators", "ann,carl")


@pytest.mark.usefixtures("folder")
def test_kappa_is_that_of_cohen_and_unknown_ones_are_refused_before_any_work():
    words = ["agree", "long.csv", "--fail-if"]
    err = stderr_of(*words, "kappa < 0.6", code=1)
    assert "kappa is 0.5, must not be < 0.6" in err
    err = stderr_of(
        "agree", "no such file.csv", "--fail-if", "kappa (Coen) < 0.6", code=2
    )
    assert "Did you mean 'kappa (Cohen)'?" in err

"""Runs held against gates: figures, and paired tests against a baseline."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

import demur
from builders import drawn, refuses

WHEN = datetime(2027, 3, 1, 12, tzinfo=UTC)


def system(wrong, n=200, *, name="s", **columns):
    """A system that errs on the items whose numbers are named."""
    columns = {"item": [f"q{k}" for k in range(n)], "system": name, **columns}
    correct = [k not in {*wrong} for k in range(n)]
    confidence = np.linspace(1, 0, n)
    return demur.Outcomes.from_arrays(correct=correct, confidence=confidence, **columns)


GOOD, WORSE, BETTER = range(0, 200, 10), range(0, 200, 4), range(0, 200, 100)


class Project:
    """A folder with a store, files of outcomes, and gates."""

    def __init__(self, folder):
        self.folder = folder

    def keep(self, table, *tags):
        with demur.Store(self.folder / "demur.sqlite", make=True) as store:
            return store.keep(table, when=WHEN, tags=tags)

    def hold(self, table, conditions, **more):
        """The checks of one gate, by condition."""
        demur.write_outcomes(table, self.folder / "run.jsonl")
        return self.held(f'run = "run.jsonl"\n{conditions}', **more)

    def held(self, *gates, before="", **more):
        path = self.folder / "demur.toml"
        path.write_text(before + "".join(f"[[gate]]\n{gate}\n" for gate in gates))
        report = demur.hold_gates(path, **more)
        assert all("\n" not in check.words for check in report.checks)
        return report


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.delenv("DEMUR_STORE", raising=False)
    return Project(tmp_path)


def verdicts(report):
    return [check.verdict for check in report.checks]


@pytest.mark.parametrize(
    ("conditions", "verdict", "words"),
    [
        ("fail_if = ['wrong > 20']", "holds", "wrong is 20"),
        ("fail_if = ['wrong >= 20']", "broken", "wrong is 20, must not be >= 20"),
        ("require = ['wrong <= 20']", "holds", "wrong is 20"),
        ("require = ['wrong < 20']", "broken", "wrong is 20, must not be >= 20"),
        ("require = ['items == 200']", "holds", "items is 200"),
        ("require = ['items == 199']", "broken", "items is 200, must not be != 199"),
        ("fail_if = ['error@0.2 > 0.05']", "broken", "error@0.2 is 0.08"),
        ("fail_if = ['nonreturn(error=0.05) > 0.6']", "holds", "nonreturn(error=0.05)"),
        ("fail_if = ['certified_error(cutoff=0.5) > 0.2']", "holds", "is 0."),
        ("fail_if = ['error(cutoff=99) > 0.05']", "broken", "undefined"),
        ("require = ['error(cutoff=99) < 0.05']", "broken", "undefined"),
        ("fail_if = ['s: wrong > 20']", "holds", "wrong is 20"),
    ],
)
def test_figures(project, conditions, verdict, words):
    [check] = project.hold(system(GOOD), conditions).checks
    assert check.verdict == verdict
    assert words in check.words
    assert check.compared


def test_ungraded_answers_are_held_at_their_worse_end(project):
    outcome = np.array(["right"] * 180 + ["wrong"] * 10 + ["ungraded"] * 10, object)
    table = demur.Outcomes.from_arrays(outcome=outcome, item=[*map(str, range(200))])
    report = project.hold(
        table, "fail_if = ['error > 0.07']\nrequire = ['error < 0.2']"
    )
    assert verdicts(report) == ["holds", "broken"]
    assert report.checks[0].words == "error is 0.05 to 0.1"


CLAIMS = [
    (WORSE, "fail_if = ['worse than main @0.2']", "broken"),
    (GOOD, "fail_if = ['worse than main @0.2']", "inconclusive"),
    (BETTER, "fail_if = ['worse than main @0.2']", "holds"),
    (WORSE, "fail_if = ['worse than main @weight 2']", "broken"),
    (WORSE, "require = ['not worse than main by 0.05 @0.2']", "broken"),
    (GOOD, "require = ['not worse than main by 0.05 @0.2']", "holds"),
    (BETTER, "require = ['s not worse than main by 0.05 @0.2']", "holds"),
    (BETTER, "require = ['not worse than main by 0.05 @0']", "holds"),
]


@pytest.mark.parametrize(("wrong", "conditions", "verdict"), CLAIMS)
@pytest.mark.parametrize("against", ["main", "kept:main", "1", "./main.jsonl"])
def test_claims_go_by_the_paired_test(project, wrong, conditions, verdict, against):
    project.keep(system(GOOD), "main")
    demur.write_outcomes(system(GOOD), project.folder / "main.jsonl")
    conditions = conditions.replace("main", against)
    report = project.hold(system(wrong), f'against = "{against}"\n{conditions}')
    assert verdicts(report) == [verdict]
    assert "s less " in report.checks[0].words


def test_a_claim_says_what_compare_says(project):
    base, new = system(GOOD), system(WORSE)
    project.keep(base, "main")
    [check] = project.hold(
        new, 'against = "main"\nfail_if = ["worse than main @0.3"]'
    ).checks
    found = demur.compare(base, system(WORSE, name="new"), at=0.3).difference
    assert f"difference {found.value:+.4f}" in check.words
    strict = 'against = "main"\nlevel = 0.9999999\nfail_if = ["worse than main @0.9"]'
    assert verdicts(project.hold(new, strict)) == ["inconclusive"]


def test_the_newest_run_with_the_tag_is_the_baseline(project):
    project.keep(system(BETTER), "main")
    assert project.keep(system(WORSE), "main").number == 2
    report = project.hold(
        system(WORSE), 'against="main"\nfail_if=["worse than main @0"]'
    )
    assert verdicts(report) == ["inconclusive"]
    assert "no difference" in report.checks[0].words
    assert "main is run 2 of 2027-03-01 12:00 UTC" in report.notes


BASELINES = {
    "items": (system(GOOD, 199), "items: those of run 1 and the run differ"),
    "renamed": (system(GOOD, item=[f"x{k}" for k in range(200)]), "items: those"),
    "weights": (system(GOOD, weight=1 + np.arange(200) % 2), "items: those"),
    "clusters": (system(GOOD, cluster=[str(k // 2) for k in range(200)]), "items"),
    "references": (
        system(GOOD, reference=["b"] * 200),
        "references: those of run 1 and the run differ",
    ),
}


@pytest.mark.parametrize("name", BASELINES)
def test_what_cannot_be_compared_does_not_pass(project, name):
    baseline, words = BASELINES[name]
    project.keep(baseline, "main")
    new = system(BETTER, reference=["a"] * 200)
    if name != "references":
        new = system(BETTER)
    conditions = (
        'against = "main"\nrequire = ["not worse than main by 0.1 @0.2"]\n'
        'fail_if = ["worse than main @0.2", "wrong > 100"]\n'
    )
    report = project.hold(new, conditions)
    assert verdicts(report) == ["broken", "broken", "holds"]
    assert report.checks[0].words.startswith(f"not compared: {words}")
    assert not report.checks[0].compared
    named = project.hold(new, f'{conditions}incomparable = "inconclusive"\n')
    assert verdicts(named) == ["inconclusive", "inconclusive", "holds"]


def test_another_comparator_is_not_compared(project):
    old = replace(system(GOOD), recipe={"by": "cas", "comparator": "cas/1"})
    project.keep(old, "main")
    project.keep(replace(old, recipe={"by": "cas", "comparator": "cas/2"}), "new")
    gate = 'run = "kept:new"\nagainst = "main"\nfail_if = ["worse than main @0.2"]'
    [check] = project.held(gate).checks
    assert check.verdict == "broken"
    assert "comparator: cas/1 in run 1, cas/2 in run 2" in check.words


def test_what_is_known_of_one_alone_is_not_compared(project):
    project.keep(
        replace(system(GOOD), recipe={"by": "cas", "comparator": "cas/1"}), "main"
    )
    gate = 'against = "main"\nfail_if = ["worse than main @0.2"]'
    report = project.hold(system(GOOD), gate)
    assert verdicts(report) == ["broken"]
    assert "how run.jsonl was judged is not known" in report.checks[0].words
    project.keep(system(GOOD), "main")
    report = project.hold(system(GOOD), gate)
    assert verdicts(report) == ["inconclusive"]
    assert any("run.jsonl and main were judged is not known" in n for n in report.notes)


def test_a_run_is_not_its_own_baseline(project):
    project.keep(system(GOOD), "main")
    gate = 'run = "kept:1"\nagainst = "main"\nrequire = ["not worse than main by 0.1"]'
    [check] = project.held(gate).checks
    assert (check.verdict, check.compared) == ("broken", False)
    assert "main is the run itself" in check.words


def both(*tables):
    columns = [table.to_columns() for table in tables]
    joined = {
        name: [value for one in columns for value in one[name]] for name in columns[0]
    }
    return demur.Outcomes.from_arrays(**joined)


def test_each_system_is_held_against_its_own(project):
    project.keep(both(system(GOOD, name="a"), system(GOOD, name="b")), "main")
    new = both(system(WORSE, name="a"), system(BETTER, name="b"))
    conditions = 'against = "main"\nfail_if = ["worse than main @0", "wrong > 30"]'
    report = project.hold(new, conditions)
    assert [(c.system, c.verdict) for c in report.checks] == [
        *(("a", "broken"), ("b", "holds"), ("a", "broken"), ("b", "holds")),
    ]
    assert verdicts(project.hold(new, f"system = 'b'\n{conditions}")) == ["holds"] * 2
    assert verdicts(project.hold(new, "fail_if = ['b worse than a @0']")) == ["holds"]
    assert verdicts(project.hold(new, "fail_if = ['a worse than b @0']")) == ["broken"]
    assert verdicts(project.hold(new, "fail_if = ['a: wrong > 30']")) == ["broken"]


def test_a_system_that_the_baseline_lacks_is_not_compared(project):
    project.keep(both(system(GOOD, name="a"), system(GOOD, name="b")), "main")
    gate = 'against = "main"\nfail_if = ["worse than main @0"]'
    [check] = project.hold(system(GOOD, name="c"), gate).checks
    assert check.verdict == "broken"
    assert "main has no system c (it has a, b)" in check.words


def test_the_only_systems_of_both_are_compared_whatever_their_names(project):
    project.keep(system(GOOD, name="v1"), "main")
    gate = 'against = "main"\nfail_if = ["worse than main @0"]'
    [check] = project.hold(system(WORSE, name="main"), gate).checks
    assert check.verdict == "broken"
    assert check.words.startswith("the run less main")
    nameless = project.hold(system(WORSE, name=""), gate)
    assert verdicts(nameless) == ["broken"]
    assert nameless.checks[0].called == "fail_if worse than main @0"
    only = "fail_if = ['(nameless): wrong > 30']"
    assert verdicts(project.hold(system(WORSE, name=""), only)) == ["broken"]


def test_what_cannot_be_tested_is_broken(project):
    project.keep(system([0], 4), "main")
    gate = (
        'against = "main"\nfail_if = ["worse than main"]\n'
        'require = ["not worse than main by .5"]'
    )
    report = project.hold(system([0, 1], 4), gate)
    assert verdicts(report) == ["broken", "broken"]
    assert "cannot be tested" in report.checks[0].words


def test_undefined_figures_and_nan_are_broken_or_refused(project):
    silent = demur.Outcomes.from_arrays(correct=[None] * 5, item=[*"abcde"])
    report = project.hold(silent, "fail_if = ['error@0.2 > 0.1', 'wrong > 3']")
    assert verdicts(report) == ["broken", "broken"]
    (project.folder / "run.jsonl").write_text('{"item":"a","correct":NaN}\n')
    gate = 'run = "run.jsonl"\nfail_if = ["wrong > 3"]'
    refuses("demur.toml:1: run = 'run.jsonl'", project.held, gate)


def test_several_tests_are_counted(project):
    project.keep(system(GOOD), "main")
    gate = (
        'against = "main"\nfail_if = ["worse than main @0.1", "worse than main @0.2"]'
    )
    *_, luck = project.hold(system(GOOD), gate).notes
    assert "2 tests" in luck
    assert "up to 5 % of runs" in luck


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ('run = "no.jsonl"\nfail_if = ["wrong > 1"]', "toml:1: run = 'no.jsonl': "),
        ('run = "kept:no"\nfail_if = ["wrong > 1"]', "run = 'kept:no': "),
        ('run = "run.jsonl"\nagainst = "mian"\nfail_if = ["wrong > 1"]', "'main'"),
        ('run = "run.jsonl"\nagainst = "7"\nfail_if = ["wrong > 1"]', "against = '7'"),
        ('run = "run.jsonl"\nsystem = "x"\nfail_if = ["wrong > 1"]', "system must be"),
        ('run = "run.jsonl"\nfail_if = ["x: wrong > 1"]', "fail_if: the system must"),
        ('run = "run.jsonl"\nfail_if = ["worse than main"]', "what it is held against"),
        ('run = "run.jsonl"\nfail_if = ["x worse than s"]', "the system must be"),
        ('run = "run.jsonl"\nfail_if = ["worse than s"]', "be another system"),
        ('run = "run.jsonl"\nagainst="main"\nfail_if=["worse than mian"]', "'main'"),
    ],
)
def test_what_is_not_there_is_one_line_with_its_place(project, gate, words):
    project.keep(system(GOOD), "main")
    demur.write_outcomes(system(GOOD), project.folder / "run.jsonl")
    with pytest.raises(demur.InputError) as problem:
        project.held(gate)
    assert words in str(problem.value)
    assert "demur.toml:1" in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_store_that_is_not_there_is_one_line(project):
    gate = 'against = "main"\nfail_if = ["worse than main"]'
    refuses("the store must be there", project.hold, system(GOOD), gate)


def test_a_name_of_a_file_and_of_a_run_is_not_guessed(project):
    project.keep(system(GOOD), "main")
    demur.write_outcomes(system(GOOD), project.folder / "x.jsonl")
    (project.folder / "x.jsonl").rename(project.folder / "main")
    gate = 'against = "main"\nfail_if = ["worse than main"]'
    refuses("be either a file or a kept run", project.hold, system(GOOD), gate)


def test_where_the_store_is(project, monkeypatch, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    Project(other).keep(system(WORSE), "main")
    gate = 'against = "main"\nfail_if = ["worse than main @0"]'
    elsewhere = str(other / "demur.sqlite")
    assert verdicts(project.hold(system(GOOD), gate, store=elsewhere)) == ["holds"]
    monkeypatch.setenv("DEMUR_STORE", elsewhere)
    assert verdicts(project.hold(system(GOOD), gate)) == ["holds"]
    Project(project.folder).keep(system(GOOD), "main")
    before = 'store = "demur.sqlite"\n'
    named = project.held(f'run = "run.jsonl"\n{gate}', before=before)
    assert verdicts(named) == ["inconclusive"]  # what the file says comes first
    pair = f'run = "run.jsonl"\n{gate}'.replace('"main"', f'"{elsewhere}:main"')
    pair = pair.replace("than main", f"than {elsewhere}:main")
    assert verdicts(project.held(pair)) == ["holds"]


@pytest.mark.parametrize("pattern", ["a.csv", "*.csv", "./a.*"])
@pytest.mark.parametrize("there", [True, False])
def test_columns_of_the_file_are_read_as_it_says(project, pattern, there, monkeypatch):
    if there:
        monkeypatch.chdir(project.folder)
    (project.folder / "a.csv").write_text("id,ok\n1,1\n2,0\n")
    before = f'[columns."{pattern}"]\nitem = "id"\ncorrect = "ok"\n'
    report = project.held('run = "a.csv"\nfail_if = ["wrong > 0"]', before=before)
    assert verdicts(report) == ["broken"]


def test_order_of_rows_does_not_matter(project):
    base = drawn(1, 100, lambda c: 0.5 + c / 2, system="s")
    project.keep(base, "main")
    new = drawn(2, 100, lambda c: 0.4 + c / 2, system="s")
    gate = (
        'against = "main"\nfail_if = ["worse than main @0.2", "error@0.2 > 0.4"]\n'
        'require = ["not worse than main by 0.1 @0.2"]'
    )
    turned = new.take(np.random.default_rng(0).permutation(100))
    one, two = project.hold(new, gate), project.hold(turned, gate)
    assert one.checks == two.checks

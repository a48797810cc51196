"""What people bring, as systems: each trap of their interfaces is a test."""

import sys
import textwrap

import numpy as np
import pytest

import demur
from builders import refuses, write_records
from demur import Input
from demur.systems.adapters.commands import CommandSystem

TEXTS = [Input("q1", "red"), Input("q2", "blue"), Input("q3", "green")]


class Stub:
    """An estimator that gives what it is told to."""

    def __init__(self, classes, method, scores):
        self.classes_ = np.array(list(classes))
        setattr(self, method, lambda texts: scores[: len(texts)])


def answers(system, inputs=TEXTS):
    return [
        (a.item, a.response, a.confidence, a.declined) for a in system.respond(inputs)
    ]


# -- estimators ----------------------------------------------------------------------


def test_the_best_class_and_its_chance():
    scores = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.4, 0.4, 0.2]])
    system = demur.as_system(Stub("abc", "predict_proba", scores), name="s")
    assert isinstance(system, demur.System)
    assert answers(system) == [
        ("q1", "a", 0.7, None),
        ("q2", "c", 0.6, None),
        ("q3", "a", 0.4, None),
    ]
    margin = demur.as_system(
        Stub("abc", "predict_proba", scores), confidence="margin"
    ).respond(TEXTS)
    assert [a.confidence for a in margin] == pytest.approx([0.5, 0.3, 0.0])
    entropy = demur.as_system(
        Stub("abc", "predict_proba", scores), confidence="entropy"
    ).respond(TEXTS)
    assert entropy[0].confidence == pytest.approx(
        sum(p * np.log2(p) for p in (0.7, 0.2, 0.1))
    )
    own = demur.as_system(
        Stub("abc", "predict_proba", scores), confidence=lambda s: s[:, 0]
    ).respond(TEXTS)
    assert [a.confidence for a in own] == [0.7, 0.1, 0.4]


def test_a_class_without_a_chance_has_no_entropy():
    scores = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    system = demur.as_system(Stub("ab", "predict_proba", scores), confidence="entropy")
    assert [a.confidence for a in system.respond(TEXTS)] == [0.0, -1.0, 0.0]


def test_an_out_of_scope_class_is_a_decline_and_the_guess_is_the_best_other():
    scores = np.array([[0.2, 0.1, 0.7], [0.6, 0.3, 0.1], [0.1, 0.45, 0.45]])
    stub = Stub(["a", "b", "oos"], "predict_proba", scores)
    system = demur.as_system(stub, out_of_scope="oos")
    assert answers(system) == [
        ("q1", "a", 0.2, True),
        ("q2", "a", 0.6, False),
        ("q3", "b", 0.45, False),
    ]


def test_two_classes_have_one_score_whose_sign_decides():
    stub = Stub(["no", "yes"], "decision_function", np.array([-2.0, 0.5, 0.0]))
    assert answers(demur.as_system(stub)) == [
        ("q1", "no", 2.0, None),
        ("q2", "yes", 0.5, None),
        ("q3", "no", 0.0, None),
    ]


def test_one_score_for_each_pair_of_classes_is_refused():
    stub = Stub("abcd", "decision_function", np.zeros((3, 6)))
    with pytest.raises(demur.InputError, match=r"shape \(3, 4\).*'ovr'"):
        demur.as_system(stub).respond(TEXTS)


def test_a_tensor_is_read():
    class Tensor:
        def detach(self):
            return self

        def cpu(self):
            return np.array([[0.9, 0.1]] * 3)

    stub = Stub("ab", "predict_proba", np.zeros((3, 2)))
    stub.predict_proba = lambda _: Tensor()
    assert answers(demur.as_system(stub))[0] == ("q1", "a", 0.9, None)


def test_what_an_estimator_must_have():
    with pytest.raises(demur.InputError, match="must have been fitted"):
        demur.as_system(type("E", (), {"predict_proba": None})())
    with pytest.raises(demur.InputError, match="out_of_scope must be one of"):
        demur.as_system(Stub("ab", "predict_proba", None), out_of_scope="oos")
    with pytest.raises(demur.InputError, match="confidence must be one of"):
        demur.as_system(Stub("ab", "predict_proba", None), confidence="best")
    scores = np.array([[0.5, 0.5], [0.5, np.nan], [0.5, 0.5]])
    nan = Stub("ab", "predict_proba", scores)
    with pytest.raises(demur.InputError, match="NaN for input 2 of 3"):
        demur.as_system(nan).respond(TEXTS)
    stub = Stub("ab", "decision_function", np.array([-1.0, 2.0, 3.0]))
    with pytest.raises(demur.InputError, match="probabilities for confidence=entropy"):
        demur.as_system(stub, confidence="entropy").respond(TEXTS)


def test_pipelines_of_scikit_learn():
    pipeline = pytest.importorskip("sklearn.pipeline")
    text = pytest.importorskip("sklearn.feature_extraction.text")
    linear = pytest.importorskip("sklearn.linear_model")
    svm = pytest.importorskip("sklearn.svm")
    said = ["turn on", "turn off", "lights on", "lights off", "who are you", "help"]
    intents = ["on", "off", "on", "off", "oos", "oos"]
    inputs = [Input(k, each) for k, each in enumerate(said)]
    for last in (
        linear.LogisticRegression(),
        svm.LinearSVC(random_state=0),
        svm.SVC(),
    ):
        model = pipeline.make_pipeline(text.CountVectorizer(), last).fit(said, intents)
        system = demur.as_system(model, out_of_scope="oos")
        found = system.respond(inputs)
        assert [a.response for a in found[:4]] == intents[:4]
        assert [a.declined for a in found] == [False] * 4 + [True] * 2
        assert "oos" not in {a.response for a in found}


def test_fasttext_keeps_its_guess_and_its_chance_is_at_most_one():
    asked = []

    class Model:
        def get_labels(self):
            return ["__label__a"]

        def predict(self, text, k=1, threshold=0.5):
            if "\n" in text:
                raise ValueError("predict processes one line at a time")
            asked.append((text, k, threshold))
            return (("__label__a",), np.array([1.00001]))

    system = demur.as_system(Model(), name="ft")
    [found] = system.respond([Input("q1", "two\nlines")])
    assert (found.response, found.confidence, found.system) == ("a", 1.0, "ft")
    assert asked == [("two lines", 1, 0.0)]


# -- functions -----------------------------------------------------------------------


def test_functions_give_labels_pairs_mappings_responses_or_none():
    given = {
        "label": "a",
        "pair": ("a", 0.5),
        "numpy": (np.str_("a"), np.float32(0.5)),
        "mapping": {"response": "a", "confidence": 0.5, "tokens": 7, "declined": True},
        "silent": demur.Response(item="silent", declined=True),
        "none": None,
        "list": ["a", "b"],
    }
    inputs = [Input(name, name) for name in given]
    found = demur.as_system(given.__getitem__, name="f").respond(inputs)
    assert [(a.response, a.confidence) for a in found] == [
        *(("a", None), ("a", 0.5), ("a", 0.5), ("a", 0.5)),
        *((None, None), (None, None), (["a", "b"], None)),
    ]
    assert found[3].extra == {"tokens": 7}
    assert found[3].declined
    batch = demur.as_system(lambda many: [given[each] for each in many], batch=True)
    assert [a.response for a in batch.respond(inputs)] == [a.response for a in found]


def test_what_a_function_raises_is_why_that_input_has_failed():
    def half(text):
        if text == "blue":
            raise RuntimeError("no\nblue")
        return text

    found = demur.as_system(half).respond(TEXTS)
    assert [a.failed for a in found] == [None, "RuntimeError: no blue", None]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (("a", "sure"), "confidence must be a number"),
        (("a", float("nan")), "confidence must be a number"),
        (("a", True), "confidence must be a number"),
        (("a", 0.5, 1), "pair"),
        ({"label": "a"}, "must have a field response"),
        ({"response": "a", "item": "q9"}, "item must be 'q1'"),
    ],
)
def test_answers_of_no_form_are_refused(answer, words):
    with pytest.raises(demur.InputError, match=words):
        demur.as_system(lambda _: answer).respond(TEXTS[:1])


def test_a_batch_of_another_length_is_an_error():
    with pytest.raises(demur.RunError, match="2 answers to 3 inputs"):
        demur.as_system(lambda _: ["a", "b"], batch=True).respond(TEXTS)


# -- files and programs --------------------------------------------------------------


def test_a_file_of_responses_answers_by_item(tmp_path):
    path = tmp_path / "r.jsonl"
    lines = [{"item": "q3", "response": "c"}, {"item": "q1", "response": "a"}]
    write_records(path, lines)
    found = demur.as_system(str(path)).respond(TEXTS)
    assert {a.item: a.response for a in found} == {"q1": "a", "q3": "c"}
    write_records(path, [*lines, lines[0]])
    refuses("one response", demur.as_system, path)


PROGRAM = """
    import json, sys
    held = []
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["input"] == "die":
            sys.exit(3)
        if asked["input"] == "hang":
            import time; time.sleep(60)
        if asked["input"] == "noise":
            print("Traceback: oh", flush=True); continue
        if asked["input"] == "stranger":
            print(json.dumps({"item": "zz", "response": 1}), flush=True); continue
        held.append(asked)
        if len(held) == 2 or asked["input"] == "last":
            for each in held[::-1]:
                answer = {"item": each["item"], "response": each["input"].upper()}
                print(json.dumps(answer | {"confidence": 0.5}), flush=True)
            held = []
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "a program.py"
    path.write_text(textwrap.dedent(PROGRAM))
    systems = []

    def start(**options):
        systems.append(CommandSystem([sys.executable, str(path)], **options))
        return systems[-1]

    yield start
    for system in systems:
        system.close()


def test_a_program_answers_in_any_order(program):
    system = program(name="p")
    inputs = [Input(k, text) for k, text in enumerate(["a", "b", "c", "last"])]
    found = {a.item: a.response for a in system.respond(inputs)}
    assert found == {0: "A", 1: "B", 2: "C", 3: "LAST"}
    [again] = system.respond([Input("x", "last")])
    assert (again.response, again.confidence, again.system) == ("LAST", 0.5, "p")


def test_a_program_that_ends_fails_what_is_open_and_is_started_again(program):
    system = program()
    inputs = [Input(k, text) for k, text in enumerate(["a", "b", "die", "c"])]
    found = {a.item: a for a in system.respond(inputs)}
    assert [found[k].response for k in range(2)] == ["A", "B"]
    assert found[2].failed == found[3].failed == "the program ended with code 3"
    assert system.respond([Input("x", "last")])[0].response == "LAST"


def test_a_program_that_is_silent_for_too_long_is_ended(program):
    [found] = program(timeout=1.0).respond([Input("x", "hang")])
    assert found.failed == "no line for 1 seconds"


@pytest.mark.parametrize(
    ("text", "words"),
    [("noise", "one JSON object a line; got 'Traceback"), ("stranger", "item 'zz'")],
)
def test_a_program_that_writes_something_else_is_an_error(program, text, words):
    with pytest.raises(demur.RunError, match=words):
        program().respond([Input("x", text)])


def test_responses_are_given_again_under_another_name():
    recorded = [demur.Response(item="q1", system="m", response="a")]
    for options, name in (({}, "m"), ({"name": "first"}, "first")):
        [again] = demur.as_system(recorded, **options).respond(TEXTS)
        assert (again.system, again.response) == (name, "a")


def test_what_is_no_program_is_refused():
    refuses("must name a program", demur.as_system, "cmd:")
    refuses("quoted", demur.as_system, "cmd:'a")
    with pytest.raises(demur.InputError, match="must be a program that starts"):
        demur.as_system("cmd:/no/such/program").respond(TEXTS)


def test_a_program_of_this_folder_is_named_with_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot").write_text("")
    with pytest.raises(demur.InputError, match=r"is cmd:\./mybot\.$"):
        demur.as_system("cmd:mybot").respond(TEXTS)


@pytest.mark.parametrize("obj", [None, 3, "", "no such file", [], ["a"]])
def test_what_is_no_system_is_refused(obj):
    refuses("as_system", demur.as_system, obj)


def test_an_option_that_the_adapter_does_not_know_is_refused():
    refuses("options of FunctionSystem", demur.as_system, str.upper, confidence="max")
    system = demur.as_system(str.upper)
    assert demur.as_system(system) is system
    refuses("options of FunctionSystem", demur.as_system, system, batch=True)


def test_setfit_has_numbers_in_its_head_and_names_beside():
    class Head:
        classes_ = np.array([0, 2])

    class Model:
        model_head, labels = Head(), ["no", "maybe", "yes"]

        def predict_proba(self, texts):
            return np.array([[0.1, 0.9]] * len(texts))

    assert answers(demur.as_system(Model()))[0] == ("q1", "yes", 0.9, None)
    Model.labels = None
    assert answers(demur.as_system(Model()))[0][1] == 2
    Model.classes_ = ["no", "yes"]  # what has classes of its own needs no head
    assert answers(demur.as_system(Model()))[0][1] == "yes"


@pytest.mark.parametrize("confidence", ["max", "margin"])
def test_one_class_has_all_of_the_probability(confidence):
    stub = Stub("a", "predict_proba", np.ones((3, 1)))
    system = demur.as_system(stub, confidence=confidence)
    assert {a.confidence for a in system.respond(TEXTS)} == {1.0}


@pytest.mark.parametrize(
    ("options", "declined"),
    [
        ({}, [None, None, None]),
        ({"threshold": 0.6}, [False, True, False]),
        ({"threshold": 0.61}, [False, True, True]),
        ({"threshold": 0.5, "out_of_scope": "b"}, [False, True, True]),
    ],
)
def test_below_the_threshold_it_declines(options, declined):
    scores = np.array([[0.7, 0.3], [0.45, 0.55], [0.4, 0.6]])
    system = demur.as_system(Stub("ab", "predict_proba", scores), **options)
    assert [a.declined for a in system.respond(TEXTS)] == declined


@pytest.mark.parametrize(
    ("classes", "listed"), [("abcde", "a, b, c, d, e."), ("abcdef", "e, ...")]
)
def test_a_few_classes_are_listed(classes, listed):
    stub = Stub(classes, "predict_proba", None)
    refuses(f"They are .*{listed}", demur.as_system, stub, out_of_scope="oos")


def test_many_inputs_are_answered_in_groups(monkeypatch):
    scores = np.array([[0.7, 0.3], [0.1, 0.9], [0.4, 0.6]])
    whole = answers(demur.as_system(Stub("ab", "predict_proba", scores)))
    monkeypatch.setattr("demur.systems.adapters.estimators._MOST_SCORES", 2)

    class Rows:
        classes_ = np.array(["a", "b"])

        def predict_proba(self, texts):
            places = [[each.input for each in TEXTS].index(text) for text in texts]
            return scores[places]

    assert answers(demur.as_system(Rows())) == whole

"""What may be a module, and what is refused; servers and what replays its turns."""

import pytest

import demur
from builders import refuses
from demur.pipelines.modules import Whole
from local_server import server


def reply(answer):
    return demur.as_module(answer, name="reply")


def test_functions_pairs_responses_and_systems():
    full = demur.Response(item="", response="a", confidence=0.5, kind=None)
    for answer in (
        lambda text: (text, 0.5),
        lambda text: full,
        demur.as_system(lambda text: (text, 0.5)),
    ):
        output, state = reply(answer).step("kept", "a")
        assert (output.response, output.confidence) == ("a", 0.5)
        assert state == "kept"
    assert reply(str.upper).step(None, "a") == ("A", None)


@pytest.mark.parametrize(
    "given", [{"failed": "gone"}, {"error": "gone"}, {"failed": "gone", "error": "x"}]
)
def test_a_response_that_failed_is_none(given):
    from demur.pipelines.modules import split_output

    response = demur.Response(item="", response="a", confidence=0.5, **given)
    assert split_output(response) == (None, None, None, "gone")


def test_characters_are_modules():
    module = demur.as_module(demur.character("porter"), name="dm")
    acts, state = module.step(None, "greet.hello")
    assert acts == ["greet.back"]
    assert module.observe(None, "greet.hello", None)["said"] == []
    assert state["node"] == demur.character("porter").start()["node"]


@pytest.mark.parametrize(
    ("obj", "options", "said"),
    [
        (str, {"name": ""}, "name must be a text"),
        (str, {"name": "input"}, "none of input, target, history"),
        (str, {"name": "m", "timeout": 0}, "timeout must be seconds above 0"),
        (str, {"name": "m", "compare": "text"}, "compare must be slots"),
        (str, {"name": "m", "compare": "slots(credit=f1)"}, "leave the credit to"),
        (3, {"name": "m"}, "must be a system"),
        ([demur.Response(item="q")], {"name": "m"}, "it must answer any input"),
    ],
)
def test_what_is_no_module_is_refused(obj, options, said):
    refuses(said, demur.as_module, obj, **options)


def test_a_step_without_observe_is_refused_with_the_way_out():
    class OnlyStep:
        def step(self, state, given):
            return given, state

    with pytest.raises(demur.InputError, match=r"have observe too.*demur\.replayed"):
        demur.as_module(OnlyStep(), name="m")


def module(name, *inputs):
    return demur.as_module(str.lower, name=name, inputs=inputs)


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        ([], "modules must hold at least one"),
        ([module("a"), module("a")], "module 'a' must stand once"),
        ([module("a", "b")], "an input must be one of input, a"),
        ([module("a", "b"), module("b", "a")], "not wait for one another; got .* -> "),
        ([module("a", "a"), module("b")], "not wait for one another"),
        (
            [module("x"), module("a"), module("b", "x")],
            "lead to the last one .b.* got a.",
        ),
        ([module("a"), module("b", "input")], "lead to the last one .b.* got a"),
        ([module("a", "b"), module("b", "input")], "lead to the last one"),
    ],
)
def test_modules_that_make_no_pipeline_are_refused(modules, said):
    refuses(said, demur.Pipeline.of, modules)


def test_declines_is_a_list():
    with pytest.raises(demur.InputError, match="declines must be a list"):
        demur.Pipeline.of([module("a")], declines="again")


def test_whole_values_are_equal_as_json():
    whole = Whole()
    assert whole.read({"a": [1, None]}) == whole.read({"a": [1.0, None]})
    assert whole.read([1]) != whole.read(["1"])
    assert whole.read(None) == frozenset()


# -- replayed --------------------------------------------------------------------------


class Talk:
    """Keeps its state to itself; counts how many turns it was played."""

    played = 0

    def __init__(self):
        self.said = []

    def turn(self, text):
        Talk.played += 1
        self.said.append(text)
        return [" ".join(self.said)]


class Told(Talk):
    """Takes what was put out in place of its own."""

    def observe(self, text, output):
        Talk.played += 1
        self.said.append("-".join(output or ["silence"]))


def talked(kind, state):
    turns = [
        demur.TargetTurn(input=word, target={"reply": [word.upper()]}) for word in "abc"
    ]
    built = demur.Pipeline.of([reply(demur.replayed(kind))])
    Talk.played = 0
    dialogues = [demur.TargetDialogue("d", turns)]
    found = demur.run_pipeline(built, dialogues, state=state)
    return [each[0] for each in found.outputs("reply")], Talk.played


def test_a_replayed_module_follows_the_targets_if_it_can_be_told():
    assert talked(Told, "corrected") == (["a", "A b", "A B c"], 6)
    assert talked(Talk, "corrected") == (["a", "a b", "a b c"], 6)


def test_free_running_nothing_is_replayed():
    assert talked(Talk, "free") == (["a", "a b", "a b c"], 3)


def test_a_replayed_turn_that_fails_spoils_no_other():
    class Fragile(Talk):
        def turn(self, text):
            if text == "b":
                raise ValueError("b")
            return super().turn(text)

    assert talked_texts(Fragile) == ["a", None, "a c"]


def talked_texts(kind):
    turns = [demur.TargetTurn(input=word, target={"reply": [word]}) for word in "abc"]
    built = demur.Pipeline.of([reply(demur.replayed(kind))])
    found = demur.run_pipeline(built, [demur.TargetDialogue("d", turns)], state="free")
    return [each and each[0] for each in found.outputs("reply")]


# -- behind HTTP -----------------------------------------------------------------------


def counting(payload, number):
    """A server that counts turns in a state that travels with the request."""
    if "step" in payload:
        count = (payload["step"]["state"] or 0) + 1
        text = payload["step"]["input"]
        return (
            200,
            {},
            {"output": [f"{text}{count}"], "state": count, "confidence": 0.5},
        )
    before = payload["observe"]["state"] or 0
    return 200, {}, {"state": before + 10}


def http_run(answer, how, targets="ab", **options):
    turns = [
        demur.TargetTurn(input=word, target={"reply": [target]})
        for word, target in zip("ab", targets, strict=True)
    ]
    with server(answer) as (url, posted):
        built = demur.Pipeline.of([reply(demur.http_module(url, retries=0, **options))])
        dialogues = [demur.TargetDialogue("d", turns)]
        found = demur.run_pipeline(built, dialogues, state=how)
        return found, posted


def test_the_state_travels_in_the_body():
    found, posted = http_run(counting, "free")
    assert found.outputs("reply") == [["a1"], ["b2"]]
    assert posted[1] == {"step": {"state": 1, "input": "b"}}
    found, posted = http_run(counting, "corrected")
    assert found.outputs("reply") == [["a1"], ["b11"]]
    assert {"observe": {"state": None, "input": "a", "output": ["a"]}} in posted


def test_a_conversation_of_the_server_is_replayed():
    talks = {}

    def answer(payload, number):
        said = talks.setdefault(payload["conversation"], [])
        said.append(payload.get("output", [payload["input"]])[0])
        return 200, {}, {"output": [" ".join(said)]}

    found, posted = http_run(answer, "corrected", "xy", state="conversation")
    assert found.outputs("reply") == [["a"], ["x b"]]
    assert [each["turn"] for each in posted] == [1, 1, 2]
    assert posted[1]["output"] == ["x"]
    assert len({each["conversation"] for each in posted}) == 2
    talks.clear()
    # What was said is the target, so that the conversation goes on.
    found, posted = http_run(answer, "corrected", state="conversation")
    assert [each["turn"] for each in posted] == [1, 2]
    talks.clear()
    found, posted = http_run(answer, "free", state="conversation")
    assert [each["turn"] for each in posted] == [1, 2]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"state": 1}, "no 'output' in the answer"),
        ({"output": ["a"]}, "no 'state' in the answer"),
        (b"not json", "JSON"),
        ({"output": ["a"], "state": 1, "confidence": "high"}, "confidence"),
    ],
)
def test_answers_that_are_none_are_recorded(body, said):
    def answer(payload, number):
        return counting(payload, number) if number == 1 else (200, {}, body)

    found, _ = http_run(answer, "free")
    reasons = found.outcomes().column("reason").tolist()
    assert said in reasons[1]
    assert reasons[1].startswith("reply: NoAnswer: ")


def test_a_server_that_dies_is_recorded_and_the_turns_before_are_kept():
    def answer(payload, number):
        return counting(payload, number) if number == 1 else (None, {}, b"")

    found, _ = http_run(answer, "free")
    assert found.outputs("reply") == [["a1"], None]
    assert found.failed == 1


def test_the_way_a_server_is_asked_is_checked():
    with pytest.raises(demur.InputError, match="state must be one of body"):
        demur.http_module("http://localhost:1", state="url")
    with pytest.raises(demur.InputError):
        demur.http_module("localhost")


def test_a_pair_that_is_no_output_with_a_confidence_names_module_and_turn():
    turns = [demur.TargetTurn(input="a", target={"dm": ["a"]}) for _ in range(20)]
    parts = [
        demur.as_module(lambda text: (text, {"slot": text}), name="nlu"),
        demur.as_module(lambda act: [act], name="dm"),
    ]
    said = (
        r"module 'nlu': the first 20 steps all failed: d1:1: TypeError: a tuple is "
        r"read as \(output, confidence\), and confidence must be a number; got "
        r"{'slot': 'a'}. An output of several parts is a list or an object"
    )
    with pytest.raises(demur.RunError, match=said):
        demur.run_pipeline(
            demur.Pipeline.of(parts), [demur.TargetDialogue("d1", turns)]
        )

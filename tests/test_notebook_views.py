"""Every public result shows as tables in a notebook; all others say what they are."""

import inspect
from html import escape

import pytest

import demur
from demur.errors import DemurError
from demur.figures import INSTEAD, PICTURES, picture_of
from demur.results.text import printable, short_words
from notebook_cases import one_of_each

NO_TABLE = {
    "Lints": "nothing was found in these references",
    "ReservedPart": "one line says all of it",
}
"""Results of the cases that have no rows, and why."""


def public_results() -> set[str]:
    """The classes of results that have a public name, but for what they are made of."""
    return {
        name
        for name in demur.__all__
        if inspect.isclass(thing := getattr(demur, name))
        and issubclass(thing, demur.Result)
        and thing not in (demur.Result, demur.Results)
    }


@pytest.mark.long
def test_every_public_result_shows_as_a_table(tmp_path):
    cases = one_of_each(tmp_path)
    lacking = sorted(public_results() - cases.keys())
    assert not lacking, "tests/notebook_cases.py makes one of each"
    without = {name for name in public_results() if not _shows(cases[name])}
    assert without == set(NO_TABLE)
    for name in sorted(public_results()):
        _draws_or_says_why(name, cases[name])


def _shows(result: demur.Result) -> bool:
    """Whether there is a table; all that is said must be there, and no markup."""
    page = result._repr_html_()
    for line in filter(None, short_words(result.sentence()).split("\n")):
        assert f"<p>{escape(printable(line))}</p>" in page, type(result)
    for note in result.notes:
        assert f"<li>{escape(printable(note))}</li>" in page, type(result)
    assert "<pre" not in page, type(result)
    return "<td" in page or '<th scope="row"' in page


def _draws_or_says_why(name: str, result: demur.Result) -> None:
    """A result of a class with a picture has one; another says so in one line."""
    if name in PICTURES and name not in INSTEAD:
        assert picture_of(result).panels, name
        return
    if isinstance(result, demur.Results) and type(result[0]).__name__ in PICTURES:
        return
    with pytest.raises(DemurError, match=r"^plot: [^\n]+$"):
        result.plot()


def test_what_draws_a_result_instead_is_named_for_public_results():
    assert set(INSTEAD) <= public_results()


def test_a_result_without_a_picture_names_what_draws_it():
    with pytest.raises(demur.InputError, match=r"got an Outcomes\. .*error_return"):
        demur.Outcomes.from_arrays(correct=[1, 0]).plot()


def test_records_that_were_read_show_as_a_table(tmp_path):
    path = tmp_path / "responses.jsonl"
    line = (
        '{"item": "q%d", "response": {"a": "<b>"}, "confidence": 0.5, "topic": "x"}\n'
    )
    path.write_text("".join(line % number for number in range(30)), "utf-8")
    page = demur.read_responses(path)._repr_html_()
    assert "<p>30 responses, the first 20 of them below.</p>" in page
    assert page.count("<tr>") == 21
    assert all(f">{head}</th>" in page for head in ("item", "confidence", "topic"))
    assert "<b>" not in page
    assert "place" not in page
    path.write_text('{"item": "q", "references": ["a", "b"]}\n', "utf-8")
    assert ">a | b<" in demur.read_references(path)._repr_html_()


def _answer(text: str) -> str:
    return text


SHOWN = {
    "function(_answer)": demur.as_system(_answer),
    "command(cat)": demur.as_system("cmd:cat"),
    "http(http://localhost:9/x, shape=demur)": demur.as_system("http://localhost:9/x"),
    "majority()": demur.baselines.Majority(),
    "RelevanceModel(smoothing=0.5)": demur.RelevanceModel(smoothing=0.5),
    "Pipeline(nlu (slots))": demur.Pipeline.of([demur.as_module(_answer, name="nlu")]),
    "Module(nlu (slots))": demur.as_module(_answer, name="nlu"),
    'model("function(_answer)", rubric=same-answer)': demur.JudgeModel(_answer),
}


@pytest.mark.parametrize("words", SHOWN)
def test_systems_modules_and_judges_say_what_they_are(words):
    assert repr(SHOWN[words]) == words


def test_systems_that_are_asked_or_wrapped_say_what_they_are(tmp_path):
    chat = repr(demur.as_system("chat:m@http://localhost:9/v1"))
    assert chat.startswith("chat(m@http://localhost:9/v1/chat/completions, ")
    assert repr(demur.character("porter")).startswith("dialogue_manager(Tomas, ")
    with demur.Store(tmp_path / "a.sqlite", make=True) as store:
        assert repr(store) == f"Store({store.name!r})"

"""What every result has: one short line, a table, plain values, and its recipe."""

import json
import pickle
import re
from contextlib import suppress
from dataclasses import replace
from html import escape, unescape
from pathlib import Path

import pytest

import demur
from builders import printed
from demur.results import p_text
from demur.results.contract import plain_values
from demur.results.text import cell_text
from result_cases import CHOICE, LOCK, RESULTS, TOPICS, A, B, outcomes


@pytest.fixture(params=RESULTS)
def result(request: pytest.FixtureRequest) -> demur.Result:
    return RESULTS[request.param]


def test_it_is_one_short_line(result):
    assert isinstance(result, demur.Result)
    assert "\n" not in repr(result)
    assert len(repr(result)) <= 140


def test_it_is_plain_values(result):
    if isinstance(result, demur.Outcomes):
        return  # a table is written by write_outcomes
    plain = result.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_a_notebook_shows_what_is_printed_and_no_markup(result):
    page = result._repr_html_()
    assert "<pre>" not in page
    assert "<b>" not in page
    tables = [table for table in result.tables() if table.rows]
    assert page.count("<table>") == len(tables)
    for table in tables:
        assert escape(table.title) in page


def test_the_table_is_that_of_the_command(tmp_path):

    files = []
    for name, system in (("a", A), ("b", B)):
        files.append(str(tmp_path / f"{name}.jsonl"))
        demur.write_outcomes(system, files[-1])
    a, b = map(demur.read_outcomes, files)
    locked = str(tmp_path / "lock.json")
    demur.lock(a, demur.choose(a, max_error=0.2)).write(locked)
    shown = {
        ("curve", files[0]): demur.error_return(a),
        ("choose", files[0], "--max-error", "0.2"): demur.choose(a, max_error=0.2),
        ("compare", *files): demur.compare(a, b),
        ("score", files[0]): demur.score(a),
        ("recheck", locked, files[0]): demur.recheck(demur.read_lock(locked), a),
    }
    for words, its in shown.items():
        assert printed(*words) == f"{its}\n"


def test_all_recipes_name_the_version(result):
    signature = getattr(result, "signature", None)
    if signature is not None and "|" in signature:
        assert "demur:" in signature or signature == LOCK.signature


def test_every_public_result_is_one():
    names = [name for name in demur.__all__ if hasattr(getattr(demur, name), "to_dict")]
    others = {"Explanation", "Adjudication"}  # what they say is text already
    assert {"Curve", "Comparison", "Scores", "Lints"} <= set(names)
    for name in set(names) - others:
        assert issubclass(getattr(demur, name), demur.Result), name
    assert Path(demur.__file__).with_suffix(".pyi").exists()


def test_a_result_answers_in_sentences_and_its_tables_fit_80_columns(result):
    text = str(result)
    assert result.sentence().rstrip().endswith((".", "?", ")")), result.sentence()
    lines = text.split("\nsignature: ")[0].splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)
    wide = result.to_text(wide=True)
    assert wide.count("signature: ") == text.count("signature: ")


def test_a_wide_table_is_printed_where_there_is_room_and_shown_on_the_page():
    title, found = (
        "How often guesses of each confidence are right",
        RESULTS["calibration"],
    )
    assert title not in str(found)
    assert title in found.to_text(wide=True)
    assert title in demur.report(found).html


def test_the_page_says_and_lists_what_the_result_does(result):
    if isinstance(result, demur.Outcomes):
        return  # the page has controls for these
    page = demur.report(result).html.partition('<section id="section1"')[2]
    sentence = re.search(r'<p class="found">(.*?)</p>', page, re.DOTALL)[1]
    assert unescape(sentence) == result.sentence().replace("\n", " ")
    shown = [
        [unescape(cell) for cell in re.findall("<bdi>(.*?)</bdi>", table)]
        for table in re.findall("<table>.*?</table>", page, re.DOTALL)
    ]
    tables = [table.without_empty() for table in result.tables() if table.rows]
    assert shown == [
        [
            cell_text(value, column)
            for row in table.rows
            for value, column in zip(row, table.columns, strict=True)
        ]
        for table in tables
    ]
    for note in result.notes:
        assert note in unescape(page)


def test_every_table_is_a_dataframe_and_csv(result):
    for place, table in enumerate(result.tables()):
        if not table.rows or isinstance(result, demur.Outcomes):
            continue
        frame = result.to_frame("polars", table=place)
        assert frame.height == len(table.rows)
        assert len(result.to_csv(place).splitlines()) >= len(table.rows) + 1
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_a_result_hashes_and_equals_its_unpickled_copy(result):
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert hash(again) == hash(result)
    assert result != object()


def test_every_figure_is_of_a_kind_and_in_its_range(result):
    for figure in result.figures():
        assert figure.kind.title
        if figure.value is not None and figure.kind.unit != "verdict":
            least, most = figure.kind.least, figure.kind.most
            assert least - 1e-9 <= figure.value <= most + 1e-9, figure


def test_small_parts_answer_in_plain_sentences():
    curve = demur.error_return(A)
    found = demur.compare(A, B)
    parts = {
        repr(curve.split): "Split(61 vertices)",
        found.points.sentence(): "b is better in one rate and worse in none.",
        found.linear.sentence(): "b is somewhere better and nowhere worse.",
        found.linear.regions[0].sentence(): "From 0 to 0.9667 b is better.",
    }
    assert list(parts) == list(parts.values())
    words = demur.word_errors(hypotheses=["a c"], references=["a b"])
    assert words.wer.sentence() == "1 error on 2 units of the references: 0.5."
    spans = demur.span_scores(hypotheses=["O"], references=["O"])
    assert "F is undefined" in spans.score("strict").sentence()


def test_a_band_of_a_difference_says_how_sure_the_whole_curve_is():
    simultaneous = demur.difference_band(A, B)
    assert f"test of the whole curve: {p_text(simultaneous.p_value)})" in (
        simultaneous.sentence()
    )
    alone = demur.difference_band(A, B, simultaneous=False)
    assert "whole curve" not in alone.sentence()


def test_an_undefined_rate_knows_who_was_asked_and_why():
    silent = demur.Outcomes.from_arrays(system="s", correct=[1, 0])
    with pytest.raises(demur.UndefinedRate) as raised:
        demur.choose(silent, max_error=0.1)
    error = pickle.loads(pickle.dumps(raised.value))
    assert error.where == "choose"
    assert error.reason.startswith("s gives no confidences")
    assert str(error) == f"choose: {error.reason}"


def test_a_part_of_a_list_of_results_shows_as_the_list_does():
    curves = demur.curve_by(TOPICS, by="topic")
    for part in (curves[:1], curves[::-1], curves[:1] + curves[1:]):
        assert type(part) is type(curves)
        assert part.at == curves.at
        assert len(part.to_frame("polars")) == len(part)
    assert curves[:1] + curves[1:] == curves
    assert isinstance(curves[0], demur.Curve)
    assert type(curves + (1,)) is tuple  # noqa: RUF005


def test_lists_of_results_that_show_otherwise_differ():
    curve = demur.error_return(A)
    assert demur.Curves([curve]) == demur.Curves([curve])
    assert demur.Curves([curve]) != demur.Curves([curve], at=(0.7,))
    assert demur.Choices([CHOICE]) != demur.Choices([CHOICE], without={"x": "why"})
    assert demur.Curves([curve]) == (curve,)


def test_a_recipe_cannot_be_changed(result):
    recipe = dict(result.recipe)
    with suppress(TypeError, AttributeError):
        result.recipe["x"] = "1"  # type: ignore[index]
    with suppress(TypeError, AttributeError):
        result.recipe.update(x="1")  # type: ignore[attr-defined]
    assert result.recipe == recipe
    assert pickle.loads(pickle.dumps(result)).recipe == recipe


def test_a_very_long_name_is_cut_in_the_sentence_that_is_shown():
    long = "x" * 300
    result = demur.compare(outcomes(long, 3), B)
    assert long in result.sentence()
    assert long not in str(result).partition("signature")[0]
    assert long in result.to_text(wide=True)
    assert long not in result._repr_html_().partition("<table>")[0]


def test_results_that_differ_in_one_figure_differ():
    point = RESULTS["point"]
    assert point != replace(point, error=0.9)
    assert hash(point) != hash(replace(point, error=0.9))


def test_what_is_not_finite_has_words_in_plain_values():
    infinite = [float("inf"), float("-inf"), 0.5]
    assert plain_values(infinite) == ["inf", "-inf", 0.5]


def test_scores_are_flat_for_one_system_and_listed_for_many():
    plain = demur.score(A).to_dict()
    (one,) = plain["scores"]
    assert {name: plain[name] for name in one} == one
    both = demur.Outcomes.from_columns(
        {
            "item": [*range(60)] * 2,
            "system": ["a"] * 60 + ["b"] * 60,
            "correct": [1, 0] * 60,
        }
    )
    listed = demur.score(both).to_dict()["systems"]
    assert [each["system"] for each in listed] == ["a", "b"]

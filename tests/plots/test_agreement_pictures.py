"""Pictures of agreement: what is drawn is what was found, whatever the names."""

import numpy as np
import pytest

import demur
from demur import UndefinedRate

pytest.importorskip("matplotlib")

TABLE = {"ann": ["a", "a", "b", "$x_y"], "bob": ["a", "b", "b", "$x_y"]}


def test_cells_and_bars_are_the_numbers():
    found = demur.agreement(TABLE)
    labels, annotators = demur.plot_agreement(found)
    drawn = np.asarray(labels.images[0].get_array())
    assert drawn.tolist() == [list(row) for _, row in found.coincidences]
    assert [text.get_text() for text in labels.get_yticklabels()] == ["a", "b", "$x_y"]
    bars = [bar.get_width() for bar in annotators.patches]
    assert bars == [each.distance for each in found.by_annotator]
    for axes in (labels, annotators):
        axes.figure.canvas.draw()


def test_shares_of_a_row_add_up_to_one():
    found = demur.agreement(TABLE)
    for _, row in found.coincidences:
        assert sum(row) == pytest.approx(1)
    many = {"ann": list(range(20)), "bob": list(range(20))}
    assert len(demur.agreement(many).coincidences) == 12


def test_long_names_stay_apart(tmp_path):
    names = [f"{'annotator ' * 9}{k}" for k in range(3)]
    found = demur.agreement({name: ["x", "y"] for name in names})
    _, annotators = demur.plot_agreement(found)
    said = [text.get_text() for text in annotators.get_yticklabels()]
    assert len(set(said)) == 3
    demur.save_picture(annotators, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size


def test_sets_are_named_in_braces():
    found = demur.agreement({"a": [["x", "y"], []], "b": [["y"], []]})
    labels, _ = demur.plot_agreement(found)
    said = [text.get_text() for text in labels.get_yticklabels()]
    assert set(said) == {"{}", "{x, y}", "{y}"}


def test_nothing_to_compare_is_no_picture():
    with pytest.raises(UndefinedRate, match="no unit has two labels"):
        demur.plot_agreement(demur.agreement({"a": ["x"]}))

"""The target dialogues of the characters: what make.py writes is what is stored."""

from pathlib import Path

import pytest

import demur
from scripts import importing_from

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "characters"


@pytest.fixture
def make():
    with importing_from(FOLDER):
        import make

        yield make


@pytest.mark.parametrize(("number", "name"), [(0, "porter"), (1, "plant_doctor")])
def test_the_stored_dialogues_are_those_of_the_script(make, number, name):
    stored = demur.read_dialogues(FOLDER / f"{name}.jsonl")
    assert stored == make.dialogues(name, number)
    assert len(stored) == make.N_DIALOGUES


@pytest.mark.parametrize("name", ["porter", "plant_doctor"])
def test_the_character_is_compatible_with_its_targets(name):
    setup = demur.read_pipeline(FOLDER / f"{name}.toml")
    found = demur.evaluate_pipeline(setup.pipeline, setup.dialogues, replace="nlu")
    as_it_is, from_targets = found.compatible
    assert not as_it_is.compatible
    assert from_targets.compatible
    for row in found.rows:
        if row.source.startswith("planted"):
            planted = float(row.source.split()[1]) / 100
            kept = 1 - planted * (1 - 1 / 15)  # the exchange may give the same act
            assert row.identical.share == pytest.approx(kept, abs=0.05)


def test_at_a_price_of_a_half_the_doctor_wants_more_than_its_understanding():
    setup = demur.read_pipeline(FOLDER / "plant_doctor.toml")
    found = demur.sweep_cutoff(setup.pipeline, setup.dialogues, module="nlu")
    half = next(each for each in found.best if each.price == 0.5)
    assert half.cutoff < half.module_cutoff
    assert half.module_cost > 1.4 * half.cost

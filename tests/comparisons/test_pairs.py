"""All pairs of systems: each as the pair alone, and the correction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import refuses
from demur import InputError, holm
from demur.arrays import Sample
from demur.comparisons.pairs import all_pairs
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity

ERROR, NONRETURN, AREA = (
    Quantity("error", 0.3),
    Quantity("nonreturn", 0.2),
    Quantity("area"),
)


def systems(n_systems: int, n_items: int, *, clusters: int = 0) -> dict[str, Sample]:
    """Systems of different worth on common items."""
    rng = np.random.default_rng(1)
    cluster = np.arange(n_items) % clusters if clusters else None
    made = {}
    for each in range(n_systems):
        confidence = rng.random(n_items)
        loss = 1.0 * (rng.random(n_items) > 0.3 + 0.1 * each + 0.3 * confidence)
        guess = np.ones(n_items, bool)
        made["abcdef"[each]] = Sample(guess, confidence, loss, None, cluster)
    return made


@pytest.mark.parametrize("clusters", [0, 60])
@pytest.mark.parametrize("method", ["bootstrap", "influence"])
@pytest.mark.parametrize(
    "quantity", [ERROR, NONRETURN, AREA], ids=lambda each: each.name
)
def test_each_pair_is_as_if_tested_alone(
    quantity: Quantity, method: str, clusters: int
) -> None:
    samples = systems(3, 120, clusters=clusters)
    recipe = {"quantity": quantity, "method": method, "replicates": 240, "seed": 5}
    found = all_pairs(samples, **recipe)
    assert [(each.a, each.b) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    for each in found:
        alone = paired_difference(samples[each.a], samples[each.b], **recipe)
        assert each.difference.to_dict() == pytest.approx(alone.to_dict())
    p_values = np.array([each.difference.p_value for each in found])
    assert [each.adjusted_p for each in found] == pytest.approx(list(holm(p_values)))


def test_areas_are_over_the_range_of_all_systems() -> None:
    samples = systems(3, 100)
    c = samples["c"]
    samples["c"] = Sample(c.guess & (c.confidence > 0.4), c.confidence, c.loss)
    found = all_pairs(samples, quantity=AREA)
    values = {(each.a, each.b): each.difference.value for each in found}
    # Over one range differences add up.
    total = values["a", "b"] + values["b", "c"]
    assert total == pytest.approx(values["a", "c"])
    alone = paired_difference(samples["a"], samples["b"], quantity=AREA)
    assert values["a", "b"] != pytest.approx(alone.value)


def test_too_few_replicates_for_many_pairs() -> None:
    samples = systems(6, 300)
    with pytest.raises(InputError, match="replicates must be at least 1200 for 15"):
        all_pairs(samples, quantity=ERROR, method="bootstrap", replicates=1000)
    nonreturn = Quantity("nonreturn", 0.1)
    found = all_pairs(samples, quantity=nonreturn, replicates=1000)
    assert {each.difference.method for each in found} == {"influence"}
    found = all_pairs(samples, quantity=nonreturn, replicates=1200)
    assert {each.difference.method for each in found} == {"bootstrap"}


def test_systems_that_cannot_be_paired() -> None:
    samples = systems(3, 40)
    with pytest.raises(InputError, match="samples must be two or more"):
        all_pairs({"a": samples["a"]}, quantity=ERROR)
    samples["c"] = samples["c"].take(np.arange(30))
    refuses("samples must be of the same items", all_pairs, samples, quantity=ERROR)


def test_pairs_as_plain_values() -> None:
    listed = all_pairs(systems(2, 40), quantity=ERROR)[0].to_dict()
    assert (listed["a"], listed["b"]) == ("a", "b")
    assert (listed["quantity"], listed["at"]) == ("error", ERROR.at)
    assert listed["difference"] == listed["value_b"] - listed["value_a"]
    assert listed["interval"][0] <= listed["difference"] <= listed["interval"][1]
    assert listed["adjusted_p"] == listed["p_value"]


P_VALUES = st.lists(st.floats(0, 1), max_size=12).map(np.array)


@given(P_VALUES)
def test_holm_rejects_step_by_step(p_values: np.ndarray) -> None:
    """The definition: go up from the smallest, stop at the first that is too large."""
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for step, index in enumerate(np.argsort(p_values, kind="stable")):
            if p_values[index] * (len(p_values) - step) > level:
                break
            rejected.add(int(index))
        assert rejected == set(np.flatnonzero(adjusted <= level).tolist())


@given(P_VALUES)
def test_holm_lies_between_nothing_and_bonferroni(p_values: np.ndarray) -> None:
    adjusted = holm(p_values)
    assert (adjusted >= p_values).all()
    assert (adjusted <= np.minimum(p_values * len(p_values), 1)).all()
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()

"""Least squares against the formulas of the textbook, and which predictors stay."""

import numpy as np
import pytest
from scipy import stats

import demur
from builders import refuses, undefined
from demur.metrics import linear_fits
from demur.metrics.predicting_performance import _held_out


def drawn(n=12, k=3, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, k)) * 3 ** np.arange(k)
    return x, 0.1 * (x @ np.arange(1, k + 1) + 2 + rng.normal(size=n))


def test_a_fit_is_that_of_the_textbook():
    x, y = drawn()
    n, k = x.shape
    fitted = linear_fits.fit(x, y)
    design = np.column_stack([np.ones(n), x])
    beta = np.linalg.lstsq(design, y, rcond=None)[0]
    assert [fitted.intercept, *fitted.weights] == pytest.approx(beta.tolist())
    rest = ((y - design @ beta) ** 2).sum()
    covariance = np.linalg.inv(design.T @ design) * rest / (n - k - 1)
    errors = np.sqrt(np.diag(covariance))[1:]
    assert fitted.errors == pytest.approx(errors)
    p_values = 2 * stats.t.sf(np.abs(beta[1:] / errors), n - k - 1)
    assert fitted.p_values == pytest.approx(p_values)
    assert fitted.r_squared == pytest.approx(1 - rest / ((y - y.mean()) ** 2).sum())
    assert fitted.aic == pytest.approx(n * np.log(rest / n) + 2 * (k + 1))
    assert fitted.predict(x[:2]) == pytest.approx((design @ beta)[:2])
    inflation = np.diag(np.linalg.inv(np.corrcoef(x.T)))
    assert fitted.inflation == pytest.approx(inflation)


def test_a_target_without_spread_is_fitted_without_rest():
    fitted = linear_fits.fit(np.arange(4.0)[:, None], np.zeros(4))
    assert np.isnan(fitted.r_squared)
    assert fitted.aic == pytest.approx(4 * np.log(1e-300 / 4) + 4)


@pytest.mark.parametrize("scale", [1e-10, 1.0, 1e8])
def test_what_the_others_give_is_not_independent(scale):
    x = drawn()[0] * scale
    given = np.column_stack(
        [np.full(12, 0.1 * scale), x[:, 0], x[:, 0] - 3 * scale, x[:, 1], x @ [1, 2, 0]]
    )
    assert linear_fits.independent(given) == [1, 3]
    assert linear_fits.independent(given[:, :1]) == []
    factors = linear_fits.inflation(given[:, [1, 3, 4]])
    assert factors.tolist() == [np.inf] * 3
    alone = linear_fits.inflation(given[:, [3, 0]] * [1, 0])
    assert alone.tolist() == [pytest.approx(1), np.inf]


def test_scales_are_those_of_samples():
    x = np.array([[1.0, 0.0], [3.0, 0.0], [5.0, 6.0]])
    root = np.sqrt(12)
    wanted = [[-1, -2 / root], [0, -2 / root], [1, 4 / root]]
    assert linear_fits.scaled(x) == pytest.approx(np.array(wanted))


def test_predictors_leave_while_they_explain_too_little():
    x, y = drawn(40, 4, seed=3)
    y = y - 0.1 * x @ [1, 2, 0, 4]  # the first, the second and the last are noise now
    assert linear_fits.significant(x, y, 0.95) == ([2], [])
    assert linear_fits.significant(x, y, 1 - 1e-80) == ([], [])
    assert linear_fits.significant(x, y, 0.0) == ([0, 1, 2, 3], [])
    kept = linear_fits.eliminated(x, y)
    assert 2 in kept
    # By hand: the weakest of those that are left goes as long as that lowers AIC.
    left = [0, 1, 2, 3]
    while True:
        fitted = linear_fits.fit(x[:, left], y)
        size = np.abs(fitted.weights) * x[:, left].std(axis=0)
        fewer = [k for k in left if k != left[size.argmin()]]
        if not fewer or linear_fits.fit(x[:, fewer], y).aic >= fitted.aic:
            break
        left = fewer
    assert kept == left
    noise = np.random.default_rng(1).normal(size=40)
    assert len(linear_fits.eliminated(x[:, :2], noise)) == 1


@pytest.mark.parametrize(("n", "apart"), [(29, 29), (30, 30), (31, 10)])
def test_so_many_dialogues_are_held_out_one_by_one(n, apart):
    x, y = drawn(n, 2)
    found = demur.paradise({"a": x[:, 0], "b": x[:, 1], "y": y}, "y", ["a", "b"])
    expected = np.empty(n)
    for fold in range(apart):
        inside = np.arange(n) % apart == fold
        fitted = linear_fits.fit(x[~inside], y[~inside])
        expected[inside] = fitted.predict(x[inside])
    assert found.rmse_held_out == pytest.approx(np.sqrt(((y - expected) ** 2).mean()))


def test_what_is_held_out_is_scaled_by_the_others():
    x, y = drawn(9, 2)
    x[1:, 1] = 3.0  # no spread where the first dialogue is held out
    expected = np.empty(9)
    for k in range(9):
        rest = np.arange(9) != k
        columns = [0, 1] if k else [0]
        fitted = linear_fits.fit(x[rest][:, columns], y[rest])
        expected[k] = fitted.predict(x[k, columns])
    for group in (None, np.arange(9)):
        asked = x, y, group
        assert _held_out(*asked, ("all", 0.95, 2)) == pytest.approx(expected)
        # Where no predictor is significant the mean of the others is expected.
        means = (y.sum() - y) / 8
        none = _held_out(*asked, ("significant", 1 - 1e-80, 2))
        assert none == pytest.approx(means)
    five = np.arange(9) % 5
    assert _held_out(x, y, five, ("all", 0.95, 2)) is not None
    assert _held_out(x, y, five, ("significant", 0.95, 2)) is None


def test_support_vectors_are_scaled_back():
    svm = pytest.importorskip("sklearn.svm")
    x, y = drawn(12, 1)
    expected = []
    for k in range(12):
        others, goal = np.delete(x, k, 0), np.delete(y, k)
        z = (others - others.mean()) / others.std(ddof=1)
        model = svm.SVR(kernel="linear", C=1.0, epsilon=0.1)
        model.fit(z, (goal - goal.mean()) / goal.std())
        new = (x[[k]] - others.mean()) / others.std(ddof=1)
        expected.append(float(model.predict(new)[0]) * goal.std() + goal.mean())
    found = demur.paradise({"x": x[:, 0], "y": y}, "y", ["x"], method="svr")
    off = y - np.array(expected)
    assert found.rmse_held_out == pytest.approx(np.sqrt((off**2).mean()))
    assert found.r_squared_held_out == pytest.approx(
        1 - (off**2).sum() / ((y - y.mean()) ** 2).sum()
    )


def test_predictors_that_do_not_stay_say_why():
    x, y = drawn(40, 4, seed=3)
    y = y - 0.1 * x @ [1, 2, 0, 4]
    table = {name: x[:, k] for k, name in enumerate("abcd")} | {
        "y": y,
        "g": [*"uv"] * 20,
    }
    for method, why in (
        ("significant", "not significant"),
        ("aic", "AIC is lower without"),
    ):
        found = demur.paradise(table, "y", "abcd", method=method, by="g")
        assert [one.name for one in found.predictors] == ["c"]
        assert found.dropped == dict.fromkeys("abd", why)
        assert found.notes[0] == f"dropped: a: {why}"
        assert found.performance.mean() == pytest.approx(0, abs=1e-12)
        means = [found.performance[side::2].mean() for side in (0, 1)]
        assert list(found.groups.values()) == pytest.approx(means)
        assert (found.predictors[0].is_test, found.units) == (False, 40)
        assert "they were chosen on these dialogues" in found.sentence()
        assert found.tables()[0].columns[3].head == "p (not a test)"
        assert found.notes[3].startswith("p is not a test: ")
        assert [one["is_test"] for one in found.to_dict()["predictors"]] == [False]
    of_two = demur.paradise(table, "y", "abcd", method="aic", group="g")
    assert of_two.r_squared_held_out is None
    assert (of_two.predictors[0].error, of_two.predictors[0].p_value) == (None, None)
    assert of_two.notes[-1].startswith("no errors and p values over g: too few ")
    asked = demur.paradise, table, "y", "abcd"
    undefined(r"too few clusters \(2\)", *asked, method="significant", group="g")
    undefined("significant at", demur.paradise, table, "y", "ab", method="significant")


def clustered(x, y, group):
    """Errors (CR2) and degrees of freedom by the formulas of Bell and McCaffrey."""
    n = len(y)
    design = np.column_stack([np.ones(n), x])
    inverse = np.linalg.inv(design.T @ design)
    left = np.eye(n) - design @ inverse @ design.T
    variance, columns = 0, []
    for number in np.unique(group):
        inside = group == number
        size, axes = np.linalg.eigh(left[np.ix_(inside, inside)])
        root = np.where(size > 1e-9, np.abs(size) ** -0.5, 0)
        adjusted = axes * root @ axes.T @ design[inside] @ inverse
        variance = variance + (left[inside] @ y @ adjusted) ** 2
        columns.append(left[:, inside] @ adjusted)
    shared = np.einsum("gnk,hnk->kgh", columns, columns)
    freedom = np.trace(shared, axis1=1, axis2=2) ** 2 / (shared**2).sum(axis=(1, 2))
    return np.sqrt(variance)[1:], freedom[1:]


@pytest.mark.parametrize("kind", ["rows", "same within groups"])
def test_errors_over_groups_are_those_of_bell_and_mccaffrey(kind):
    x, y = drawn(24, 3)
    group = np.array([0] * 7 + [1] * 2 + [2] * 5 + [3] * 4 + [4] * 3 + [5] * 3)
    if kind != "rows":
        x[:, 0] = np.array([0.0, 3.0, 1.0, 2.0, 0.5, 2.5])[group]
    fitted = linear_fits.fit(x, y, group)
    errors, freedom = clustered(x, y, group)
    assert freedom.min() > linear_fits.FEWEST_FREEDOM
    assert fitted.errors == pytest.approx(errors)
    t = np.abs(fitted.weights / errors)
    assert fitted.p_values == pytest.approx(2 * stats.t.sf(t, freedom))
    assert fitted.weights == pytest.approx(linear_fits.fit(x, y).weights)
    # Rows that stand alone have the errors of White as MacKinnon corrects them (HC2).
    alone, hc2 = linear_fits.fit(x, y, np.arange(24)), clustered(x, y, np.arange(24))
    assert alone.errors == pytest.approx(hc2[0])


def test_noise_of_users_is_rarely_significant():
    rng, runs = np.random.default_rng(0), 150
    rejected = np.zeros((runs, 2, 3))
    for run in rejected:
        user = np.arange(48) // 6
        x = rng.normal(size=(8, 3))[user] + rng.normal(size=(48, 3))
        y = rng.normal(size=8)[user] + rng.normal(size=48)
        run[0] = linear_fits.fit(x, y).p_values < 0.05
        run[1] = linear_fits.fit(x, y, user).p_values < 0.05
    of_rows, of_users = rejected.mean(axis=(0, 2))
    assert of_rows > 0.14
    assert of_users < 0.07


USERS = np.arange(48) // 6


def of_users(numbers):
    """The same number in all dialogues of a user."""
    return np.array(numbers, float)[USERS]


def resting_on(kind, rng):
    """Predictors that rest on one user, or on as many as there are less one."""
    if kind == "one user":
        return (USERS == 0).astype(float)[:, None]
    if kind == "nearly one user":
        return (USERS == 0).astype(float)[:, None] + 0.03 * rng.normal(size=(48, 1))
    if kind == "within one user":
        return np.where(USERS == 0, rng.normal(size=48), 0.0)[:, None]
    return rng.normal(size=(8, 7))[USERS]


@pytest.mark.parametrize(
    "kind", ["one user", "nearly one user", "within one user", "all users less one"]
)
def test_what_rests_on_one_group_is_not_known(kind):
    rng = np.random.default_rng(4)
    x = resting_on(kind, rng)
    noise = of_users(rng.normal(size=8)) + rng.normal(size=48)
    table = {f"x{k}": column for k, column in enumerate(x.T)}
    table |= {"y": noise, "user": USERS, "z": rng.normal(size=48)}
    names = [f"x{k}" for k in range(x.shape[1])]
    found = demur.paradise(table, "y", [*names, "z"], group="user")
    *unknown, known = found.predictors
    for one in unknown:
        assert (one.error, one.p_value, one.is_test) == (None, None, False)
    assert (known.error > 0, known.is_test) == (True, True)
    first, second = found.notes
    assert first == "errors and p values are over the 8 groups of user"
    listed = ", ".join(names)
    assert second.startswith(f"no errors and p values of {listed}: the weight rests on")
    alone = demur.paradise(table, "y", names, group="user")
    assert len(alone.notes) == 1
    asked = demur.paradise, table, "y"
    undefined(
        "Of x0.* rests on too few", *asked, names, method="significant", group="user"
    )
    table["y"] = noise + 9 * table["z"]
    chosen = demur.paradise(
        *asked[1:], [*names, "z"], method="significant", group="user"
    )
    assert [one.name for one in chosen.predictors] == ["z"]
    assert "rests on too few groups of user" in chosen.dropped["x0"]


def test_a_weight_beside_those_of_single_users_is_known():
    x = np.column_stack([user == USERS for user in range(1, 8)]).astype(float)
    rng = np.random.default_rng(0)
    fitted = linear_fits.fit(
        np.column_stack([x, rng.normal(size=48)]), rng.random(48), USERS
    )
    assert np.isnan(fitted.p_values).tolist() == [True] * 7 + [False]
    assert np.isnan(fitted.errors).tolist() == [True] * 7 + [False]


def test_p_values_over_users_are_shown():
    x, y = drawn(40, 2, seed=3)
    table = {"a": x[:, 0], "b": x[:, 1], "y": y, "user": np.arange(40) // 5}
    found = demur.paradise(table, "y", "ab", group="user")
    z, goal = linear_fits.scaled(x), linear_fits.scaled(y[:, None])[:, 0]
    fitted = linear_fits.fit(z, goal, table["user"])
    for name in ("error", "p_value"):
        listed = [getattr(one, name) for one in found.predictors]
        wanted = {"error": fitted.errors, "p_value": fitted.p_values}[name]
        assert listed == pytest.approx(wanted.tolist())
    assert (found.units, found.predictors[0].is_test) == (8, True)
    assert found.notes == ("errors and p values are over the 8 groups of user",)
    assert found.tables()[0].columns[3].head == "p"
    alone = demur.paradise(table, "y", "ab")
    assert alone.notes == ()
    assert alone.predictors[0].p_value != found.predictors[0].p_value
    few = {name: column[:4] for name, column in table.items()}
    assert demur.paradise(few, "y", "a").predictors[0].p_value is not None


@pytest.mark.parametrize("gap", [None, "", float("nan")])
def test_a_dialogue_of_no_group_is_refused(gap):
    rows = [{"y": k, "x": k * k, "user": f"u{k % 6}"} for k in range(12)]
    rows[7]["user"] = gap
    placed = [(f"d.csv:{number}", row) for number, row in enumerate(rows, 2)]
    refuses(
        "d.csv:9: a row must have user", demur.paradise, placed, "y", "x", group="user"
    )


@pytest.mark.parametrize("size", [1e101, 1e180, 1e300, 1e-180, 1e-300])
def test_numbers_that_cannot_be_squared_are_refused_by_column(size):
    numbers = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 7.0])
    for name in ("y", "x"):
        columns = {"y": numbers, "x": numbers[::-1] ** 2}
        columns[name] = columns[name] * size
        refuses(name, demur.paradise, columns, "y", "x")
    fine = {"y": numbers * 1e90, "x": numbers[::-1] ** 2 * 1e-90}
    usual = demur.paradise({"y": numbers, "x": numbers[::-1] ** 2}, "y", "x")
    weight = demur.paradise(fine, "y", "x").predictors[0].weight
    assert weight == pytest.approx(usual.predictors[0].weight)


def test_a_fit_needs_more_dialogues_than_it_has_weights():
    columns = {"x": [1, 2, 4, 3], "y": [2, 4, 8, 6], "z": [1, 0, 0, 2]}
    two, three, four = (
        {name: values[:n] for name, values in columns.items()} for n in (2, 3, 4)
    )
    refuses("three dialogues or more", demur.paradise, two, "y", ["x"])
    undefined("2 predictors and 3 .* at least 4", demur.paradise, three, "y", "xz")
    assert demur.paradise(three, "y", "x").r_squared_held_out is None
    assert demur.paradise(four, "y", "x").r_squared_held_out == pytest.approx(1)
    assert demur.paradise(four, "y", "xz").r_squared_held_out is None
    once = demur.paradise(four | {"d": [*"aabb"]}, "y", "x", group="d")
    assert once.r_squared_held_out is None  # two groups are too few

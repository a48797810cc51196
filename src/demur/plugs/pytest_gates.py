"""A fixture of pytest: ``demur_gate(outcomes, "error@0.2 <= 0.3")``.

pytest loads this file wherever demur is installed, so what costs time is imported only
when the fixture is asked for. PYTEST_DONT_REWRITE: there is no assert in demur.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from demur import GateReport


@pytest.fixture
def demur_gate(tmp_path_factory: Any) -> "Callable[..., GateReport]":
    """Hold outcomes to what must be shown of them; what is not shown fails the test.

    ``demur_gate(outcomes, "error@0.2 <= 0.3")`` takes a file of outcomes, or the
    outcomes, and conditions as they stand under ``require`` in a file of gates. With
    ``against=`` it takes claims too: ``"not worse than baseline by 0.02 @0.2"``.
    """
    import demur

    def hold(outcomes: Any, *conditions: str, against: Any = None) -> "GateReport":
        __tracebackhide__ = True
        given = {"run": outcomes, "against": against}
        folder, lines = tmp_path_factory.mktemp("demur_gate"), ["[[gate]]"]
        for key, name in (("run", "outcomes.jsonl"), ("against", "baseline")):
            table = given[key]
            if table is None and key == "against":
                continue
            if not isinstance(table, demur.Outcomes):
                table = demur.read_outcomes(table)
            with (folder / name).open("wb") as file:
                demur.write_outcomes(table, file)
            lines.append(f'{key} = "{name}"')
        required = json.dumps(conditions, ensure_ascii=False)
        config = folder / "demur.toml"
        config.write_text("\n".join([*lines, f"require = {required}"]), "utf-8")
        try:
            report = demur.hold_gates(config)
        except demur.InputError as problem:
            parts = problem.what, problem.must, problem.got, problem.hint
            raise type(problem)("demur_gate", *parts) from None
        if report.broken:
            pytest.fail("\n".join(check.sentence() for check in report.broken))
        return report

    return hold

"""Speed of pipelines: what the engine adds to modules, and MultiWOZ as a whole.

Run, with DEMUR_DATA naming the folder of data sets::

    python benchmarks/pipelines.py
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import machine

import demur
from demur.pipelines.engine import PipelineEngine

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import multiwoz

N_TURNS = 20_000
BAR_STEP, BAR_MULTIWOZ = 10.0, 12.0

STATES = ["v20", "v24", "augpt", "dots", "galaxy-e2e", "labes", "mars", "rstod"]
CONFIGURATIONS: list[tuple[dict[str, Any], str]] = [
    *(({"nlu": nlu, **tracker}, "corrected") for nlu in ("target", "v20")
      for tracker in ({"tracker": "target"}, {})),
    *(({"nlu": "target", "tracker": own}, "corrected") for own in STATES),
    ({"tracker": "target"}, "corrected"),
    ({"tracker": "v20"}, "corrected"),
    ({}, "corrected"),
    ({}, "free"),
    ({"nlu": "target"}, "free"),
    ({"tracker": "target"}, "free"),
]  # fmt: skip


class Silent:
    """A module that does next to nothing, with a state."""

    def step(self, state: Any, given: Any) -> tuple[Any, Any]:  # noqa: ARG002
        """The same act always."""
        return ["a"], given

    def observe(self, state: Any, given: Any, output: Any) -> Any:  # noqa: ARG002
        """What was heard."""
        return given


def least(job: Callable[[], Any], times: int = 3) -> float:
    """The least time of a job."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        job()
        took.append(time.perf_counter() - start)
    return min(took)


def overhead(cache: str | None = None) -> float:
    """Microseconds that the engine takes for a step of a module that does nothing."""
    modules = [demur.as_module(Silent(), name=f"m{n}", version="1") for n in range(4)]
    pipeline = demur.Pipeline.of(modules)
    names = pipeline.names
    turns = [
        demur.TargetTurn(input=n, target={m: ["a"] for m in names}) for n in range(20)
    ]
    dialogues = [demur.TargetDialogue(f"d{n}", turns) for n in range(N_TURNS // 20)]
    slowest = 0.0
    for state in ("corrected", "free"):

        def job(state: str = state) -> Any:
            running = demur.Running(cache=cache)
            with PipelineEngine(pipeline, dialogues, running) as engine:
                return engine.ran({}, state)

        bare = least(lambda: [m.step(None, n) for n in range(N_TURNS) for m in modules])
        took = (least(job) - bare) / (N_TURNS * len(modules)) * 1e6
        print(f"  {state}{', kept and looked up' if cache else ''}: {took:.2f} µs")
        slowest = max(slowest, took)
    return slowest


def main() -> None:
    """Print all figures."""
    print(machine())
    print("engine, for each step of a module (corrected: with all target states):")
    worst = overhead()
    with tempfile.TemporaryDirectory() as folder:
        global N_TURNS
        whole, N_TURNS = N_TURNS, 2_000
        overhead(str(Path(folder) / "steps.sqlite"))
        N_TURNS = whole
    folder = Path(os.environ.get("DEMUR_DATA", ".")) / "multiwoz_sources"
    pipeline, dialogues = multiwoz.pipeline_and_dialogues(folder)
    modules = 0.0
    demur.run_pipeline(pipeline, dialogues)
    start = time.perf_counter()
    for given, state in CONFIGURATIONS:
        demur.run_pipeline(pipeline, dialogues, given=given, state=state)
    alone = time.perf_counter() - start
    with PipelineEngine(pipeline, dialogues, demur.Running()) as engine:
        start = time.perf_counter()
        for given, state in CONFIGURATIONS:
            engine.ran(given, state)
        modules = time.perf_counter() - start
    n = len(CONFIGURATIONS)
    print(f"MultiWOZ, {n} configurations x 7,372 turns, each a run: {alone:.1f} s")
    print(f"  of these the modules with the engine: {modules:.1f} s")
    start = time.perf_counter()
    for name, others in (("nlu", {}), ("tracker", {"nlu": "target"})):
        demur.evaluate_pipeline(pipeline, dialogues, replace=name, given=others)
    took = time.perf_counter() - start
    print(f"  tables of nlu and tracker, 32 runs, with tests: {took:.1f} s")
    waiting()
    print(
        f"bars: {BAR_STEP:g} µs a step ({'met' if worst <= BAR_STEP else 'missed'}), "
        f"{BAR_MULTIWOZ:g} s ({'met' if alone <= BAR_MULTIWOZ else 'missed'})"
    )


def waiting() -> None:
    """A module that waits 20 ms, 200 turns, with and without 16 at a time."""
    one = demur.Pipeline.of(
        [demur.as_module(lambda text: time.sleep(0.02) or [text], name="slow")]
    )
    dialogues = [
        demur.TargetDialogue(
            f"d{n}", [demur.TargetTurn(input="a", target={"slow": ["a"]})]
        )
        for n in range(200)
    ]
    for concurrency in (1, 16):
        running = demur.Running(concurrency=concurrency)
        took = least(lambda r=running: demur.run_pipeline(one, dialogues, running=r), 1)
        print(
            f"a module that waits 20 ms, {concurrency} at a time: {took:.2f} s "
            f"(at best {200 * 0.02 / concurrency:.2f})"
        )


if __name__ == "__main__":
    main()

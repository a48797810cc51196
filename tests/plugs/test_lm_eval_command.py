"""lm-evaluation-harness: its option and our command, as the page on plugs has them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TASK = r"""
task: facts_gen
dataset_path: json
dataset_kwargs:
  data_files: {test: facts.jsonl}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\n"]}
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""
FACTS = """
{"question": "a?", "answer": "lol"}
{"question": "b?", "answer": "Rome"}
{"question": "c?", "answer": "lol"}
"""
PAGE = Path(__file__).parents[2] / "docs/plugs.md"


@pytest.mark.plugs
def test_the_samples_of_a_run_become_a_curve(tmp_path):
    pytest.importorskip("lm_eval")
    (tmp_path / "facts_gen.yaml").write_text(TASK, "utf-8")
    (tmp_path / "facts.jsonl").write_text(FACTS.strip() + "\n", "utf-8")
    part = PAGE.read_text("utf-8").split("## lm-evaluation-harness")[1]
    script = part.split("```sh\n")[1].split("```")[0]
    # Its own model without weights, that always says "lol", and a task of ours.
    script = script.replace("--model hf --model_args pretrained=MODEL", "--model dummy")
    script = script.replace("--tasks facts_gen", "--tasks facts_gen --include_path .")
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(tmp_path / "cache"),
    }
    words = ["bash", "-e", "-c", script]
    done = subprocess.run(
        words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "|exact_match|↑  |0.6667|" in done.stdout
    assert "errs on 0.333 of all items" in re.sub(r"\s+", " ", done.stdout)
    assert (tmp_path / "curve.png").exists()

"""The help: at once, in groups, with the commonest options and an example that runs."""

import json
import subprocess
import sys

EVERY_HELP = """
import contextlib, io, json, sys

import demur.cli

helps = [[*words, "--help"] for words in json.loads(sys.argv[1])]
for words in helps:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        demur.cli.main(words)
print(json.dumps(sorted(sys.modules)))
"""

LIGHT = ("demur.cli", "demur.errors", "demur.version")
"""What of demur the help may load, and the rooms below."""


def test_no_help_loads_numpy_nor_anything_else_that_takes_time():
    from builders import parsers
    from demur.cli import build_parser

    commands = [name.split() for name, _ in parsers(build_parser())]
    commands += [[], ["campaign"], ["metrics"]]
    words = [sys.executable, "-c", EVERY_HELP, json.dumps(commands)]
    bare = [sys.executable, "-c", "import json, sys; print(json.dumps([*sys.modules]))"]
    before, after = (
        {*json.loads(subprocess.run(call, capture_output=True, check=True).stdout)}
        for call in (bare, words)
    )
    loaded = {name.partition(".")[0] for name in after - before}
    assert loaded - sys.stdlib_module_names == {"demur"}
    ours = {name for name in after if name.startswith("demur.")}
    rest = {name for name in ours if not name.startswith(LIGHT)}
    assert not rest
    bodies = {name for name in ours if name.endswith("_command")}
    assert not bodies

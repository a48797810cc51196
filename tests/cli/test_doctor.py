"""``demur doctor`` and ``--version``, and the demo without extras."""

import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from builders import printed, printed_json
from demur import __version__
from demur.cli import doctor_command

ROOT = Path(__file__).resolve().parents[2]


def test_every_extra_has_its_purpose_and_its_packages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {*project["optional-dependencies"]} - {"all"}
    told = {row["extra"]: row for row in printed_json("doctor")["extras"]}
    assert {*told} == extras
    assert all(row["purpose"] for row in told.values())
    for name in ("plot", "excel"):
        (need,) = project["optional-dependencies"][name]
        package = need.partition(">=")[0]
        assert told[name]["there"] == [f"{package} {metadata.version(package)}"]


@pytest.mark.parametrize(
    ("has", "missing"),
    [
        ("3.11.2", ()),
        ("3.9", ()),
        ("3.8.9", ("matplotlib 3.9 or newer (there is 3.8.9)",)),
        (None, ("matplotlib",)),
    ],
)
def test_what_is_absent_or_too_old_is_named(monkeypatch, has, missing):
    needs = ["numpy>=2.0", "matplotlib>=3.9; extra == 'plot'"]

    def version(name):
        if has is None:
            raise metadata.PackageNotFoundError(name)
        return has

    monkeypatch.setattr(doctor_command, "requires", lambda _: needs)
    monkeypatch.setattr(doctor_command, "version", version)
    found = doctor_command.installation()
    assert found.extras[0].missing == missing
    assert found.missing == bool(missing)
    assert ('pip install "demur[plot]"' in str(found)) == bool(missing)


def test_a_package_that_newer_pythons_have_is_asked_only_of_older_ones():
    marker = "backports-zstd>=1; (python_version < '{}') and extra == 'zstd'"
    assert doctor_command._applies(marker.format("99.0"))
    assert not doctor_command._applies(marker.format("3.2"))


def test_run_from_a_folder_it_says_so(monkeypatch):
    def requires(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor_command, "requires", requires)
    assert "demur runs from a folder" in str(doctor_command.installation())


def test_tools_that_it_plugs_into_are_named():
    pytest_here = f"pytest {metadata.version('pytest')}"
    [note] = [each for each in printed_json("doctor")["notes"] if "plugs" in each]
    assert note.startswith("demur plugs into tools that are here (docs/plugs.md): ")
    assert pytest_here in note
    assert f"scikit-learn {metadata.version('scikit-learn')}" in note


def test_the_version_is_a_line_that_names_python_and_packages_too():
    line = printed("--version")
    assert line.startswith(f"demur {__version__}, ")
    assert f"numpy {metadata.version('numpy')}" in line
    assert line.count("\n") == 1


def test_without_matplotlib_the_demo_leaves_pictures_out_and_writes_the_page(
    tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out = printed("demo", "--output", tmp_path / "d")
    assert 'pip install "demur[plot]"' in out
    names = {path.name for path in (tmp_path / "d").iterdir()}
    assert names == {
        *("references.jsonl", "responses.jsonl", "outcomes.jsonl", "report.html")
    }

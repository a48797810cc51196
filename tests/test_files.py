"""Files written whole: unique names beside the target, modes kept, both or neither."""

import os
import stat
from pathlib import Path
from threading import Timer

import pytest

import demur
from builders import refuses
from demur.files import check_new_folder, new_file, new_files, new_folder


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_the_old_content_stays_until_the_new_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with new_file(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
        assert len(names(tmp_path)) == 2
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def test_an_error_leaves_all_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(TypeError), new_file(path) as file:
        file.writelines([b"half", 7])  # type: ignore[list-item]
    assert (path.read_text(), names(tmp_path)) == ("old", ["a.txt"])


def test_two_runs_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with new_file(path) as first, new_file(path) as second:
        first.write(b"1" * 9)
        second.write(b"2" * 9)
    assert path.read_bytes() == b"1" * 9  # the outer one ends last
    assert names(tmp_path) == ["a.txt"]


def test_files_that_look_like_a_part_are_safe(tmp_path: Path) -> None:
    mine = tmp_path / "a.txt.part"
    mine.write_text("mine")
    victim = tmp_path / "victim"
    victim.write_text("mine too")
    trap = tmp_path / f".demur-{os.getpid()}-0.part"
    trap.symlink_to(victim)
    with new_file(tmp_path / "a.txt") as file:
        file.write(b"new")
    assert (mine.read_text(), victim.read_text()) == ("mine", "mine too")
    assert trap.is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_nobody_reads_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("demur.files._WAITED", 0.05)
    said = r"the pipe must be read; got no reader within 0\.05 seconds\. It is a named"
    with pytest.raises(demur.InputError, match=said), new_file(pipe):
        pass
    monkeypatch.setattr("demur.files._WAITED", 10.0)
    got: list[bytes] = []
    reader = Timer(0.1, lambda: got.append(pipe.read_bytes()))
    reader.start()
    with new_file(pipe) as file:
        file.write(b"1" * (1 << 20))  # more than it holds at a time
    reader.join()
    assert got == [b"1" * (1 << 20)]
    assert names(tmp_path) == ["pipe"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_the_mode_stays(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(mode)
    with new_file(path) as file:
        (part,) = [each for each in tmp_path.iterdir() if each != path]
        assert stat.S_IMODE(part.stat().st_mode) == mode  # private from the beginning
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_where_modes_cannot_be_set_a_part_stays_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(95, "not supported")

    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(Path, "chmod", refused)
    with new_file(path) as file:
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(("mask", "mode"), [(0o027, 0o640), (0, 0o666)])
def test_a_new_file_has_the_mode_that_the_user_wants(
    mask: int, mode: int, tmp_path: Path
) -> None:
    before = os.umask(mask)
    try:
        with new_file(tmp_path / "a.txt"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with new_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_devices_are_written_to_as_they_are() -> None:
    with new_file("/dev/null") as file:
        file.write(b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("no/a.txt", r"No such file or directory\. There is no directory .*no\."),
        ("folder", "Is a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("x" * 300, "File name too long"),
    ],
)
def test_places_that_cannot_be_written_to(name: str, got: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(demur.InputError, match=got), new_file(tmp_path / name):
        pass
    assert names(tmp_path) == ["folder", "loop"]


def test_a_pair_is_replaced_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (tmp_path / name for name in "abc")
    first.write_text("old a")
    second.write_text("old b")
    replace = Path.replace

    def refused(self: Path, target: Path) -> Path:
        if target == third:
            raise PermissionError(1, "no")
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refused)
        match = r"a and .*c: the file must be"
        with pytest.raises(demur.InputError, match=match), new_files([first, third]):
            pass
        assert (first.read_text(), names(tmp_path)) == ("old a", ["a", "b"])
        with pytest.raises(demur.InputError), new_files([tmp_path / "n", third]):
            pass  # what was not there before is gone again
        assert names(tmp_path) == ["a", "b"]
    with new_files([first, second]) as files:
        for file in files:
            file.write(b"new")
    assert (first.read_text(), second.read_text()) == ("new", "new")
    assert names(tmp_path) == ["a", "b"]


def test_without_hard_links_a_pair_is_put_back_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("old")
    second.mkdir()

    def refused(*_: Path) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if target.name == "c":
            raise PermissionError(1, "no")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(demur.InputError), new_files([first, tmp_path / "c"]):
        pass
    assert (first.read_text(), names(tmp_path)) == ("old", ["a", "b"])


@pytest.mark.parametrize("after", [False, True])
def test_an_interrupt_while_a_file_is_placed_leaves_the_old_or_the_new(
    after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "o.txt"
    path.write_text("old")
    replace = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        if after:
            replace(self, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), new_file(path) as file:
        file.write(b"new")
    assert path.read_text() == ("new" if after else "old")
    assert [each.name for each in tmp_path.iterdir()] == ["o.txt"]


def test_an_interrupt_before_a_second_name_is_made_is_no_other_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    for path in paths:
        path.write_text("old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "hardlink_to", interrupted)
    with pytest.raises(KeyboardInterrupt), new_files(paths) as (a, b):
        a.writelines([b"new"] if b.writable() else [])
    assert [path.read_text() for path in paths] == ["old", "old"]
    assert names(tmp_path) == ["a.txt", "b.txt"]


def test_an_interrupt_before_a_new_file_is_in_place_is_no_other_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    with pytest.raises(KeyboardInterrupt), new_files(paths) as (a, b):
        a.writelines([b"new"] if b.writable() else [])
    assert names(tmp_path) == []


def test_an_interrupt_while_second_names_are_removed_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        path.write_text("old")
    unlink, interrupts = Path.unlink, [1]

    def interrupted(self: Path, **how: bool) -> None:
        if self.suffix == ".old" and interrupts:
            interrupts.clear()
            raise KeyboardInterrupt
        unlink(self, **how)

    monkeypatch.setattr(Path, "unlink", interrupted)
    with pytest.raises(KeyboardInterrupt), new_files(paths) as (a, b):
        a.writelines([b"new"] if b.writable() else [])
    assert not interrupts
    assert names(tmp_path) == ["a", "b"]
    assert [path.read_text() for path in paths] == ["new", ""]


# -- folders -----------------------------------------------------------------------


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_is_there_once_it_is_complete(there: bool, tmp_path: Path) -> None:
    path = tmp_path / "new"
    if there:
        path.mkdir()
    with new_folder(path) as inside:
        (inside / "deep").mkdir()
        (inside / "deep" / "a.txt").write_text("a")
        assert names(path) == [] if there else not path.exists()
    assert (names(tmp_path), names(path)) == (["new"], ["deep"])


@pytest.mark.parametrize("problem", [KeyboardInterrupt, ValueError, OSError])
def test_a_folder_that_is_not_completed_leaves_nothing(
    problem: type[BaseException], tmp_path: Path
) -> None:
    def write() -> None:
        with new_folder(tmp_path / "new") as inside:
            (inside / "a.txt").write_text("half")
            raise problem

    with pytest.raises(demur.InputError if problem is OSError else problem):
        write()
    assert names(tmp_path) == []


def test_a_folder_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.txt").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    refuses(
        "full: the folder must be new, or empty", check_new_folder, tmp_path / "full"
    )
    refuses(
        "link: the folder must be new, or empty", check_new_folder, tmp_path / "link"
    )
    refuses("must be new, or empty", check_new_folder, tmp_path / "a\0b")
    refuses("be writable", check_new_folder, tmp_path / "full" / "a.txt")
    refuses("in a directory that exists", check_new_folder, tmp_path / "no" / "x")
    filled = tmp_path / "later"

    def meanwhile() -> None:
        with new_folder(filled):
            filled.mkdir()
            (filled / "b.txt").write_text("of another run")

    refuses("later: the file must be writable; got Directory not empty", meanwhile)
    assert names(filled) == ["b.txt"]
    assert not list(tmp_path.rglob(".demur-*"))

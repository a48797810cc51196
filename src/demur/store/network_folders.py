"""Whether a folder is on another machine, where SQLite's locks do not reach."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

MOUNTS: Final = "/proc/self/mounts"
"""Where Linux lists what is mounted; elsewhere nothing is known."""

_NETWORKS: Final = frozenset(
    [
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre"),
        *("beegfs", "gpfs", "glusterfs", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs"),
        "fuse.rclone",
    ]
)


def network_of(path: str | os.PathLike[str], mounts: str | None = None) -> str:
    r"""The kind of network that a file is on; "" for a disk of this machine.

    Parameters
    ----------
    path : path
        Of a file, there or not.
    mounts : str, optional
        A list of what is mounted, in place of the one that Linux keeps.

    Examples
    --------
    >>> mounts = "disk / ext4 rw 0 0\nhost:/lab /lab nfs4 rw 0 0"
    >>> network_of("/lab/runs.sqlite", mounts), network_of("/home/runs.sqlite", mounts)
    ('nfs4', '')
    """
    if mounts is None:
        mounts = ""
        with suppress(OSError):
            mounts = Path(MOUNTS).read_text("utf-8", "replace")
    real = Path(os.path.realpath(path))
    best, kind = -1, ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) > 2:
            place = Path(words[1].replace("\\040", " "))
            depth = len(place.parts)
            # The last of several on one place hides the others.
            if depth >= best and real.is_relative_to(place):
                best, kind = depth, words[2]
    return kind if kind in _NETWORKS else ""

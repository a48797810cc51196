"""Scripts of the examples and docs, imported as if started from their folder."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Modules of the folder can be imported; afterwards they are forgotten.

    Else a later test gets them in place of modules of the same name elsewhere.
    """
    path, known = [*sys.path], set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(folder):
                del sys.modules[name]

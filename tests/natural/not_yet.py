"""Cases that do not come true yet; one that does fails the test until it is taken out.

So the set only shrinks.
"""

from __future__ import annotations

NOT_YET: frozenset[str] = frozenset(
    {
        # -- typed labels --
        # -- wrong kinds --
        # -- joins --
        # -- languages --
        # -- empty and missing --
        # -- confidence as written --
        # -- declined --
        # -- item identity --
    }
)

"""Cases that do not come true yet; one that does fails the test until it is taken out.

So the set only shrinks.
"""

NOT_YET: frozenset[str] = frozenset()

"""Exit codes, which are part of the interface."""

FINE, BROKEN_GATE, WRONG_USAGE, INTERNAL, BAD_INPUT = 0, 1, 2, 3, 4

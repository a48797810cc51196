"""Further instances of a database, on which wrong queries fall."""

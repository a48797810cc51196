"""Reference systems of the papers, their parts, characters, and baselines."""

"""Reference systems of the papers, their parts, and baselines."""

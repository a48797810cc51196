"""How hard was the task? Markables, baselines, entropies, pruning, scalability."""

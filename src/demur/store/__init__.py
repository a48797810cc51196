"""Runs kept over time: outcomes, figures, recipe, data hash, lock, tags and notes."""

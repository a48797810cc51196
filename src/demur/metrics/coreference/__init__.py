"""Coreference: clusters of mentions, how they overlap, and what scorers make of it."""

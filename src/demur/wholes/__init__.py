"""Answers made of parts: the cutoff acts on parts, and the error is of the whole."""

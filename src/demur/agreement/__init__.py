"""Annotators and judges: how far they agree, and about what they do not."""

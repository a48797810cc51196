"""Responses and references, joined, become outcomes."""

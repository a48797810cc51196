"""Tests are the same on every run: no deadlines, no fresh randomness."""

from hypothesis import settings

settings.register_profile("demur", deadline=None, derandomize=True)
settings.load_profile("demur")

"""Dialogue managers: from the speech acts of a user to those of a character."""

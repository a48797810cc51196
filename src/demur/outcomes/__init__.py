"""The records, and the one table that everything reads."""

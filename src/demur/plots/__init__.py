"""Results drawn on matplotlib axes; nothing is computed here."""

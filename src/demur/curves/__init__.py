"""Count once, read everything off: counting, rates, look-ups, area."""

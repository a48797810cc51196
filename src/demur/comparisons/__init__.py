"""Which system is better, where, and at which price or weight."""

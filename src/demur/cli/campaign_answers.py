"""``demur campaign check, submit, withdraw``: what teams do."""

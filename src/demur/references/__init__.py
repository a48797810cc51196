"""References: checked, agreed on, changed, cut into sets, put together."""

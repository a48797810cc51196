"""One file for each kind of result: how a page shows it."""

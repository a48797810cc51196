"""Run SQL safely, and read what it says."""

"""Where the cutoff is, and whether it holds: costs, certificates, locks, gates."""

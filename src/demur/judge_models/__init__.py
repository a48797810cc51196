"""Models that judge answers: what they are asked, and how far they can be trusted."""

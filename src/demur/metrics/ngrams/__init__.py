"""N-gram models of words: counted, smoothed, kept in ARPA files."""

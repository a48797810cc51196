"""Results on one offline HTML page: it looks numbers up, and computes none."""

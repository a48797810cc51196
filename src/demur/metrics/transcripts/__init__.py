"""Transcripts with times: stm, ctm and TextGrid, and how their words are joined."""

"""Target dialogues, modules of a pipeline, and which one is to blame."""

"""What each command takes, declared without loading what it runs.

The options of ``demur X`` stand in ``X_options``, with the five that are shown first,
the groups of the others, and an example. What several commands have stands in `shared`,
or by its subject in `chats`, `databases`, `judge_models` and `stores`; what texts must
look like in `typed`; the names that can be chosen in `choices`.
"""

"""The same counts elsewhere: in memory, in DuckDB, on Spark, from sketches."""

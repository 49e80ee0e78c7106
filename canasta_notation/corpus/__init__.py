"""Many records: parts of files over processes, columns, Parquet, queries, a cluster."""

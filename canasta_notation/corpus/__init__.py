"""Many records as tables: columns, Parquet files, queries and reports."""

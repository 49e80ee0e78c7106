"""Many records as tables: columns, Parquet files, queries and reports."""

from __future__ import annotations

from typing import Final

#: The limits of a query unless its caller sets others: seconds, and MiB of memory.
SECONDS: Final = 60
MEMORY: Final = 2048

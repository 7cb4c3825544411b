"""Where procrastinate's own migrations are: its tables are made and upgraded by the files that it ships."""

from pathlib import Path

import procrastinate

SCHEMA = Path(procrastinate.__file__).parent / "sql" / "migrations"

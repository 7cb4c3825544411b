"""Whole tables to files and back, over any transport: items as lines of JSON with schema, count and checksum."""

from tablature.transfer.export import export_tables
from tablature.transfer.files import TableFile, verify_files
from tablature.transfer.loader import import_tables
from tablature.transfer.runners import run, run_async
from tablature.transfer.service_backups import back_up_tables, prune_backups, restore_tables

__all__ = [
    "TableFile",
    "back_up_tables",
    "export_tables",
    "import_tables",
    "prune_backups",
    "restore_tables",
    "run",
    "run_async",
    "verify_files",
]

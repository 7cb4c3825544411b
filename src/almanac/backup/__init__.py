"""Backup and restore of a whole installation: database, objects, tables and loose files in one checked archive."""

from almanac.backup.archive import BackupDamaged, Manifest, verify_archive
from almanac.backup.service import (
    BackupReport,
    Installation,
    is_empty,
    is_in_use,
    make_backup,
    remove_old_backups,
    restore_backup,
)
from almanac.backup.upgrading import upgrade

__all__ = [
    "BackupDamaged",
    "BackupReport",
    "Installation",
    "Manifest",
    "is_empty",
    "is_in_use",
    "make_backup",
    "remove_old_backups",
    "restore_backup",
    "upgrade",
    "verify_archive",
]

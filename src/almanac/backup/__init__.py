"""Backup and restore of a whole installation: database, objects, tables and loose files in one checked archive."""

from almanac.backup.archive import ArchiveManifest, BackupDamaged, verify_archive
from almanac.backup.service import (
    BackupReport,
    Installation,
    is_empty,
    is_in_use,
    make_backup,
    remove_old_backups,
    restore_backup,
)
from almanac.backup.upgrade import upgrade

__all__ = [
    "ArchiveManifest",
    "BackupDamaged",
    "BackupReport",
    "Installation",
    "is_empty",
    "is_in_use",
    "make_backup",
    "remove_old_backups",
    "restore_backup",
    "upgrade",
    "verify_archive",
]

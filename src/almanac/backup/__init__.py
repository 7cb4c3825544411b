"""Backup and restore of a whole installation: database, objects, tables and loose files in one checked archive."""

from almanac.backup.archive import BackupDamaged, Manifest, verify_archive
from almanac.backup.service import BackupReport, Installation, make_backup, remove_old_backups, restore_backup

__all__ = [
    "BackupDamaged",
    "BackupReport",
    "Installation",
    "Manifest",
    "make_backup",
    "remove_old_backups",
    "restore_backup",
    "verify_archive",
]

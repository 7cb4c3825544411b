"""Backup and restore of a whole installation: database, objects, tables and loose files in one checked archive."""

from almanac.backup.archive import ArchiveManifest, ItemCount, verify_archive
from almanac.backup.encryption import BackupDamaged
from almanac.backup.port import Installation, TableArchive
from almanac.backup.restore import restore_backup, settle_restore
from almanac.backup.retention import remove_old_backups
from almanac.backup.service import BackupReport, is_empty, is_in_use, make_backup
from almanac.backup.upgrade import upgrade

__all__ = [
    "ArchiveManifest",
    "BackupDamaged",
    "BackupReport",
    "Installation",
    "ItemCount",
    "TableArchive",
    "is_empty",
    "is_in_use",
    "make_backup",
    "remove_old_backups",
    "restore_backup",
    "settle_restore",
    "upgrade",
    "verify_archive",
]

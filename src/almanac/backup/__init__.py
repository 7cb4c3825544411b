"""Backup and restore of a whole installation: database, objects, tables and loose files in one checked archive."""

from almanac.backup.archive import ArchiveManifest, ItemCount, verify_archive
from almanac.backup.backups import Backups
from almanac.backup.encryption import BackupDamaged
from almanac.backup.places import BackupPlace, FolderPlace, ObjectPlace, archive_file
from almanac.backup.port import Installation, TableArchive
from almanac.backup.restore import restore_backup, settle_restore
from almanac.backup.retention import RetentionPolicy
from almanac.backup.service import BackupReport, is_empty, is_in_use, make_backup
from almanac.backup.table_file import DAMAGED, describe_damage
from almanac.backup.upgrade import upgrade

__all__ = [
    "DAMAGED",
    "ArchiveManifest",
    "BackupDamaged",
    "BackupPlace",
    "BackupReport",
    "Backups",
    "FolderPlace",
    "Installation",
    "ItemCount",
    "ObjectPlace",
    "RetentionPolicy",
    "TableArchive",
    "archive_file",
    "describe_damage",
    "is_empty",
    "is_in_use",
    "make_backup",
    "restore_backup",
    "settle_restore",
    "upgrade",
    "verify_archive",
]

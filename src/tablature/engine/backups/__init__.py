"""Backups of tables: on demand and continuous, their descriptions, and restoring a table from either."""

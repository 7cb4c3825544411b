"""Every read and write of the habits desk, by name: PostgreSQL rows, and the items of the shared table."""

"""Every read and write of habits, by name: PostgreSQL in these modules, the table in `items`; rules are elsewhere."""

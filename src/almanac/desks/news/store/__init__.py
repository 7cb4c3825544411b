"""Every read and write of the news desk in PostgreSQL, by name; decides nothing by itself.

The documented columns hold moments without a zone, which are in UTC; they leave this package aware.
"""

"""Declarations of tables, entities, key templates and patterns, and the schema built from them. No I/O."""

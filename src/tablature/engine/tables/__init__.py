"""The rules of tables apart from their storage: names, definitions, throughput, settings and descriptions."""

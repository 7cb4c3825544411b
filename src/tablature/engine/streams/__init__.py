"""Change records of tables: opening and closing streams, their shards and iterators, and the shape of records."""

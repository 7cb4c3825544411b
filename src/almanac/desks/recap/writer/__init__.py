"""Writing about a meeting: packs of speeches for a model or for extraction, checks against the record, assembly."""

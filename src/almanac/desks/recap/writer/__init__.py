"""Writing about a sitting: in packs by a model or by extraction, put together, and checked before anybody reads it."""

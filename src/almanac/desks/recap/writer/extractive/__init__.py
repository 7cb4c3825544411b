"""Writing about a sitting without a model: its own sentences, chosen, shortened by rules, and verified."""

"""Writing about a meeting without a model: its own sentences, selected, shortened by rules, and verified."""

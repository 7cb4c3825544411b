"""The model gateway: a structured request in, a validated object out, written by a model or by extraction."""

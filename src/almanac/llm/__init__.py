"""The model gateway: a structured request in, a validated object out, whoever writes it."""

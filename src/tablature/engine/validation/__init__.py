"""Checks of requests: declared shapes and constraints, expressions, and the rules for items and keys."""

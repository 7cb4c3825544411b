"""How commands speak, under the name by which the root's own commands know it."""

from almanac.terminal import AsJson, complain, console, errors, print_json, print_table, progress, say

__all__ = ["AsJson", "complain", "console", "errors", "print_json", "print_table", "progress", "say"]

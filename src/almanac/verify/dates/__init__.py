"""Dates and times in a text: how they are parsed, when two match, and whether the sources give the same ones."""

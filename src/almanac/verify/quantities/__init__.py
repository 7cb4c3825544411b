"""Quantities in a text: numerals, units and rounding words, and whether the sources give the same figures."""

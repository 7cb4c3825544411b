"""Conditions and changes of fields, and the expressions they render to."""

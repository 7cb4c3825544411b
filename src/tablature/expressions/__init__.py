"""Conditions and changes on fields, and the expression texts they become."""

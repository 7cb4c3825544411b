"""Attribute values, numbers and keys: normal forms, sizes, order, and the bytes stored for them."""

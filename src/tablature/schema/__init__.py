"""Declarations and what they amount to: tables, entities, key templates, patterns; nothing here performs I/O."""

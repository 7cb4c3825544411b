"""Holding generated text to its sources: the sentences of a document, the words that support each, and who checked it.

A desk gives its documents as `ReadableDocument`; pages and API show every desk's documents the same way.
"""

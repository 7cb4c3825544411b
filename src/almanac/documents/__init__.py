"""Reading files and pages into pieces of text: one module for each form. Files run in a process of their own.

Pure functions over bytes, for whoever gets some from strangers: knowledge, articles, feeds, sheets and habits. What
becomes of the pieces, and who may see them, is left to those.
"""

"""Reading files into pieces of text: one module for each form. It runs in a process of its own, see `knowledge.apart`.

Pure functions over bytes. What becomes of the pieces, and who may see them, is left to the rest of `knowledge`.
"""

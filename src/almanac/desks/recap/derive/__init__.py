"""What rules can read from an official record: its words, its agenda, its bills, its votes, its people.

Pure functions of a `Meeting`; nothing in here writes a sentence of its own.
"""

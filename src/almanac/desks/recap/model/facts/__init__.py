"""Facts that rules read from an official record: agenda, bills, decisions, speakers, keywords.

Pure functions of a `Meeting`; nothing here writes a sentence of its own.
"""

"""English, Malay, Chinese and Japanese as text: language detection, sentences, words, search terms, kanji numerals.

Pure functions. `verify` decides what a number or a date means, and `llm` which sentences are worth keeping.
"""

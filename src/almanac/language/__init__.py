"""What the product knows of English, Malay, Chinese and Japanese as text: which one it is, sentences, words.

Pure functions. What a number or a date means is left to `verify`; what makes a sentence worth keeping, to `llm`.
"""

"""What the product knows of English, Malay, Chinese and Japanese as text: which one it is, sentences, words, terms.

Pure functions. What a number or a date means is left to `verify`; what makes a sentence worth keeping, to `llm`.
"""

from almanac.language.content_words import words
from almanac.language.detection import detect
from almanac.language.index_terms import Term, index_terms, search_terms
from almanac.language.segmentation import Sentence, sentences

__all__ = ["Sentence", "Term", "detect", "index_terms", "search_terms", "sentences", "words"]

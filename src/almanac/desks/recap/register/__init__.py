"""The register: under which values each article is filed, for combined filters, counts and suggestions.

It follows from the articles and is made again from them; search proper, with words, is left to the search index.
"""

from almanac.desks.recap.register.store import Entry, Found, Value, counts, file, find, remove, spellings, suggestions

__all__ = ["Entry", "Found", "Value", "counts", "file", "find", "remove", "spellings", "suggestions"]

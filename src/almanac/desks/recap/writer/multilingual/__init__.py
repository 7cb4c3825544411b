"""Writing without a model about sittings of other parliaments than the Diet, in the language of their record.

The speakers' own sentences are chosen and verified; what is added are the fixed phrases of a phrasebook.
"""

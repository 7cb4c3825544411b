"""Rules of meaning for Japanese: other polarity, hedges, quantifiers, roles or causes than the source has."""

from almanac.verify.statements.japanese.rules import check_meaning

__all__ = ["check_meaning"]

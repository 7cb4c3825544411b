"""What anyone may read of the desk: issues that somebody with the right to send put into the archive."""

from almanac.desks.newsletter.published.part import PART

__all__ = ["PART"]

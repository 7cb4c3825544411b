"""Almanac: a self-hosted workspace of five desks on one spine. Nothing invented, nothing lost, nothing sent twice."""

__version__ = "0.1.0"

"""Feeds out: RSS, Atom and JSON Feed written from one model. What is in a feed, and who may read it, is for callers."""

from almanac.feeds.atom import atom
from almanac.feeds.json_feed import json_feed
from almanac.feeds.model import EPOCH, Feed, Item
from almanac.feeds.rss import rss

__all__ = ["EPOCH", "Feed", "Item", "atom", "json_feed", "rss"]

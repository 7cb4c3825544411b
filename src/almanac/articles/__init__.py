"""Articles on web pages: their words, date, language, country and tags, and which of them tell the same story.

Pages and feeds are read in processes of their own, which a hostile one may bring down; so this part imports little.
"""

from almanac.articles.feed import ReadFeed
from almanac.articles.page import Errand, NoArticle, Obstacle, ReadPage
from almanac.articles.pool import Reader, ReaderPool, ThreadReader

__all__ = ["Errand", "NoArticle", "Obstacle", "ReadFeed", "ReadPage", "Reader", "ReaderPool", "ThreadReader"]

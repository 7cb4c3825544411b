"""Articles on web pages: their words, date, language, country and tags, and which of them tell the same story.

Pages and feeds are read in processes of their own, which a hostile one may bring down; so this part imports little.
"""

from almanac.articles.feed import ParsedFeed
from almanac.articles.page import NoArticle, NoArticleCause, PageRequest, ParsedPage
from almanac.articles.pool import PageReader, ReaderPool, ThreadReader

__all__ = [
    "NoArticle",
    "NoArticleCause",
    "PageReader",
    "PageRequest",
    "ParsedFeed",
    "ParsedPage",
    "ReaderPool",
    "ThreadReader",
]

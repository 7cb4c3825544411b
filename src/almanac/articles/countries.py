"""Which country an article is about: by the places it names, then by the site's own ending; never a made-up code."""

from functools import cache

from almanac.articles.word_lists import NOTHING, WordFinder, data_lines

_FEWEST = 2
_ENDINGS_OF_NO_COUNTRY = frozenset({"io", "ai", "co", "tv", "me", "fm", "cc", "ws", "to", "ly", "gg"})
_ENDING_TO_CODE = {"uk": "GB"}
_READ = 12_000


@cache
def _finder() -> WordFinder:
    lists = {line.split()[0]: line.split()[1:] for line in data_lines("countries")}
    return WordFinder(lists, as_written=True)


@cache
def country_codes() -> frozenset[str]:
    """The countries that can be told apart."""
    return frozenset(line.split()[0] for line in data_lines("countries")) - {NOTHING}


def country_of(title: str, text: str, host: str) -> str | None:
    """The two-letter code of the country named most; the site's own country where no place is named twice.

    None where two are named equally often: a guess between them would be wrong every other time.
    """
    named = _finder().count(title, text[:_READ])
    home = _home_of(host)
    # A country's own sites name it less often than others do.
    most = max(((times + (code == home), code) for code, times in named.items()), default=(0, ""))
    if not named or (named[most[1]] < _FEWEST and home is not None):
        return home
    rivals = [code for code, times in named.items() if times + (code == home) == most[0]]
    return most[1] if len(rivals) == 1 else None


def _home_of(host: str) -> str | None:
    ending = host.partition(":")[0].rsplit(".", maxsplit=1)[-1].lower()
    if len(ending) != 2 or ending in _ENDINGS_OF_NO_COUNTRY or not ending.isalpha():
        return None
    code = _ENDING_TO_CODE.get(ending, ending.upper())
    return code if code in country_codes() else None

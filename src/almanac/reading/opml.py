"""OPML: the feeds that a list names, however deep they are nested."""

from xml.parsers import expat

from almanac.reading.result import ListedFeed, Unreadable

MOST_FEEDS = 2000


def read_opml(content: bytes) -> list[ListedFeed]:
    """Every feed of the list once, in its order. Entities of its own making are refused: they serve only attacks."""
    found: dict[str, ListedFeed] = {}
    names: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        names.append(name.lower())
        told = {key.lower(): value.strip() for key, value in attributes.items()}
        if name.lower() == "outline" and (url := told.get("xmlurl")):
            found.setdefault(url, ListedFeed(url, told.get("title") or told.get("text") or ""))

    def refuse(*_: object) -> None:
        raise Unreadable("This OPML defines entities of its own, so it is not read; export the list again.")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content.lstrip(b" \t\r\n"), True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise Unreadable("This is no OPML; export the list of feeds from your reader again.") from error
    if names[:1] != ["opml"]:
        raise Unreadable("This is no OPML; export the list of feeds from your reader again.")
    if not found:
        raise Unreadable("This OPML names no feed.")
    if len(found) > MOST_FEEDS:
        raise Unreadable(f"This OPML names {len(found):,} feeds; at most {MOST_FEEDS:,} are added at once. Split it.")
    return list(found.values())

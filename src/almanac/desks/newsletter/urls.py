"""The paths of the desk's pages."""

from urllib.parse import quote

PREFIX = "/newsletter"


def newsletter_path(code: str, *parts: str) -> str:
    """The path of a newsletter's page, every part escaped; without parts, the page where its owner left off."""
    return "/".join((PREFIX, *(quote(part, safe="") for part in (code, *parts))))

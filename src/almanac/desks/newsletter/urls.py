"""The paths of the desk's pages."""

from urllib.parse import quote

PREFIX = "/newsletter"
ARCHIVE_PATH = "/newsletters"


def newsletter_path(code: str, *parts: str) -> str:
    """The path of a newsletter's page, every part escaped; without parts, the page where its owner left off."""
    return "/".join((PREFIX, *(quote(part, safe="") for part in (code, *parts))))


def archive_path(code: str) -> str:
    """The path of an issue in the archive, below the language of the public side."""
    return f"{ARCHIVE_PATH}/{quote(code, safe='')}"

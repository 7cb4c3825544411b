"""Addresses of the public side. They follow from the settings alone, never from what a request says of its host."""

from dataclasses import dataclass
from urllib.parse import quote, urlencode, urlsplit


@dataclass(frozen=True, slots=True)
class PublicLinks:
    """`base` is the whole address of the public side; `root` is what links on its pages begin with.

    Where the public side has a host of its own, links are whole addresses, so that a page is the same however it was
    reached.
    """

    base: str
    root: str

    @classmethod
    def build(cls, base: str, private_url: str) -> "PublicLinks":
        """The links for the address of the public side and that of the private one."""
        split = urlsplit(base)
        is_same_host = split.netloc == urlsplit(private_url).netloc
        return cls(base, split.path.rstrip("/") if is_same_host else base)

    def page(self, language: str, path: str = "", **query: str) -> str:
        """The link to a page; values of the query that are empty are left out."""
        text = urlencode({name: value for name, value in query.items() if value})
        return f"{self.root}/{language}{path}" + (f"?{text}" if text else "")

    def whole(self, language: str, path: str = "") -> str:
        """The whole address of a page, for feeds, sitemaps and search engines."""
        return f"{self.base}/{language}{path}"

    def file(self, path: str) -> str:
        """The link to what has no language, such as a style sheet."""
        return f"{self.root}{path}"


def join_path(*parts: str) -> str:
    """A path with every part escaped."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)

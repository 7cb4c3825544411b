"""Every page there is, from the list of routes that docs/reference keeps true, and what must hold on each of them.

A walk starts at the routes without parameters and follows links until it has an example of every other route.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

ROUTES = Path(__file__).parents[1] / "docs/reference/routes.md"
_ROUTE = re.compile(r"^\| `GET(?: HEAD)? (/\S*)` \| ([^|]+) \|", re.MULTILINE)
_PARAMETER = re.compile(r"\{(\w+)(:path)?\}")
# Streams, files and what answers only programs.
_NO_PAGE = re.compile(
    r"^/api/v1/|/live$|\.(?:csv|eml|pdf|png|jsonl?|js|webmanifest|atom)$|\.\{form\}$|^/(?:metrics|healthz|readyz|static/)"
    r"|^/help/images/|/html$|/preview/mail$|/opml$|/export$|^/habits/files/|^/api/|^/public/(?:data|files)/|^/public/oembed$"
)


_MOST_EXAMPLES = 4


@dataclass(frozen=True)
class PageRoute:
    """The path of a page with its parameters, and whether one must be signed in to see it."""

    path: str
    needs_person: bool

    @property
    def parameters(self) -> int:
        return len(_PARAMETER.findall(self.path))

    def matches(self, path: str) -> bool:
        parts = re.split(r"(\{\w+(?::path)?\})", self.path)
        pattern = "".join(
            (".+" if part.endswith(":path}") else "[^/]+") if _PARAMETER.fullmatch(part) else re.escape(part)
            for part in parts
        )
        return re.fullmatch(pattern, path) is not None


def list_page_routes() -> list[PageRoute]:
    """Every GET route that answers with a page, those with fewest parameters first."""
    rows = _ROUTE.findall(ROUTES.read_text("utf-8"))
    routes = [PageRoute(path, not need.startswith(("nothing", "anyone"))) for path, need in rows]
    return sorted((route for route in routes if not _NO_PAGE.search(route.path)), key=lambda r: (r.parameters, r.path))


@dataclass
class PageWalk:
    """Which routes still need an example, and the addresses to visit next."""

    routes: list[PageRoute]
    examples: dict[str, list[str]] = field(default_factory=dict)
    _waiting: list[str] = field(default_factory=list)

    def add(self, addresses: Iterable[str]) -> None:
        """Visit the first address of each route; a few others are kept for what only they lead to."""
        for address in addresses:
            path = urlsplit(address).path
            route = next((route for route in self.routes if route.matches(path)), None)
            if _NO_PAGE.search(path) or route is None:
                continue
            examples = self.examples.setdefault(route.path, [])
            if not examples:
                self._waiting.append(address)
            if len(examples) < _MOST_EXAMPLES and address not in examples:
                examples.append(address)

    def add_states(self, addresses: Iterable[str]) -> None:
        """Visit these too, whatever else there is of their route."""
        self._waiting += addresses

    def __iter__(self) -> Iterator[str]:
        for number in range(1, _MOST_EXAMPLES):
            while self._waiting:
                yield self._waiting.pop(0)
            areas = {path.split("/")[1] for path in self.list_unvisited()}
            others = [
                addresses for path, addresses in self.examples.items() if path.split("/")[1] in areas and "{" in path
            ]
            self._waiting += [addresses[number] for addresses in others if len(addresses) > number]

    def list_unvisited(self) -> list[str]:
        return [route.path for route in self.routes if route.path not in self.examples]


LINKS = """() => [...document.querySelectorAll("a[href], form[method=get][action], iframe[src]")]
  .map((e) => e.getAttribute("href") || e.getAttribute("action") || e.getAttribute("src"))
  .filter((address) => address.startsWith("/"))"""

# What is wrong with the page as it stands, as sentences. Colours are compared as the browser computes them.
FAULTS = """() => {
  const faults = [];
  const root = document.documentElement;
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (e) => e.outerHTML.replace(/\\s+/g, " ").slice(0, 120);
  const wider = root.scrollWidth - root.clientWidth;
  if (wider > 0) {
    const isOutside = (e) => e.getBoundingClientRect().right > root.clientWidth + 0.5;
    const widest = [...document.body.querySelectorAll("*")].filter(shown)
      .find((e) => isOutside(e) && !e.closest(".table-scroll, .opens-at-end"));
    faults.push(`${wider} px wider than the screen, by ${widest ? name(widest) : "something"}`);
  }
  const heads = [...document.querySelectorAll("h1")].filter(shown);
  if (heads.length !== 1) faults.push(`${heads.length} headings of the first level`);
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  const twice = ids.filter((id, at) => ids.indexOf(id) < at);
  if (twice.length) faults.push(`ids that are there twice: ${twice}`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || small.has(parent) || !shown(parent) || parent.closest(".unseen, option")) continue;
    if (parseFloat(getComputedStyle(parent).fontSize) < 12.99) small.add(parent);
  }
  for (const e of small) faults.push(`text of ${getComputedStyle(e).fontSize}: ${name(e)}`);
  const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = color;
    ink.fillRect(0, 0, 1, 1);
    return [...ink.getImageData(0, 0, 1, 1).data];
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const color = rgba(getComputedStyle(e).backgroundColor);
      if (color[3] > 250) return color;
    }
    return [255, 255, 255, 255];
  };
  const light = (color) => color.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const boxes = "[type=hidden], [type=checkbox], [type=radio], [type=range], [type=file]";
  const controls = `input:not(${boxes}), select, textarea, .button-plain`;
  const faint = new Set();
  for (const e of document.querySelectorAll(controls)) {
    const style = getComputedStyle(e);
    if (!shown(e) || e.disabled || parseFloat(style.borderTopWidth) === 0) continue;
    const edge = rgba(style.borderTopColor);
    const ratio = contrast(edge, ground(e.parentElement));
    if (ratio < 1.6) faint.add(`${name(e)}: its edge has a contrast of ${ratio.toFixed(2)}`);
  }
  faults.push(...faint);
  return faults;
}"""

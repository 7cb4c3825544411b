"""A browser of the administrator for `pages.py`: signs in by a one-time link and finds the pages to measure."""

import http.client
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

LISTS = {"news": "/news", "recap": "/recap/articles", "newsletter": "/newsletter", "reminders": "/reminders/customers"}
DETAILS = {
    "news: story": ("news", r"/news/stories/\d+"),
    "recap: article": ("recap", r"/recap/articles/\w+"),
    "reminders: customer": ("reminders", r"/reminders/customers/(?!new)[\w-]+"),
}
NEWSLETTER = r"/newsletter/(?!new)[\w-]+"


@dataclass(frozen=True)
class Answer:
    """What came back, as far as it is compared."""

    status: int
    text: str


class Visitor:
    """One connection that stays open, with the cookie of the session."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookie = cookie

    def get(self, path: str) -> Answer:
        headers = {"Accept": "application/json" if path.startswith("/api") else "text/html", "Cookie": self.cookie}
        self._connection.request("GET", path, headers=headers)
        response = self._connection.getresponse()
        return Answer(response.status, response.read().decode())

    def sign_in(self, link: str) -> None:
        self._connection.request("POST", urlsplit(link).path)
        response = self._connection.getresponse()
        response.read()
        self.cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
        if self.get("/account").status != 200:
            raise RuntimeError("The one-time link did not sign in.")

    def close(self) -> None:
        self._connection.close()


def one_time_link(data: Path) -> str:
    """As the administrator gets it on the machine."""
    environment = {**os.environ, "ALMANAC_DATA": str(data)}
    command = [sys.executable, "-m", "almanac", "user", "link"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return re.search(r"http\S+", answer.stdout)[0]


def find_pages(visitor: Visitor) -> dict[str, str]:
    """The path of each page by its name: lists, and the first detail that each of them leads to."""
    lists = {name: visitor.get(path).text for name, path in LISTS.items()}
    details = {name: re.search(f'href="({pattern})"', lists[desk])[1] for name, (desk, pattern) in DETAILS.items()}
    newsletter = re.search(f'href="({NEWSLETTER})', lists["newsletter"])[1]
    return {
        "home": "/",
        "news: list": "/news",
        "news: story": details["news: story"],
        "recap: home": "/recap",
        "recap: list": "/recap/articles",
        "recap: article": details["recap: article"],
        "reminders: queue": "/reminders",
        "reminders: customers": "/reminders/customers",
        "reminders: customer": details["reminders: customer"],
        "newsletter: list": "/newsletter",
        "newsletter: draft": f"{newsletter}/draft",
        "habits": "/habits",
        "search": "/search?q=energy",
        "jobs": "/jobs",
        "API: news": "/api/v1/news/articles?limit=25",
        "API: recap": "/api/v1/recap/articles?limit=25",
        "API: drafts": "/api/v1/reminders/drafts?limit=25",
    }


def processor_seconds(pid: int) -> float:
    """What a process and its threads have used of the processor, by the kernel's clock of it, to the nanosecond."""
    return time.clock_gettime(~pid << 3 | 2)

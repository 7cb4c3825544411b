"""Names of hosts as they are looked up: one spelling in ASCII, whatever script they are written in."""

from almanac.kit.lazy import lazy_module

yarl = lazy_module("yarl")


def ascii_host(host: str) -> str:
    """The name that is asked for when a page of this host is fetched; a ValueError for what is no name."""
    return str(yarl.URL.build(scheme="https", host=host).raw_host)

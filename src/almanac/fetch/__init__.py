"""Fetching from addresses that people and feeds name: guarded, bounded, without cookies and without surprises.

What is done with the fetched bytes is left to the caller; adapters are `HttpFetcher` and the in-memory `FakeFetcher`.
"""

from almanac.fetch.errors import AddressRefused, BodyTooLarge, FetchFailed, HostRateLimited, HostUnavailable
from almanac.fetch.port import Conditions, Fetched, Fetcher

__all__ = [
    "AddressRefused",
    "BodyTooLarge",
    "Conditions",
    "FetchFailed",
    "Fetched",
    "Fetcher",
    "HostRateLimited",
    "HostUnavailable",
]

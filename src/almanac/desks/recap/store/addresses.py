"""Addresses of stored objects: what is written into the tables, and which object of our store an address means.

Written addresses are clean: `s3://bucket/prefix/key`, or the key alone where nobody else could use more. Other programs
write the address of the same object in every form that an S3 store answers to, signed or not.
"""

import re
from urllib.parse import parse_qs, unquote, urlsplit

from almanac.read_ports import ObjectsLocation

# What earlier versions wrote: the endpoint of the setting stands between the prefix and the key.
_WITH_ENDPOINT = re.compile(r"s3://[^?]*\?(?:endpoint|region)=.*?/(recap/.*)")
_AMAZON = re.compile(r"(?:(?P<bucket>.+)\.)?s3(?:[.-][a-z0-9-]+)*\.amazonaws\.com(?:\.cn)?")


def object_url(settings: ObjectsLocation, key: str) -> str:
    """The address to store: a full one if other programs can use it, otherwise the key."""
    store = _bucket_and_prefix(settings)
    return f"s3://{'/'.join(filter(None, (*store, key)))}" if store else key


def find_key(settings: ObjectsLocation, url: str) -> str | None:
    """The key of an address in the configured store; None if it belongs to another one."""
    if "://" not in url:
        return url.lstrip("/")
    written = _WITH_ENDPOINT.fullmatch(url)
    if written and _is_ours(settings, url):
        return written[1]
    store = _bucket_and_prefix(settings)
    if store is None:
        return None
    bucket, prefix = store
    path = _path_in_bucket(settings, url, bucket)
    begin = f"{prefix}/" if prefix else ""
    return path.removeprefix(begin) if path and path.startswith(begin) and path != begin else None


def _is_ours(settings: ObjectsLocation, url: str) -> bool:
    """Whether an address with an endpoint names the bucket and prefix of the setting."""
    store = _bucket_and_prefix(settings)
    return store is not None and url.partition("?")[0] == f"s3://{'/'.join(filter(None, store))}"


def _bucket_and_prefix(settings: ObjectsLocation) -> tuple[str, str] | None:
    """The bucket and the prefix of an S3 store; None where objects are in a folder."""
    parts = urlsplit(settings.objects_url or "")
    return (parts.netloc, parts.path.strip("/")) if parts.scheme == "s3" else None


def _path_in_bucket(settings: ObjectsLocation, url: str, bucket: str) -> str | None:
    """The path of an address below our bucket: `s3://`, path-style or virtual-host-style; None if it's elsewhere."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.lower()
    except ValueError:
        return None
    path = unquote(parts.path).lstrip("/")
    if parts.scheme not in ("http", "https"):
        return path if (parts.scheme, parts.netloc) == ("s3", bucket) else None
    endpoint = _endpoint_host(settings)
    amazon = None if endpoint else _AMAZON.fullmatch(host)
    if host == f"{bucket.lower()}.{endpoint}" or (amazon and amazon["bucket"] == bucket.lower()):
        return path
    is_path_style = host == endpoint or (amazon is not None and amazon["bucket"] is None)
    return path.removeprefix(f"{bucket}/") if is_path_style and path.startswith(f"{bucket}/") else None


def _endpoint_host(settings: ObjectsLocation) -> str:
    options = parse_qs(urlsplit(settings.objects_url or "").query)
    return urlsplit(options.get("endpoint", [""])[-1]).netloc.lower()

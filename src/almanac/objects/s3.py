"""Objects in an S3-compatible store (Amazon S3, Cloudflare R2, MinIO), with credentials from the AWS environment."""

from contextlib import AbstractContextManager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from obstore.exceptions import BaseError
from obstore.store import S3Store

from almanac.errors import SettingError
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.objects.obstore_mapping import (
    CHUNK,
    OBJECTS_SETTING,
    describe_opening_failure,
    listed_object,
    object_info,
    translate_chunks,
    translate_object_errors,
)
from almanac.objects.port import (
    Content,
    ListedObject,
    ObjectInfo,
    ObjectStore,
    OpenObject,
    content_type_of,
    page_size,
    valid_key,
    valid_prefix,
)

if TYPE_CHECKING:  # obstore has these names in its type stubs only
    from obstore.store import ClientConfig, S3Config

_OPTIONS = frozenset({"endpoint", "region"})
_BATCH = 1000


class S3ObjectStore(ObjectStore):
    """Objects below one prefix of one bucket."""

    def __init__(
        self,
        bucket: str,
        prefix: str = "",
        *,
        endpoint: str | None = None,
        region: str | None = None,
        tries: int = 4,
        setting: str = OBJECTS_SETTING,
    ) -> None:
        self._setting = setting
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            config=_config(endpoint, region),
            client_options={"connect_timeout": timedelta(seconds=5), "timeout": timedelta(seconds=60)}
            | _plain_http(endpoint),
            retry_config={"max_retries": tries, "retry_timeout": timedelta(seconds=20)},
        )

    @classmethod
    def from_url(cls, url: str, *, tries: int = 4, setting: str = OBJECTS_SETTING) -> "S3ObjectStore":
        """Read `s3://bucket/prefix?endpoint=https://...&region=...`; a wrong one is a SettingError.

        `setting` is where the address comes from, which errors name.
        """
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        if parts.scheme != "s3" or not parts.hostname or options.keys() - _OPTIONS:
            raise SettingError(
                gettext(
                    "%(url)s isn't an object store; use s3://bucket/prefix?endpoint=https://...&region=...",
                    url=f"{url!r}",
                )
            )
        try:
            return cls(parts.netloc, parts.path.strip("/"), **options, tries=tries, setting=setting)
        except (BaseError, ValueError) as error:
            raise SettingError(describe_opening_failure(error, setting)) from error

    def _translated(self, key: str) -> AbstractContextManager[None]:
        return translate_object_errors(key, self._setting)

    async def put(
        self, key: str, content: Content, *, content_type: str | None = None, if_absent: bool = False
    ) -> ObjectInfo:
        with self._translated(valid_key(key)):
            await self._store.put_async(
                key,
                content,
                attributes={"Content-Type": content_type or content_type_of(key)},
                mode="create" if if_absent else "overwrite",
            )
        return await self.head(key)

    async def open(self, key: str) -> OpenObject:
        with self._translated(valid_key(key)):
            response = await self._store.get_async(key)
        info = object_info(response.meta, key, response.attributes.get("Content-Type") or content_type_of(key))
        return OpenObject(info, translate_chunks(response.stream(CHUNK), key, self._setting))

    async def head(self, key: str) -> ObjectInfo:
        with self._translated(valid_key(key)):
            response = await self._store.get_async(key, options={"head": True})
        return object_info(response.meta, key, response.attributes.get("Content-Type") or content_type_of(key))

    async def list(self, prefix: str = "", *, after: str | None = None, limit: int = 100) -> Page[ListedObject]:
        size = page_size(limit)
        shown: list[ListedObject] = []
        with self._translated(prefix):
            async for metas in self._store.list(valid_prefix(prefix) or None, offset=after, chunk_size=size + 1):
                shown += [listed_object(meta, meta["path"]) for meta in metas]
                if len(shown) > size:
                    return Page(shown[:size], shown[size - 1].key)
        return Page(shown, None)

    async def delete(self, key: str) -> None:
        with self._translated(valid_key(key)):
            await self._store.delete_async(key)

    async def delete_prefix(self, prefix: str) -> int:
        keys = [listed.key async for listed in self.iterate(prefix)]
        with self._translated(prefix):
            for start in range(0, len(keys), _BATCH):
                await self._store.delete_async(keys[start : start + _BATCH])
        return len(keys)

    async def copy(self, source: str, target: str) -> ObjectInfo:
        valid_key(target)
        with self._translated(valid_key(source)):
            await self._store.copy_async(source, target)
        return await self.head(target)


def _config(endpoint: str | None, region: str | None) -> "S3Config":
    config: S3Config = {}
    if endpoint:
        config["endpoint"] = endpoint
    if region:
        config["region"] = region
    return config


def _plain_http(endpoint: str | None) -> "ClientConfig":
    return {"allow_http": True} if (endpoint or "").startswith("http://") else {}

"""Where records, prompts, results and texts of articles are kept in the object store, and the addresses of them.

Records and texts are written once under names that tell their content apart, so that nothing a reader may hold changes.
"""

from almanac.config import Settings
from almanac.errors import NotFound

_ROOT = "recap"


def record_key(pk: str, digest: str) -> str:
    """An official record as it was collected."""
    return f"{_ROOT}/records/{pk}/{digest[:16]}.json"


def prompt_key(pk: str, name: str) -> str:
    """What one pack of a sitting consists of."""
    return f"{_ROOT}/prompts/{pk}/{name}.json"


def result_key(pk: str, name: str) -> str:
    """What was written about one pack, or about all of them together."""
    return f"{_ROOT}/results/{pk}/{name}.json"


def article_prefix(article_id: str) -> str:
    """Everything that belongs to one article."""
    return f"{_ROOT}/articles/{article_id}/"


def asset_key(article_id: str, digest: str) -> str:
    """The texts of one version of an article."""
    return f"{article_prefix(article_id)}{digest[:16]}/asset.json"


def task_prefixes(pk: str) -> tuple[str, ...]:
    """Everything that belongs to one task."""
    return tuple(f"{_ROOT}/{part}/{pk}/" for part in ("records", "prompts", "results"))


def url_of(settings: Settings, key: str) -> str:
    """The address to store: whole where the store has one that other programs can use."""
    base = settings.objects_url or ""
    return f"{base.rstrip('/')}/{key}" if base.startswith("s3:") else key


def key_of(settings: Settings, url: str) -> str:
    """The key behind a stored address."""
    base = (settings.objects_url or "").rstrip("/") + "/"
    key = url.removeprefix(base) if len(base) > 1 else url
    if "://" in key:
        raise NotFound("This text is kept in another object store; set ALMANAC_OBJECTS_URL to it.")
    return key

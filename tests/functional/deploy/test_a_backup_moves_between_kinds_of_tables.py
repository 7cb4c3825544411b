"""Tables at a DynamoDB endpoint are in the archive; a backup moves from the embedded file to an endpoint and back."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from almanac.backup import make_backup, restore_backup, verify_archive
from almanac.bootstrap import get_installation, open_services, open_stores
from almanac.config import Settings
from almanac.desks.newsletter.store import table
from almanac.tables import physical_names

NEWSLETTERS = table.newsletters.name
ITEM = {"PK": {"S": "NEWSLETTER#1"}, "SK": {"S": "META"}, "title": {"S": "令和 — spring"}}


@pytest.fixture
def endpoint(tmp_path, monkeypatch):
    """The engine as a service, without any table yet."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    command = [sys.executable, "-u", "-m", "tablature.engine", "--path", str(tmp_path / "tables.db"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as engine:
        yield re.search(r"http://\S+", engine.stdout.readline())[0]
        engine.terminate()


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="almanac-kinds-", ignore_cleanup_errors=True) as name:
        yield Path(name)


async def items(services):
    """Every item of every table, as sorted JSON."""
    contents = {}
    for name, physical in physical_names(services.settings).items():
        page = await services.table_service.send_async("Scan", {"TableName": physical})
        contents[name] = sorted(json.dumps(item, sort_keys=True) for item in page["Items"])
    return contents


async def test_from_the_embedded_file_to_an_endpoint_and_back(folder, endpoint, database_url):
    here = Settings(data=folder / "here", database_url=database_url)
    there = Settings(
        data=folder / "there", database_url=database_url, dynamodb_endpoint=endpoint, dynamodb_region="us-east-1"
    )
    async with open_services(here) as services:
        await services.table_service.send_async("PutItem", {"TableName": here.newsletter_table, "Item": ITEM})
        before = await items(services)
        embedded = await make_backup(get_installation(services), folder / "embedded.tar.gz")
    assert before[NEWSLETTERS]
    async with open_stores(there) as stores:
        await restore_backup(stores, embedded.path)
    async with open_services(there) as services:
        assert await items(services) == before
        at_endpoint = await make_backup(get_installation(services), folder / "endpoint.tar.gz")
        await services.table_service.send_async(
            "PutItem", {"TableName": there.newsletter_table, "Item": {**ITEM, "SK": {"S": "LATER"}}}
        )
    counts = verify_archive(at_endpoint.path).tables
    assert counts[NEWSLETTERS].items == len(before[NEWSLETTERS])
    for settings in (there, here):
        async with open_stores(settings) as stores:
            await restore_backup(stores, at_endpoint.path)
        async with open_services(settings) as services:
            assert await items(services) == before

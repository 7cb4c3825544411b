"""The tables of all desks: named by the settings, created where missing, written as their documents say."""

from datetime import UTC, datetime

import pytest

from almanac.config import load_settings
from almanac.desks.habits.store.table import UserStats
from almanac.errors import SettingError
from almanac.objects.memory import MemoryObjectStore
from almanac.tables import (
    TABLES,
    LargeValues,
    TablesReport,
    ensure_tables,
    find_table_problems,
    open_tables,
    physical_names,
    restore_at_service,
)
from tablature.cli.main import main
from tablature.errors import ObjectMissing, ServiceError
from tablature.transport.embedded import Embedded


def opened(transport, settings):
    return open_tables(transport, settings, clock=lambda: datetime.now(UTC), cursor_secret=b"s" * 32)


def test_every_table_has_a_physical_name(tmp_path):
    names = physical_names(load_settings({}, tmp_path))
    assert names.keys() == {table.name for table in TABLES}
    assert (names["newsletter"], names["email_tracking"]) == ("igad-testing-main-table", "EmailTrackingTable")


def test_the_newsletter_table_is_named_by_its_own_variable_or_ours(tmp_path):
    assert load_settings({"TABLE_NAME": "shared"}, tmp_path).newsletter_table == "shared"
    both = {"TABLE_NAME": "shared", "ALMANAC_NEWSLETTER_TABLE": "mine"}
    assert load_settings(both, tmp_path).newsletter_table == "mine"


def test_a_name_that_no_table_can_have_is_refused(tmp_path):
    with pytest.raises(SettingError, match=r"TABLE_NAME must be 3 to 255 letters"):
        load_settings({"TABLE_NAME": "a b"}, tmp_path)


async def test_missing_tables_are_created_once(tmp_path):
    with Embedded.memory() as transport:
        tables = opened(transport, load_settings({"TABLE_NAME": "shared"}, tmp_path))
        assert await ensure_tables(tables) == TablesReport([table.name for table in TABLES], [], [])
        assert await ensure_tables(tables) == TablesReport([], [], [])
        assert "shared" in transport.send("ListTables", {})["TableNames"]


async def test_a_large_value_that_is_gone_is_told_in_the_words_of_the_layer():
    values = LargeValues(MemoryObjectStore())
    await values.put_async("a", b"large")
    assert await values.get_async("a") == b"large"
    with pytest.raises(ObjectMissing):
        await values.get_async("b")


@pytest.mark.parametrize(("spread", "forms"), [("no", {"USER"}), ("yes", {f"USER#{shard}" for shard in range(8)})])
async def test_index_keys_are_spread_only_where_the_settings_say_so(tmp_path, spread, forms):
    with Embedded.memory() as transport:
        tables = opened(transport, load_settings({"ALMANAC_SPREAD_TABLES": spread}, tmp_path))
        await ensure_tables(tables)
        for number in range(30):
            await tables.create(UserStats(user_id=str(number), total_points=number))
        stored = transport.send("Scan", {"TableName": "habits"})["Items"]
        assert {item["EntityType"]["S"] for item in stored} <= forms
        assert (await tables.first(UserStats.top())).total_points == 29


async def test_spread_tables_are_brought_back_by_a_backfill(tmp_path):
    path = tmp_path / "tables.db"
    with Embedded(path) as transport:
        spread = opened(transport, load_settings({"ALMANAC_SPREAD_TABLES": "yes"}, tmp_path))
        await ensure_tables(spread)
        for number in range(10):
            await spread.create(UserStats(user_id=str(number), total_points=number))
    assert main(["backfill", "almanac.desks.habits.store.table", "--path", str(path), "--unsharded"]) == 0
    with Embedded(path) as transport:
        plain = opened(transport, load_settings({}, tmp_path))
        assert len(await plain.query(UserStats.top())) == 10


class CloneWithoutTtl:
    """A DynamoDB-compatible service that never heard of time to live."""

    def __init__(self) -> None:
        self.inner = Embedded.memory()

    async def send_async(self, operation, request):
        if "TimeToLive" in operation:
            raise ServiceError("UnknownOperationException", "")
        return await self.inner.send_async(operation, request)


async def test_a_clone_without_time_to_live_is_a_warning_at_every_migration(tmp_path):
    clone, settings = CloneWithoutTtl(), load_settings({}, tmp_path)
    for created in ([table.name for table in TABLES], []):
        report = await ensure_tables(opened(clone, settings))
        assert report.created == created
        assert len(report.warnings) == 1
        assert "EmailTrackingTable" in report.warnings[0]
    assert "is unknown" in (await find_table_problems(clone, settings))[0]


async def test_every_table_has_what_its_document_demands(tmp_path):
    settings = load_settings({}, tmp_path)
    with Embedded.memory() as transport:
        missing = await find_table_problems(transport, settings)
        assert missing[0] == "The table igad-testing-main-table is missing; run `almanac migrate`."
        assert len(missing) == len(TABLES)
        await ensure_tables(opened(transport, settings))
        assert await find_table_problems(transport, settings) == []
        recovery = transport.send("DescribeContinuousBackups", {"TableName": "EmailTrackingTable"})
        description = recovery["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        assert description["PointInTimeRecoveryStatus"] == "ENABLED"


async def test_a_damaged_setting_is_named_with_its_remedy(tmp_path):
    settings = load_settings({}, tmp_path)
    with Embedded.memory() as transport:
        await ensure_tables(opened(transport, settings))
        transport.send(
            "UpdateTable",
            {"TableName": "habits", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "GSI_Leaderboard"}}]},
        )
        assert await find_table_problems(transport, settings) == [
            "The index GSI_Leaderboard of the table habits is missing; run `almanac migrate`."
        ]
        assert (await ensure_tables(opened(transport, settings))).completed
        assert await find_table_problems(transport, settings) == []


async def test_a_service_restores_tables_beside_the_present_ones(tmp_path):
    settings = load_settings({}, tmp_path)
    with Embedded.memory() as transport:
        tables = opened(transport, settings)
        await ensure_tables(tables)
        await tables.create(UserStats(user_id="1", total_points=1))
        draft = {"PK": {"S": "a"}, "SK": {"S": "b"}}
        transport.send("PutItem", {"TableName": "EmailTrackingTable", "Item": draft})
        moment = datetime.now(UTC)
        transport.send("DeleteItem", {"TableName": "EmailTrackingTable", "Key": draft})
        restored = await restore_at_service(transport, settings, moment, "-then")
        assert restored.variables == {"ALMANAC_EMAIL_TRACKING_TABLE": "EmailTrackingTable-then"}
        assert "habits" in restored.without_recovery
        assert transport.send("Scan", {"TableName": "EmailTrackingTable-then"})["Items"] == [draft]
        assert transport.send("Scan", {"TableName": "EmailTrackingTable"})["Items"] == []
        chosen = load_settings(restored.variables, tmp_path)
        assert await find_table_problems(transport, chosen) == []

"""The news tables are a contract with other programs: names, types, defaults, keys and indexes as documented."""

import pytest

from almanac.relational import Database

COLUMNS = """
SELECT attname, format_type(atttypid, atttypmod) AS type, attnotnull AS required, pg_get_expr(adbin, adrelid) AS initial
FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = %(table)s::regclass AND attnum > 0 AND NOT attisdropped
ORDER BY attnum
"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE tablename = %(table)s"
CONSTRAINTS = """
SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint
WHERE conrelid = %(table)s::regclass AND contype <> 'n'
"""

TEXT, NUMBER, MOMENT = "text", "integer", "timestamp without time zone"
NOW = "CURRENT_TIMESTAMP"

EXPECTED_COLUMNS = {
    "news_links": [
        ("id", NUMBER, True, "nextval('news_links_id_seq'::regclass)"),
        ("url", TEXT, True, None),
        ("url_hash", "character varying(64)", True, None),
        ("title", TEXT, False, None),
        ("discovered_at", MOMENT, False, NOW),
        ("source_task", "character varying(255)", False, None),
        ("status", "character varying(50)", False, "'pending'::character varying"),
        ("error_message", TEXT, False, None),
        ("processed_at", MOMENT, False, None),
        ("last_checked", MOMENT, False, None),
        ("created_at", MOMENT, False, NOW),
    ],
    "processed_content": [
        ("id", NUMBER, True, "nextval('processed_content_id_seq'::regclass)"),
        ("link_id", NUMBER, False, None),
        ("title", TEXT, False, None),
        ("title_en", TEXT, False, None),
        ("title_zh", TEXT, False, None),
        ("title_ms", TEXT, False, None),
        ("content", TEXT, False, None),
        ("translated_content", TEXT, False, None),
        ("tags", "text[]", False, None),
        ("country", "character varying(2)", False, None),
        ("news_date", "date", False, None),
        ("metadata", "jsonb", False, None),
        ("created_at", MOMENT, False, NOW),
        ("updated_at", MOMENT, False, NOW),
    ],
    "blacklisted_sites": [
        ("id", NUMBER, True, "nextval('blacklisted_sites_id_seq'::regclass)"),
        ("domain", "character varying(255)", True, None),
        ("url", TEXT, True, None),
        ("title", TEXT, False, None),
        ("reason", TEXT, False, None),
        ("created_at", MOMENT, False, NOW),
        ("updated_at", MOMENT, False, NOW),
    ],
    "query_tasks": [
        ("id", NUMBER, True, "nextval('query_tasks_id_seq'::regclass)"),
        ("task_name", "character varying(255)", True, None),
        ("prompt_template", TEXT, True, None),
        ("is_active", "boolean", False, "true"),
        ("schedule", "character varying(100)", False, None),
        ("last_run", MOMENT, False, None),
        ("total_runs", NUMBER, False, "0"),
        ("total_links_found", NUMBER, False, "0"),
        ("created_at", MOMENT, False, NOW),
        ("updated_at", MOMENT, False, NOW),
    ],
}

EXPECTED_CONSTRAINTS = {
    "news_links": {"PRIMARY KEY (id)", "UNIQUE (url_hash)"},
    "processed_content": {
        "PRIMARY KEY (id)",
        "UNIQUE (link_id)",
        "FOREIGN KEY (link_id) REFERENCES news_links(id) ON DELETE CASCADE",
    },
    "blacklisted_sites": {"PRIMARY KEY (id)", "UNIQUE (domain)"},
    "query_tasks": {"PRIMARY KEY (id)", "UNIQUE (task_name)"},
}

EXPECTED_INDEXES = {
    "news_links": {
        "idx_news_links_url_hash ON public.news_links USING btree (url_hash)",
        "idx_news_links_status ON public.news_links USING btree (status)",
        "idx_news_links_source_task ON public.news_links USING btree (source_task)",
    },
    "processed_content": {
        "idx_processed_content_link_id ON public.processed_content USING btree (link_id)",
        "idx_processed_content_tags ON public.processed_content USING gin (tags)",
        "idx_processed_content_country ON public.processed_content USING btree (country)",
        "idx_processed_content_news_date ON public.processed_content USING btree (news_date)",
    },
    "blacklisted_sites": {"idx_blacklisted_sites_domain ON public.blacklisted_sites USING btree (domain)"},
    "query_tasks": {
        "idx_query_tasks_task_name ON public.query_tasks USING btree (task_name)",
        "idx_query_tasks_is_active ON public.query_tasks USING btree (is_active)",
    },
}


@pytest.mark.parametrize("table", EXPECTED_COLUMNS)
async def test_a_table_is_as_documented(database: Database, table: str) -> None:
    async with database.unit() as unit:
        columns = [tuple(row.values()) for row in await unit.all(COLUMNS, {"table": table})]
        rules = {row["rule"] for row in await unit.all(CONSTRAINTS, {"table": table})}
        indexes = {row["indexdef"].removeprefix("CREATE INDEX ") for row in await unit.all(INDEXES, {"table": table})}

    documented = EXPECTED_COLUMNS[table]
    assert columns[: len(documented)] == documented
    assert all(not required or initial for _, _, required, initial in columns[len(documented) :])
    assert rules >= EXPECTED_CONSTRAINTS[table]
    assert indexes >= EXPECTED_INDEXES[table]


async def test_deleting_a_link_deletes_its_content(database: Database) -> None:
    async with database.unit() as unit:
        await unit.execute("INSERT INTO news_links (url, url_hash) VALUES ('u', 'h')")
        await unit.execute("INSERT INTO processed_content (link_id) SELECT id FROM news_links")
        await unit.execute("DELETE FROM news_links")
        assert await unit.value("SELECT count(*) FROM processed_content") == 0

"""Whichever setting is wrong, a command says so in one sentence that names it, and exits with 2."""

from dataclasses import fields

import pytest

from almanac.config import Settings

NUMBER, FLAG, ADDRESS, TABLE = "eighty", "maybe", "https:nowhere", "a b"
# For each setting a value that can't be meant, and the command that is the first to look at it.
WRONG = {
    "data": "~nobody-by-this-name/data",
    "organisation": "x" * 81,
    "port": NUMBER,
    "base_url": ADDRESS,
    "secret_key": "short",
    "admin_token": "short",
    "objects_url": "s3://",
    "dynamodb_endpoint": ADDRESS,
    "dynamodb_region": "nowhere at all",
    "newsletter_table": TABLE,
    "habits_table": TABLE,
    "llm_tasks_table": TABLE,
    "articles_table": TABLE,
    "email_tracking_table": TABLE,
    "spread_tables": FLAG,
    "mail_url": "smtp://",
    "mail_from": "nobody in particular",
    "processes": "0",
    "worker": FLAG,
    "worker_concurrency": "0",
    "log_format": "xml",
    "log_level": "loud",
    "desks": "kitchen",
    "public": "kitchen",
    "public_base_url": ADDRESS,
    "public_rate_limit_per_minute": "1",
    "demo": FLAG,
    "development": FLAG,
    "session_days": "0",
    "max_body_mb": NUMBER,
    "rate_limit_per_minute": "1",
    "approve_own_work": FLAG,
    "time_zone": "Mars/Olympus",
    "backup_keep_days": "-1",
    "fetch_allow": "not a host",
    "fetch_ports": "http",
    "fetch_seconds": "0",
    "fetch_max_mb": NUMBER,
    "knowledge_max_mb": "0",
    "fetch_user_agent": "Almanac\nX-Other: 1",
    "recap_source": "file://records",
    "recap_daily": FLAG,
    "recap_pause_seconds": "-1",
    "recap_pack_tokens": NUMBER,
    "news_delay_ms": "-1",
    "news_per_site": "0",
    "news_at_a_time": "0",
    "news_readers": "0",
    "news_search_url": ADDRESS,
    "llm_model": "gpt",
    "llm_api_key": "a key without a model",
    "llm_base_url": ADDRESS,
    "llm_steps": "outline",
    "llm_output": "verse",
    "llm_timeout": "0",
    "llm_judge": "habits",
    "llm_monthly_cap": "much",
    "llm_prices": "a=b",
    "llm_embedding_model": "nobody",
    "single_user": FLAG,
    "confirm_minutes": "0",
    "require_second_factor": "boss",
    "oidc_issuer": "https://id.example.org",
    "oidc_scopes": "openid\nemail",
    "oidc_groups": "editors=boss",
    "oidc_groups_claim": "groups\n",
    "oidc_groups_required": FLAG,
    "trusted_proxies": "not an address",
    "drain_seconds": "-1",
    "metrics_token": "short",
    "dynamodb_backups": FLAG,
    "table_history_days": "-1",
    "otlp_endpoint": ADDRESS,
    "backup_keep_weeks": "-1",
    "backup_keep_months": "-1",
    "backup_url": ADDRESS,
    "backup_passphrase": "short",
}
# Looked at by another command, below; or any text will do, as long as the issuer is named too.
ELSEWHERE = {"host", "database_url"}
ANY_TEXT = {"oidc_client_id", "oidc_client_secret", "oidc_domains"}
NO_REGION = {"AWS_REGION": "", "AWS_DEFAULT_REGION": ""}
# The words for these are made where the address is read, and show its form.
SHOWN_BY_FORM = {"mail_url": "write smtp://", "objects_url": "use s3://"}


def one_sentence(answer):
    """What was said, when it was one line and the exit code 2."""
    assert (answer.code, len(answer.err.strip().splitlines())) == (2, 1), answer.err or answer.out
    assert answer.err.strip().endswith((".", "..."))
    return answer.err


def test_every_setting_is_tried():
    assert WRONG.keys() | ELSEWHERE | ANY_TEXT == {field.name for field in fields(Settings)}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_is_one_sentence_and_exit_code_two(installed_machine, name):
    variable = f"ALMANAC_{name.upper()}"
    sentence = one_sentence(installed_machine.run("doctor", **{variable: WRONG[name]}))
    assert SHOWN_BY_FORM.get(name, variable) in sentence


@pytest.mark.parametrize("host", ["no host", "300.1.1.1", "üü..x"])
def test_a_host_that_is_none_is_told(bare_machine, host):
    assert "ALMANAC_HOST" in one_sentence(bare_machine.run("serve", ALMANAC_HOST=host))


@pytest.mark.parametrize("address", ["mysql://x", "postgresql://me:my-password@host/name?bogus=1"])
def test_an_address_of_a_database_that_is_none_is_told_without_its_password(bare_machine, address):
    sentence = one_sentence(bare_machine.run("migrate", ALMANAC_DATABASE_URL=address))
    assert "ALMANAC_DATABASE_URL" in sentence
    assert "my-password" not in sentence


def test_an_endpoint_needs_a_region(installed_machine):
    endpoint = {"ALMANAC_DYNAMODB_ENDPOINT": "http://127.0.0.1:1", "AWS_CONFIG_FILE": "/nowhere", **NO_REGION}
    assert "ALMANAC_DYNAMODB_REGION" in one_sentence(installed_machine.run("doctor", **endpoint))

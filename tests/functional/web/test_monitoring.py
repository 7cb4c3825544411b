"""Monitoring: liveness, readiness, metrics, and the files for Prometheus and Grafana that read them."""

import json
import re
import subprocess
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from almanac.bootstrap import make_worker
from almanac.jobs import JobType
from almanac.mail.message import Address, Message
from almanac.metrics import compact_operation_tallies
from load.counting import counting

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
TOKEN = "a-token-for-prometheus"
MOST_STATEMENTS = 16
MODEL_USE = (
    "INSERT INTO llm_uses (at, desk, step, subject, model, prompt_version, outcome, cached, requests, input_tokens,"
    " output_tokens, cost, priced, seconds) VALUES ('2026-03-02 08:00Z', 'news', 'summary', 's', 'm', '1.0', 'written',"
    " false, 1, 100, 20, 0.25, true, 1.5)"
)


async def test_alive_means_that_the_process_answers(nobody, services):
    await services.database.close()
    answer = await nobody.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


async def test_ready_means_that_everything_needed_is_there(nobody):
    answer = await nobody.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "checks": {"database": "ok", "migrations": "ok", "objects": "ok"}}


async def test_without_its_database_it_is_not_ready_and_says_so(nobody, services):
    await services.database.close()
    answer = await nobody.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] != "ok"
    assert "postgres" not in answer.text


async def test_a_process_that_stops_is_alive_and_not_ready(app, nobody):
    app.state.almanac.draining.set()
    answer = await nobody.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"status": "stopping"})
    assert (await nobody.get("/healthz")).status_code == 200


async def test_figures_name_routes_and_nothing_about_anybody(nobody, admin):
    await admin.get(f"/people/{admin.user.id}")
    text = (await nobody.get("/metrics")).text
    assert 'route="/people/{user_id}",status="200"} 1.0' in text
    assert "almanac_request_seconds_bucket" in text
    assert admin.user.id not in text


async def test_a_client_s_own_words_never_become_figures(nobody):
    await nobody.http.request("BREW", "/healthz")
    text = (await nobody.get("/metrics")).text
    assert 'method="other"' in text
    assert "BREW" not in text


async def test_a_queue_of_another_version_has_no_series_of_its_own(nobody, services):
    async def nothing(_job) -> None:
        """Never run here."""

    await services.jobs.defer(JobType("demo.nothing", nothing, queue="fleeting"))
    text = (await nobody.get("/metrics")).text
    assert 'almanac_jobs{queue="other",status="queued"} 1.0' in text
    assert "fleeting" not in text


@pytest.fixture
async def worked(services):
    """Real work of most kinds: jobs that went well and failed, a schedule, mail, and a model that was asked."""

    async def work(job, broken: bool = False) -> None:
        if broken:
            raise ValueError("broken")

    task = JobType("demo.work", work, queue="news")
    services.jobs.registry.add(task)
    for broken in (False, False, True):
        await services.jobs.defer(task, {"broken": broken})
    await services.jobs.run_schedule("mail.keep-up")
    mail = Message(to=(Address("b@example.org"),), subject="Hello", text="Hello.", topic="accounts")
    async with services.database.unit() as unit:
        await services.mailer.queue(mail, key="k", unit=unit)
        await unit.execute(MODEL_USE)
    await make_worker(services).drain()


def samples(text):
    """Every sample of a scrape: name, labels and value."""
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def value(text, name, **labels):
    return sum(s.value for s in samples(text) if s.name == name and labels.items() <= s.labels.items())


async def test_work_is_counted_by_what_became_of_it(nobody, worked):
    text = (await nobody.get("/metrics")).text
    assert value(text, "almanac_job_runs_total", task="demo.work", outcome="succeeded") == 2
    assert value(text, "almanac_job_runs_total", task="demo.work", outcome="failed") == 1
    assert value(text, "almanac_job_seconds_count", task="demo.work") == 3
    assert value(text, "almanac_job_seconds_bucket", task="demo.work", le="+Inf") == 3
    assert value(text, "almanac_task_failures", task="demo.work", cause="fault") == 1
    assert value(text, "almanac_failures", cause="input") == 0
    assert value(text, "almanac_mail_total", outcome="sent") == 1
    assert value(text, "almanac_model_cost_dollars_total", desk="news") == 0.25
    assert value(text, "almanac_model_month_cost_dollars") == 0.25
    assert value(text, "almanac_model_tokens_total", direction="input") == 100
    assert value(text, "almanac_schedule_last_success_timestamp_seconds", schedule="mail.keep-up") > 0
    assert value(text, "almanac_database_connections") >= 1


async def test_sums_survive_folding_and_the_deletion_of_old_jobs(nobody, services, worked):
    before = value((await nobody.get("/metrics")).text, "almanac_job_runs_total")
    async with services.database.unit() as unit:
        await compact_operation_tallies(unit, many=0)
        await unit.execute("DELETE FROM procrastinate_jobs")
    assert value((await nobody.get("/metrics")).text, "almanac_job_runs_total") == before


async def test_a_job_that_waits_makes_its_queue_old(nobody, services):
    async def nothing(_job) -> None:
        """Never run here."""

    await services.jobs.defer(JobType("demo.nothing", nothing, queue="news"))
    async with services.database.unit() as unit:
        await unit.execute("UPDATE job_details SET created_at = now() - interval '1 hour'")
    assert 3600 <= value((await nobody.get("/metrics")).text, "almanac_queue_oldest_seconds", queue="news") < 3700


async def test_sources_that_are_overdue_lag(nobody, services):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO knowledge_sources (id, owner_id, identity, kind, title, titled, visibility, status, url,"
            " created_at, checked_at) VALUES ('s', 'o', 'i', 'feed', 't', true, 'mine', 'ready', 'https://a.example/',"
            " %(now)s, %(now)s::timestamptz - interval '3 hours')",
            {"now": services.clock.now()},
        )
    assert value((await nobody.get("/metrics")).text, "almanac_sync_lag_seconds", source="knowledge_feeds") == 7200


async def test_hostile_input_makes_no_series(nobody, api, services, worked):
    async def nothing(_job) -> None:
        """Never run here."""

    before = len(samples((await nobody.get("/metrics")).text))
    for number in range(100):
        await nobody.get(f"/no-such-{number}/{{user_id}}")
        await nobody.get(f"/people/{number}")
        await nobody.http.request(f"BREW{number}", "/healthz")
        await services.jobs.defer(JobType(f"demo.flood-{number}", nothing, queue=f"flood-{number}"))
        await api.get(f"/api/v1/search?q=flood-{number}")
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO operation_tallies SELECT name, 'flood ' || n, 'flood ' || n, 1"
            " FROM generate_series(1, 100) AS n, unnest(ARRAY['job_runs', 'job_seconds_bucket', 'mail', 'model_calls',"
            " 'model_tokens', 'model_cost']) AS name"
        )
        await unit.execute(
            "INSERT INTO job_failures (job_id, task, queue, by_input)"
            " SELECT id, task_name, queue_name, false FROM procrastinate_jobs ON CONFLICT DO NOTHING"
        )
    text = (await nobody.get("/metrics")).text
    assert "flood" not in text
    assert "BREW" not in text
    # A few templates that were not asked for before, and one `other` for each kind of name.
    assert len(samples(text)) - before < 120


async def test_a_scrape_asks_a_fixed_number_of_statements(nobody, services, worked):
    async def statements():
        with counting(services) as meter, meter.watch() as work:
            await nobody.get("/metrics")
        return [sql for sql, _ in work.statements if "rate_limit" not in str(sql)]

    before = len(await statements())
    for _ in range(20):
        await services.jobs.defer(services.jobs.registry.job_types["demo.work"])
    await make_worker(services).drain()
    assert len(await statements()) == before <= MOST_STATEMENTS


async def test_metrics_are_for_this_machine_unless_a_token_is_set(app):
    async def ask(address, **headers):
        transport = httpx.ASGITransport(app, client=(address, 5000))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            return (await client.get("/metrics", headers=headers)).status_code

    assert await ask("127.0.0.1") == 200
    assert await ask("::1") == 200
    assert await ask("203.0.113.9") == 403
    assert await ask("203.0.113.9", Authorization=f"Bearer {TOKEN}") == 403
    object.__setattr__(app.state.almanac.services.settings, "metrics_token", TOKEN)
    assert await ask("127.0.0.1") == 401
    assert await ask("203.0.113.9", Authorization="Bearer wrong") == 401
    assert await ask("203.0.113.9", Authorization=f"Bearer {TOKEN}") == 200


RULES = yaml.safe_load((DEPLOY / "prometheus/almanac.rules.yaml").read_text("utf-8"))["groups"][0]["rules"]
DASHBOARD = json.loads((DEPLOY / "grafana/almanac.json").read_text("utf-8"))
EXPRESSIONS = [rule["expr"] for rule in RULES] + [
    target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]
]


def selectors(expression):
    """Each series that an expression names, with the labels and the plain values that it asks for."""
    for name, matchers in re.findall(r"\b(almanac_\w+|up)\b(?:\{([^}]*)\})?", expression):
        yield name, re.findall(r'(\w+)=(~?)"([^"]*)"', matchers)


def grouped_labels(expression):
    return {label.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(",")}


@pytest.fixture
async def capped(services):
    object.__setattr__(services.models.budget, "cap", Decimal(10))


async def test_every_series_and_label_in_the_files_exists(nobody, admin, services, worked, capped):
    await nobody.get("/metrics")
    scraped = samples((await nobody.get("/metrics")).text)
    by_name = {}
    for sample in scraped:
        by_name.setdefault(sample.name, []).append(sample.labels)
    for expression in EXPRESSIONS:
        named = [(name, matchers) for name, matchers in selectors(expression) if name != "up"]
        for name, matchers in named:
            assert name in by_name, f"{expression}: there is no series {name}"
            for label, is_pattern, wanted in matchers:
                assert all(label in labels for labels in by_name[name]), f"{expression}: {name} has no label {label}"
                if not is_pattern:
                    assert any(labels[label] == wanted for labels in by_name[name]), f"{expression}: no {wanted}"
        labels = {label for name, _ in named for sample in by_name[name] for label in sample}
        assert grouped_labels(expression) <= labels | {"instance"}, expression


def test_promtool_takes_the_rules_and_makes_each_fire(debian_program):
    folder = DEPLOY / "prometheus"
    promtool = debian_program("promtool")
    for arguments in (
        ["check", "config", "prometheus.yaml"],
        ["check", "rules", "almanac.rules.yaml"],
        ["test", "rules", "almanac.rules.test.yaml"],
    ):
        done = subprocess.run([promtool, *arguments], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    tried = yaml.safe_load((folder / "almanac.rules.test.yaml").read_text("utf-8"))["tests"]
    fired = {case["alertname"] for test in tried for case in test["alert_rule_test"] if case.get("exp_alerts")}
    assert fired == {rule["alert"] for rule in RULES}


def test_every_alert_says_what_to_do_on_the_page_that_it_names():
    page = (ROOT / "docs/how-to/watch-over-an-installation.md").read_text("utf-8")
    for rule in RULES:
        path, _, anchor = rule["annotations"]["docs"].partition("#")
        assert (ROOT / path).is_file()
        assert f"### {rule['alert']}\n" in page
        assert anchor == rule["alert"].lower()
        assert rule["annotations"]["action"] in page

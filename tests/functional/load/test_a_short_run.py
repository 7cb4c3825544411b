"""A few seconds of each profile against the product on a real port: everything is answered, and nothing is a fault."""

import asyncio
import json
import os
import sys

import pytest

from almanac.kit.clock import SystemClock

SECONDS, CLIENTS = 1.5, 4
PROFILES = ("read-mostly", "write-heavy", "public")


@pytest.fixture(scope="module")
async def reports(driver_folder, served_here, content, databases, tmp_path_factory):
    """What the driver wrote about every profile."""
    folder = tmp_path_factory.mktemp("load")
    figures = folder / "figures.json"
    async with databases.lend() as address, served_here.opened(folder / "data", address, SystemClock()) as services:
        await content.bring_stories(services)
        await content.publish_sittings(services, 2)
        async with served_here.serving(services) as url:
            driver = await asyncio.create_subprocess_exec(
                sys.executable,
                str(driver_folder / "run.py"),
                "--url",
                url,
                "--seconds",
                str(SECONDS),
                "--clients",
                str(CLIENTS),
                "--json",
                str(figures),
                "--profile",
                *PROFILES,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "ALMANAC_ADMIN_TOKEN": served_here.TOKEN},
            )
            out, err = await driver.communicate()
    assert driver.returncode == 0, (out + err).decode()
    return {report["profile"]: report for report in json.loads(figures.read_text())}


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_goes_wrong(reports, profile):
    assert reports[profile]["faults"] == {}


@pytest.mark.parametrize("profile", PROFILES)
def test_percentiles_and_rates_are_told(reports, profile):
    report = reports[profile]
    assert report["requests_a_second"] > 0
    assert report["bare_requests_a_second"] > 0
    assert all(0 < item["p50"] <= item["p95"] <= item["p99"] for item in report["actions"].values())


def test_every_action_whose_cost_is_known_was_done(reports, capacity):
    rows = capacity.PAGE.read_text("utf-8").partition("|---|")[2].splitlines()
    existing = {row.split("|")[1].strip() for row in rows if row.startswith("| ")}
    done = {name for report in reports.values() for name in report["actions"]}
    assert existing <= done


def test_reading_is_most_of_one_profile_and_writing_of_the_other(reports):
    """By the table of weights; what a short run did by chance is not counted."""
    assert "newsletter: begin one" not in reports["read-mostly"]["actions"]
    assert "newsletter: begin one" in reports["write-heavy"]["actions"]

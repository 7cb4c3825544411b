"""A backup made on one PostgreSQL is restored on another, older or newer, with every row and sequence as it was."""

import re
import shlex
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.backup import make_backup, restore_backup
from almanac.bootstrap import get_installation, migrate_all, open_services, open_stores
from almanac.config import Settings
from postgres_servers import list_servers, running_server

NEEDED = {15, 16, 18}
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "use-another-database.md"


@pytest.fixture(scope="module")
def folder():
    """Not below pytest's own folder: as root, PostgreSQL's account must be able to pass through."""
    with tempfile.TemporaryDirectory(prefix="almanac-any-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def servers(folder, debian_program):
    """The address of one running server of each version."""
    debian_program("PostgreSQL")
    with ExitStack() as running:
        programs = list_servers()
        yield {n: running.enter_context(running_server(path, folder / str(n))) for n, path in programs.items()}


def test_the_versions_at_hand_are_those_we_promise(servers):
    assert set(servers) >= NEEDED


async def fill(settings, older):
    """The content of an older version's backup, brought up to date, and one person more."""
    async with open_stores(settings) as stores:
        await restore_backup(stores, older)
    async with open_services(settings) as services:
        await accounts.invite_user(
            services.accounts, CONSOLE, email="kept@example.org", name="Kept 令和", role="member"
        )


@pytest.mark.timeout(300)
async def test_from_each_version_to_each_other(servers, folder, older_backups, checksums):
    sums, archives = {}, {}
    for version, url in servers.items():
        settings = Settings(data=folder / f"data-{version}", database_url=url)
        await fill(settings, older_backups["0010.knowledge"])
        async with open_services(settings) as services:
            report = await make_backup(get_installation(services), folder / f"{version}.tar.gz")
            sums[version], archives[version] = await checksums(get_installation(services)), report.path
    for made_on, archive in archives.items():
        for version, url in servers.items():
            settings = Settings(data=folder / f"data-{version}", database_url=url)
            async with open_stores(settings) as stores:
                await restore_backup(stores, archive)
                assert await checksums(stores) == sums[made_on], (made_on, version)
            assert (await migrate_all(settings)).applied == []


@pytest.mark.timeout(120)
async def test_the_move_from_the_embedded_server_to_ones_own(servers, folder, older_backups, checksums):
    here = Settings(data=folder / "embedded")
    await fill(here, older_backups["0010.knowledge"])
    async with open_services(here) as services:
        report = await make_backup(get_installation(services), folder / "moved.tar.gz")
        before = await checksums(get_installation(services))
    shutil.rmtree(folder / "there", ignore_errors=True)
    there = Settings(data=folder / "there", database_url=servers[15])
    async with open_stores(there) as stores:
        await restore_backup(stores, report.path)
        assert await checksums(stores) == before


@pytest.mark.timeout(120)
def test_the_page_about_it_is_true(servers, bare_machine):
    """Its commands as they stand there; only the address of the database is ours."""
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        bare_machine.settings.pop("ALMANAC_DATABASE_URL", None)
        for command, shown in re.findall(r"^\$ (.*)\n((?:[^$\n].*\n)?)", block, re.MULTILINE):
            if command.startswith("export ALMANAC_DATABASE_URL="):
                bare_machine.settings["ALMANAC_DATABASE_URL"] = servers[15]
                assert bare_machine.run("migrate").code == 0
                continue
            answer = bare_machine.run(*shlex.split(command)[1:])
            assert answer.code == 0, answer.err
            assert re.search(re.escape(shown.strip()).replace("…", ".*"), answer.out), answer.out

"""A first start prints a link that signs in once; a kill at any moment loses nothing; wrong starts say why."""

import socket
import subprocess
import sys
import time

import httpx


def test_the_printed_link_signs_in_once(bare_machine):
    served = bare_machine.serve()
    assert [path.name for path in bare_machine.folder.iterdir()] == ["data"]
    with httpx.Client(follow_redirects=True) as browser:
        assert "Sign in as Administrator?" in browser.get(served.link).text
        assert browser.post(served.link).status_code == 200
        assert browser.get(f"{served.url}/account").status_code == 200
    with httpx.Client(follow_redirects=True) as stranger:
        assert "used" in stranger.get(served.link).text


def test_a_kill_loses_nothing_and_the_next_start_is_clean(idle_machine):
    served = idle_machine.serve()
    assert idle_machine.run("user", "add", "ada@example.org", "--name", "Ada").code == 0
    served.kill()
    idle_machine.serve()
    listed = idle_machine.run("user", "list", "--json")
    assert "ada@example.org" in [user["email"] for user in listed.json]


def test_a_stopped_server_ends_at_once_and_with_success(idle_machine):
    """It listens everywhere here, which is no address for a browser: the greeting names one that is."""
    served = idle_machine.serve(ALMANAC_HOST="0.0.0.0")
    assert served.url.startswith("http://localhost:")
    assert served.stop() == 0


def test_a_server_that_is_stopped_while_it_starts_closes_what_it_opened(idle_machine):
    early = subprocess.Popen(
        [sys.executable, "-m", "almanac", "serve"],
        cwd=idle_machine.folder,
        env=idle_machine.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    note = idle_machine.folder / "data" / "postgres" / "server" / "postmaster.pid"
    deadline = time.monotonic() + 60
    while not note.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    early.terminate()
    assert early.wait(60) == 0
    assert not note.exists()


def test_a_busy_port_is_one_sentence_and_exit_code_two(bare_machine):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = bare_machine.run("serve", ALMANAC_PORT=port)
    assert answer.code == 2
    assert (
        answer.err.strip()
        == f"error: Port {port} is in use by another program; stop it, or set ALMANAC_PORT to another."
    )


def test_an_unusable_data_folder_is_one_sentence_and_exit_code_two(bare_machine):
    (bare_machine.folder / "file").write_text("no folder")
    answer = bare_machine.run("serve", ALMANAC_DATA=str(bare_machine.folder / "file"))
    assert answer.code == 2
    assert len(answer.err.strip().splitlines()) == 1
    assert "set ALMANAC_DATA to a folder this account may write" in answer.err


def test_a_wrong_setting_is_one_sentence_and_exit_code_two(bare_machine):
    answer = bare_machine.run_apart("serve", ALMANAC_PORT="eighty")
    assert (answer.code, answer.err.strip()) == (2, "error: ALMANAC_PORT must be a whole number.")


def test_an_unknown_variable_is_pointed_out(bare_machine):
    answer = bare_machine.run("config", ALMANAC_PROT="1")
    assert "ALMANAC_PROT is set but isn't a setting; did you mean ALMANAC_PORT?" in answer.err


def test_an_unreachable_database_is_one_sentence(bare_machine):
    answer = bare_machine.run("migrate", ALMANAC_DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert answer.code == 1
    assert "The database doesn't answer" in answer.err
    assert "Traceback" not in answer.err

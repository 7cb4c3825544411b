"""`python -m tablature.engine`: starting, stopping, and refusing to start."""

import signal
import socket
import subprocess
import sys

import pytest


def start_and_fail(*arguments: str) -> tuple[int, str]:
    run = subprocess.run(
        [sys.executable, "-m", "tablature.engine", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    return run.returncode, run.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_quietly_when_asked(server, number):
    assert server.stop(number) == (0, "")


def test_what_was_written_is_there_after_a_restart(serve, create_orders, tmp_path):
    path = str(tmp_path / "data.db")
    first = serve("--path", path)
    client = first.client()
    create_orders(client)
    client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"N": "1"}})
    first.stop()
    second = serve("--path", path).client()
    assert second.scan(TableName="orders")["Items"] == [{"pk": {"S": "a"}, "sk": {"N": "1"}}]


def test_two_servers_share_one_file(serve, create_orders, tmp_path):
    path = str(tmp_path / "data.db")
    first, other = serve("--path", path).client(), serve("--path", path).client()
    create_orders(first)
    other.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"N": "1"}})
    assert first.scan(TableName="orders")["Count"] == 1
    first.delete_table(TableName="orders")
    with pytest.raises(other.exceptions.ResourceNotFoundException):
        other.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"N": "1"}})


def test_memory_leaves_no_file(serve, create_orders):
    client = serve("--memory").client()
    create_orders(client)
    assert client.list_tables()["TableNames"] == ["orders"]


def test_a_busy_port_is_told_in_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, errors = start_and_fail("--port", str(port), "--memory")
    assert code == 2
    assert errors.startswith(f"Cannot listen on 127.0.0.1 port {port} (")
    assert errors.count("\n") == 1


def test_a_path_that_cannot_be_used_is_told_in_one_sentence(tmp_path):
    text = tmp_path / "letter.txt"
    text.write_text("Dear Sir or Madam, " * 100)
    for path in (text, tmp_path / "nowhere" / "data.db", tmp_path):
        code, errors = start_and_fail("--port", "0", "--path", str(path))
        assert (code, errors.count("\n")) == (2, 1), errors
        assert str(path) in errors


def test_a_place_for_the_data_must_be_named():
    code, errors = start_and_fail("--port", "0")
    assert code == 2
    assert "one of the arguments --path --memory is required" in errors

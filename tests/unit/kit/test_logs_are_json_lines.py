"""A log line is one JSON object with the request id and the extras it was given."""

import io
import json
import logging

import pytest

from almanac.kit.logs import request_id, set_up_logging


@pytest.fixture
def stream():
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:], root.level = handlers, level


def test_a_record_becomes_one_line_with_its_extras(stream):
    set_up_logging("json", "info", stream)
    token = request_id.set("r-1")
    logging.getLogger("almanac.test").info("stored %d", 3, extra={"job_id": 7})
    request_id.reset(token)
    line = json.loads(stream.getvalue())
    assert (line["message"], line["request_id"], line["job_id"], line["level"]) == ("stored 3", "r-1", 7, "info")


def test_an_exception_stays_on_its_line(stream):
    set_up_logging("json", "info", stream)
    try:
        raise RuntimeError("boom\nsecond line")
    except RuntimeError:
        logging.getLogger("almanac.test").exception("failed")
    assert len(stream.getvalue().splitlines()) == 1
    assert "RuntimeError" in json.loads(stream.getvalue())["exception"]


def test_lower_levels_are_left_out(stream):
    set_up_logging("text", "warning", stream)
    logging.getLogger("almanac.test").info("quiet")
    logging.getLogger("almanac.test").warning("loud")
    assert "quiet" not in stream.getvalue()
    assert "loud" in stream.getvalue()


def test_the_steps_of_migrations_are_not_told_one_by_one(stream):
    set_up_logging("json", "info", stream)
    logging.getLogger("yoyo.migrations").info(" - applying step 7")
    logging.getLogger("yoyo.migrations").warning("odd")
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == ["odd"]


def test_a_message_is_told_once(stream):
    set_up_logging("json", "info", stream)
    logging.getLogger("uvicorn.error").info("ready", extra={"color_message": "[36mready"})
    assert "color_message" not in json.loads(stream.getvalue())


class ToldPlainly(Exception):
    sentence = "The door is shut."


def fail_with(words):
    try:
        try:
            raise ValueError(words)
        except ValueError as error:
            raise ToldPlainly(words) from error
    except ToldPlainly:
        logging.getLogger("almanac.test").exception("failed")


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_error_is_told_by_its_name_and_place_but_not_in_its_words(stream, form):
    """A library's message quotes what it was given: a row of the database, a field of a form."""
    set_up_logging(form, "info", stream)
    fail_with("DETAIL: Key (email)=(ada@example.org) already exists")
    line = stream.getvalue()
    assert "ada@example.org" not in line
    assert "builtins.ValueError" in line
    assert "ToldPlainly: The door is shut." in line
    assert "in fail_with" in line


def test_whoever_looks_for_a_fault_gets_the_words_too(stream):
    set_up_logging("json", "debug", stream)
    fail_with("Key (email)")
    assert "ValueError: Key (email)" in json.loads(stream.getvalue())["exception"]


def test_errors_that_came_together_or_from_themselves_are_told_once_each(stream):
    set_up_logging("json", "info", stream)
    group = ExceptionGroup("several", [KeyError("ada@example.org"), ValueError("x")])
    group.__cause__ = group
    logging.getLogger("almanac.test").error("failed", exc_info=group)
    lines = json.loads(stream.getvalue())["exception"].splitlines()
    assert [line for line in lines if line.startswith("builtins.")] == [
        "builtins.KeyError",
        "builtins.ValueError",
        "builtins.ExceptionGroup",
    ]

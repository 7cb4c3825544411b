"""Programs from Debian are found wherever they are installed, and what is missing is told in one line."""

import os

import pytest

import debian_packages
from debian_packages import PROGRAMS, Program


def test_the_newest_of_several_versions_is_taken(tmp_path):
    for version in ("9.6", "15", "18"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "postgres").touch()
    pattern = f"{tmp_path.relative_to('/')}/*/bin/postgres"
    assert Program("PostgreSQL", (pattern,), (("postgresql",),)).find() == str(tmp_path / "18" / "bin" / "postgres")


def test_a_server_is_found_where_ordinary_accounts_do_not_look(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Program("a server", ("ldconfig",), (("libc-bin",),)).find()


def test_a_test_that_needs_a_missing_program_skips_with_the_command_that_installs_it(debian_program, monkeypatch):
    absent = Program("Gopher", ("no-such-program",), (("gopherd", "libgopher"),))
    monkeypatch.setattr(debian_packages, "PROGRAMS", (*PROGRAMS, absent))
    with pytest.raises(pytest.skip.Exception, match=r"Gopher is missing: .*apt-get install gopherd libgopher"):
        debian_program("Gopher")


@pytest.mark.parametrize("former", [None, b"#!/bin/sh\nexit 0\n"])
def test_services_are_forbidden_only_while_packages_are_installed(former, monkeypatch, tmp_path):
    policy = tmp_path / "policy-rc.d"
    monkeypatch.setattr(debian_packages, "_POLICY", policy)
    if former:
        policy.write_bytes(former)
    with debian_packages._no_service_started():
        assert b"exit 101" in policy.read_bytes()
        assert os.access(policy, os.X_OK)
    assert (policy.read_bytes() if policy.exists() else None) == former

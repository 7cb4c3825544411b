"""Modules named at the top of a file and loaded only when they are used."""

import subprocess
import sys

import pytest

from almanac.kit.lazy import lazy_module


def run_python(program: str) -> str:
    """What a fresh interpreter prints: only there is nothing loaded yet."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def test_its_own_imports_wait_for_the_first_attribute():
    printed = run_python(
        "import sys\n"
        "from almanac.kit.lazy import lazy_module\n"
        "wsgi = lazy_module('wsgiref.simple_server')\n"
        "before = 'http.server' in sys.modules\n"
        "wsgi.WSGIServer\n"
        "print(before, 'http.server' in sys.modules)"
    )
    assert printed == "False True"


def test_threads_that_use_it_first_at_once_all_see_it_whole():
    printed = run_python(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from threading import Barrier\n"
        "from almanac.kit.lazy import lazy_module\n"
        "server, start = lazy_module('xmlrpc.server'), Barrier(8)\n"
        "def use(_):\n"
        "    start.wait()\n"
        "    return server.SimpleXMLRPCServer.__name__\n"
        "with ThreadPoolExecutor(8) as threads:\n"
        "    print(set(threads.map(use, range(8))))"
    )
    assert printed == "{'SimpleXMLRPCServer'}"


def test_a_module_that_is_loaded_is_given_as_it_is():
    assert lazy_module("sys") is sys


def test_a_missing_module_is_named_at_once():
    with pytest.raises(ModuleNotFoundError, match="no_such_module_here"):
        lazy_module("no_such_module_here")


def test_starting_almanac_loads_no_heavy_library():
    heavy = [
        "aiohttp",
        "authlib",
        "charset_normalizer",
        "joserfc",
        "lxml.etree",
        "pydantic_ai",
        "openai",
        "anthropic",
        "google.genai",
        "boto3",
        "trafilatura",
        "feedparser",
        "docx",
        "typst",
    ]
    # The type is asked first: any attribute of a lazy module would load it.
    printed = run_python(
        "import sys, almanac.cli.main\n"
        f"known = [sys.modules[name] for name in {heavy!r} if name in sys.modules]\n"
        "print([module.__name__ for module in known if type(module).__name__ != '_LazyModule'])"
    )
    assert printed == "[]"

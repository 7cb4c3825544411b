"""Each provider that the settings may name is reached through its own library, and only that one is loaded."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.lengthy

LIBRARIES = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai", "bedrock": "boto3"}
SCRIPT = """
import sys
from almanac.llm.model_config import ModelEndpoint
from almanac.llm.hosted import open_model

open_model(ModelEndpoint(provider="{provider}", name="some-model", api_key="a-key"), "auto", 5)
print(" ".join(name for name in {libraries} if name in sys.modules))
"""


@pytest.mark.parametrize("provider", LIBRARIES)
def test_a_provider_is_opened_with_its_own_library_alone(provider: str) -> None:
    script = SCRIPT.format(provider=provider, libraries=list(LIBRARIES.values()))

    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"AWS_DEFAULT_REGION": "eu-west-1", "PATH": ""},
    )

    assert done.stdout.split() == [LIBRARIES[provider]]

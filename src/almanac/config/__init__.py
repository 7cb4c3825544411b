"""Settings: typed, read from `ALMANAC_*` variables, almanac.toml and what was chosen in set-up."""

from almanac.config.choices import (
    ChoiceInfo,
    choices_path,
    choices_version,
    list_choices,
    preview_choices,
    save_choices,
)
from almanac.config.reader import (
    CHOICES_FILE,
    PREFIX,
    Source,
    describe_settings,
    describe_unknown_variables,
    load_settings,
)
from almanac.config.settings import PUBLIC_PATH, Settings, browser_address

__all__ = [
    "CHOICES_FILE",
    "PREFIX",
    "PUBLIC_PATH",
    "ChoiceInfo",
    "Settings",
    "Source",
    "browser_address",
    "choices_path",
    "choices_version",
    "describe_settings",
    "describe_unknown_variables",
    "list_choices",
    "load_settings",
    "preview_choices",
    "save_choices",
]

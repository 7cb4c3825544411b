"""Settings: typed, read once from `ALMANAC_*` variables and almanac.toml."""

from almanac.config.reader import PREFIX, describe_settings, load_settings, unknown_variables
from almanac.config.settings import Settings, browser_address

__all__ = ["PREFIX", "Settings", "browser_address", "describe_settings", "load_settings", "unknown_variables"]

"""Which Apprise addresses may be used: services with a host of their own choice or a fixed one, reached over HTTP.

What runs programs, writes files or talks to devices of this machine is left out, and so is mail, which has its own
channel. Where each may connect to is guarded when it is sent.
"""

SCHEMES = frozenset(
    {
        "bark",
        "barks",
        "discord",
        "flock",
        "gchat",
        "gotify",
        "gotifys",
        "guilded",
        "hassio",
        "hassios",
        "ifttt",
        "join",
        "jsons",
        "line",
        "matrix",
        "matrixs",
        "mmost",
        "mmosts",
        "ncloud",
        "nclouds",
        "ntfy",
        "ntfys",
        "opsgenie",
        "pagerduty",
        "pbul",
        "pover",
        "prowl",
        "psafer",
        "revolt",
        "rocket",
        "rockets",
        "ryver",
        "signal",
        "signals",
        "slack",
        "spush",
        "synology",
        "synologys",
        "tgram",
        "twilio",
        "webex",
        "workflow",
        "workflows",
        "wxteams",
        "zulip",
    }
)


def find_scheme(address: str) -> str:
    """The name of the service in an address; empty if it has none."""
    scheme, mark, _ = address.partition("://")
    return scheme.lower() if mark else ""


def is_service(address: str) -> bool:
    """Whether an address is of a service that may be used."""
    return find_scheme(address) in SCHEMES and len(address) > len(find_scheme(address)) + len("://")

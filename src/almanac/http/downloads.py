"""Answers that a browser keeps as a file: their name in the one header that says so."""

from urllib.parse import quote

from starlette.responses import Response


def attachment(name: str) -> dict[str, str]:
    """The header that makes a file of an answer; any name is safe in it, and old programs get an ASCII one."""
    plain = "".join(char if char.isascii() and char.isprintable() and char not in '"\\' else "_" for char in name)
    value = f'attachment; filename="{plain}"'
    if plain != name:
        value += f"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": value}


def download(content: bytes | str, name: str, media_type: str, *, vary: str | None = None) -> Response:
    """The content as a file of this name; `vary` names the header of the request that chose it."""
    headers = attachment(name) | ({"Vary": vary} if vary else {})
    return Response(content, media_type=media_type, headers=headers)

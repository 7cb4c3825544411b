"""The public side: what anyone may read, as an application of its own beside the private one.

It knows no account, session or cookie, reads through `ReadPorts` alone, and answers every reader of an address alike,
so that any cache may keep its answers. Desks bring their share as a `PublicPart` in their room `published`.
"""

from almanac.public.card_image import CardText
from almanac.public.forms import PublicField, PublicForm, SentForm, ShownForm
from almanac.public.model import (
    Embed,
    PreviewImage,
    PublicAnswer,
    PublicDocument,
    PublicDownload,
    PublicFile,
    PublicPage,
    PublicPart,
    PublicPicture,
    PublicRedirect,
    PublicRequest,
    PublicRoute,
    SitemapEntry,
    Teaser,
)

__all__ = [
    "CardText",
    "Embed",
    "PreviewImage",
    "PublicAnswer",
    "PublicDocument",
    "PublicDownload",
    "PublicField",
    "PublicFile",
    "PublicForm",
    "PublicPage",
    "PublicPart",
    "PublicPicture",
    "PublicRedirect",
    "PublicRequest",
    "PublicRoute",
    "SentForm",
    "ShownForm",
    "SitemapEntry",
    "Teaser",
]

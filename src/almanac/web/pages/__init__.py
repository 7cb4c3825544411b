"""The platform's own pages, one module for each place in the navigation."""

from almanac.web.pages import (
    account,
    approvals,
    audit,
    feeds,
    home,
    jobs,
    knowledge,
    live,
    mail,
    models,
    people,
    reference,
    saved,
    search,
    sign_in,
    tokens,
    webhooks,
)

PAGES = tuple(
    module.pages
    for module in (
        home,
        sign_in,
        account,
        tokens,
        people,
        jobs,
        live,
        mail,
        models,
        audit,
        search,
        saved,
        feeds,
        approvals,
        webhooks,
        knowledge,
        reference,
    )
)

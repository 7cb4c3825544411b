"""The platform's own pages, one module per entry of the navigation."""

from almanac.web.pages import (
    account,
    approvals,
    audit,
    desk_rights,
    failures,
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
    teams,
    tokens,
    webhooks,
)

PAGES = (
    *(
        module.pages
        for module in (
            home,
            sign_in,
            account,
            tokens,
            people,
            teams,
            desk_rights,
            failures,
            jobs,
            live,
            mail,
            models,
            audit,
            search,
            saved,
            approvals,
            webhooks,
            knowledge,
            reference,
        )
    ),
    saved.feed_pages,
)

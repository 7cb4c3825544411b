"""The platform's own pages, one module per entry of the navigation."""

from almanac.web.pages import (
    account,
    approvals,
    audit,
    desk_rights,
    failures,
    handover,
    home,
    identity,
    installation,
    jobs,
    knowledge,
    live,
    mail,
    models,
    people,
    person_sign_in,
    reference,
    saved,
    search,
    second_step,
    setup,
    setup_trials,
    sign_in,
    teams,
    tokens,
    two_step,
    webhooks,
)

# What the platform offers for one desk alone; it comes and goes with the desk.
DESK_PAGES = {"newsletter": knowledge.pages}
PAGES = (
    *(
        module.pages
        for module in (
            home,
            installation,
            sign_in,
            second_step,
            account,
            two_step,
            identity,
            tokens,
            people,
            handover,
            person_sign_in,
            teams,
            desk_rights,
            setup_trials,
            setup,
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
            reference,
        )
    ),
    saved.feed_pages,
)

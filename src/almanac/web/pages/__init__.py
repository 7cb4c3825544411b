"""The platform's own pages, one module for each place in the navigation."""

from almanac.web.pages import (
    account,
    audit,
    home,
    jobs,
    live,
    mail,
    people,
    reference,
    search,
    sessions,
    sign_in,
    tokens,
)

PAGES = tuple(
    module.pages
    for module in (home, sign_in, account, sessions, tokens, people, jobs, live, mail, audit, search, reference)
)

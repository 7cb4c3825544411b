"""Which page of the documentation helps on which page of the product; the longest beginning of a path decides."""

HELP = "/help"
HELP_PAGES = {
    "/": "how-to/find-your-way",
    "/search": "how-to/search",
    "/why": "how-to/ask-why",
    "/palette": "how-to/find-your-way",
    "/shortcuts": "how-to/find-your-way",
    "/news": "how-to/read-the-news",
    "/news/tasks": "how-to/follow-the-news",
    "/news/queue": "how-to/follow-the-news",
    "/news/rules": "how-to/follow-the-news",
    "/news/sites": "how-to/follow-the-news",
    "/news/fate": "how-to/follow-the-news",
    "/news/statistics": "how-to/follow-the-news",
    "/recap": "how-to/read-the-diet",
    "/recap/tasks": "how-to/follow-a-parliament",
    "/recap/reports": "how-to/follow-a-parliament",
    "/newsletter": "how-to/write-a-newsletter",
    "/reminders": "how-to/approve-reminders",
    "/reminders/import": "how-to/import-customers-and-invoices",
    "/reminders/customers": "how-to/import-customers-and-invoices",
    "/reminders/invoices": "how-to/import-customers-and-invoices",
    "/reminders/templates": "how-to/write-reminder-templates",
    "/reminders/ladder": "how-to/send-reminders",
    "/reminders/plan": "how-to/send-reminders",
    "/reminders/sent": "how-to/send-reminders",
    "/reminders/replies": "how-to/send-reminders",
    "/reminders/reports": "how-to/send-reminders",
    "/habits": "how-to/keep-habits",
    "/knowledge": "how-to/add-knowledge",
    "/saved": "how-to/feeds-and-alerts",
    "/approvals": "explanation/approvals",
    "/failures": "how-to/watch-over-an-installation",
    "/jobs": "how-to/watch-over-an-installation",
    "/mail": "how-to/set-up-mail",
    "/models": "how-to/use-a-model",
    "/people": "how-to/people-teams-and-rights",
    "/teams": "how-to/people-teams-and-rights",
    "/desks": "how-to/people-teams-and-rights",
    "/organisation": "how-to/set-up",
    "/setup": "how-to/set-up",
    "/webhooks": "how-to/receive-webhooks",
    "/audit": "how-to/watch-over-an-installation",
    "/account": "how-to/sign-in-safely",
    "/account/notifications": "how-to/notifications",
}


def help_for(path: str) -> str:
    """Where the help for a page is; the list of all help for a page without its own, and for help itself."""
    parts = path.rstrip("/").split("/")
    if parts[1:2] == ["help"]:
        return HELP
    for end in range(len(parts), 1, -1):
        if page := HELP_PAGES.get("/".join(parts[:end])):
            return f"{HELP}/{page}"
    return f"{HELP}/{HELP_PAGES['/']}" if len(parts) == 1 else HELP

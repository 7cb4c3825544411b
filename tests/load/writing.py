"""What people change under load. Each works on things of their own, and first makes what an action needs."""

from datetime import timedelta

from people import Person

TOPICS = ["breaking_news", "food_security", "policy_updates", "market_access", "livestock", "climate_smart"]
OUTLINE = "# Harvest\n- Prices of maize\n- Rain in the north\n# Policy\n- A new tariff\n"
SITES, KEPT, HABITS = 5, 2, 5


async def settle_in(person: Person) -> None:
    """What everybody has before the measuring begins."""
    for _ in range(HABITS):
        await begin_habit(person)
    await begin_newsletter(person)
    await write_outline(person)
    await add_invoice(person)


async def add_link(person: Person) -> None:
    """An address that a worker then reads, from a small web on this machine; an unreachable one without it."""
    person.counter += 1
    number = person.counter * 1000 + person.chance.randrange(1000)
    port = person.world.web_port or 9
    url = f"http://127.0.0.{1 + number % SITES}:{port}/a/{number}"
    await person.call("news: add a link", "POST", "/news/links", body={"urls": [url]})


async def report_error(person: Person) -> None:
    article = person.some(person.world.articles)
    made = await person.call(
        "recap: report an error", "POST", f"/recap/articles/{article}/reports", body={"text": "A date is wrong."}
    )
    if made:
        person.reports.append((article, made["report_id"]))


async def close_report(person: Person) -> None:
    if not person.reports:
        await report_error(person)
    article, report = person.reports.pop()
    path = f"/recap/articles/{article}/reports/{report}/close"
    await person.call("recap: close a report", "POST", path, body={"answer": "Put right."})


async def begin_newsletter(person: Person) -> None:
    wish = {"title": person.new_name(), "frequency": "monthly", "target_audience": ["policy_makers"]}
    made = await person.call("newsletter: begin one", "POST", "/newsletters", body=wish)
    if made:
        person.newsletters.append(made["code"])


async def edit_newsletter(person: Person) -> None:
    code = person.some(person.newsletters)
    seen = await person.call("newsletter: open one", "GET", f"/newsletters/{code}")
    if seen:
        await person.call(
            "newsletter: edit one",
            "PATCH",
            f"/newsletters/{code}",
            version=seen["version"],
            body={"description": f"Issue {person.counter}"},
            fine=(412,),
        )


async def choose_topics(person: Person) -> None:
    code = person.some(person.newsletters)
    seen = await person.call("newsletter: topics", "GET", f"/newsletters/{code}/topics")
    if seen:
        chosen = person.chance.sample(TOPICS, 3)
        await person.call(
            "newsletter: choose topics",
            "PUT",
            f"/newsletters/{code}/topics",
            version=seen["version"],
            body={"selected_types": chosen},
            fine=(412,),
        )
        person.with_topics.add(code)


async def write_outline(person: Person) -> None:
    code = person.some(person.newsletters)
    seen = await person.call("newsletter: outline", "GET", f"/newsletters/{code}/outline")
    if seen:
        await person.call(
            "newsletter: write an outline",
            "PUT",
            f"/newsletters/{code}/outline",
            version=seen["version"],
            body={"text": OUTLINE},
            fine=(412,),
        )


async def retrieve(person: Person) -> None:
    """A job; a second one for the same newsletter is refused while the first is under way."""
    if person.with_topics.isdisjoint(person.newsletters):
        await choose_topics(person)
    code = person.some([newsletter for newsletter in person.newsletters if newsletter in person.with_topics])
    await person.call("newsletter: retrieve sources", "POST", f"/newsletters/{code}/retrieve", fine=(409,))


async def delete_newsletter(person: Person) -> None:
    """The oldest; some stay, to work on."""
    while len(person.newsletters) <= KEPT:
        await begin_newsletter(person)
    await person.call("newsletter: delete one", "DELETE", f"/newsletters/{person.newsletters.pop(0)}", fine=(409,))


async def add_customer(person: Person) -> None:
    name = person.new_name()
    wish = {"customer_id": name, "name": f"Customer {name}", "email": f"{name}@example.org"}
    if await person.call("reminders: add a customer", "POST", "/reminders/customers", body=wish):
        person.customers.append(name)


async def add_invoice(person: Person) -> None:
    """Overdue, and for a customer who owes nothing yet, so that a reminder can follow."""
    if not person.customers:
        await add_customer(person)
    customer, number = person.customers.pop(), person.new_name()
    due = person.today - timedelta(days=20)
    wish = {"customer_id": customer, "number": number, "amount": "120.00", "currency": "EUR", "due": due.isoformat()}
    if await person.call("reminders: add an invoice", "POST", "/reminders/invoices", body=wish):
        person.owing.append(customer)


async def draft_reminder(person: Person) -> None:
    if not person.owing:
        await add_invoice(person)
    made = await person.call(
        "reminders: draft one", "POST", "/reminders/drafts", body={"customer_id": person.owing.pop()}
    )
    if made:
        person.drafts.append(made["id"])


async def approve_draft(person: Person) -> None:
    if not person.drafts:
        await draft_reminder(person)
    path = f"/reminders/drafts/{person.drafts.pop()}/approve"
    await person.call("reminders: approve and send one", "POST", path, body={})


async def record_payment(person: Person) -> None:
    """Pays the invoice of somebody who was not reminded yet."""
    if not person.owing:
        await add_invoice(person)
    customer, reference = person.owing.pop(), person.new_name()
    wish = {"customer_id": customer, "reference": reference, "amount": "120.00", "currency": "EUR"}
    await person.call("reminders: record a payment", "POST", "/reminders/payments", body=wish)


async def begin_habit(person: Person) -> None:
    start = person.today - timedelta(days=60)
    wish = {"name": person.new_name(), "start": start.isoformat()}
    made = await person.call("habits: begin one", "POST", "/habits", body=wish)
    if made:
        person.habits.append(made["id"])


def some_day(person: Person) -> str:
    return (person.today - timedelta(days=person.chance.randrange(1, 30))).isoformat()


async def complete_habit(person: Person) -> None:
    habit, day = person.some(person.habits), some_day(person)
    if await person.call("habits: complete a day", "POST", f"/habits/{habit}/complete", body={"date": day}):
        person.completed.append((habit, day))


async def undo_habit(person: Person) -> None:
    if not person.completed:
        await complete_habit(person)
    habit, day = person.completed.pop()
    await person.call("habits: take a day back", "DELETE", f"/habits/{habit}/completions/{day}")


async def write_note(person: Person) -> None:
    path = f"/habits/{person.some(person.habits)}/notes/{some_day(person)}"
    await person.call("habits: write a note", "PUT", path, body={"note": f"Note {person.counter}"}, fine=(404, 409))


async def save_search(person: Person) -> None:
    wish = {"name": person.new_name(), "query": person.some(person.world.words)}
    made = await person.call("save a search", "POST", "/saved-queries", body=wish)
    if made:
        person.saved.append(made["id"])


async def forget_search(person: Person) -> None:
    if not person.saved:
        await save_search(person)
    await person.call("forget a search", "DELETE", f"/saved-queries/{person.saved.pop(0)}")

"""Taking a customer away with everything that belongs to them, guards included: for content that was never real."""

from typing import Any

from almanac.desks.reminders import table
from tablature.async_database import AsyncDatabase


async def remove_customer(tables: AsyncDatabase, customer_id: str) -> None:
    """Delete all items of a customer, the profile last; may be repeated."""
    queries: tuple[Any, ...] = (
        table.EmailDraft.of_customer(customer_id=customer_id),
        table.Payment.of_customer(customer_id=customer_id),
        table.Hold.of_customer(customer_id=customer_id),
        table.Invoice.of_customer(customer_id=customer_id),
        table.Ladder.of_customer(customer_id=customer_id),
    )
    async for sent in tables.each(table.SentEmail.history(customer_id=customer_id)):
        copy = table.SentCopy.key(customer_id=customer_id, timestamp=sent.timestamp, reminder_type=sent.reminder_type)
        await tables.delete(copy)
        await tables.delete(sent)
    for query in queries:
        for item in [one async for one in tables.each(query)]:
            await tables.delete(item)
    await tables.delete(table.Customer.key(customer_id=customer_id))

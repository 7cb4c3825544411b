"""A small shop: the design from which the snapshots beside this file are written."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Literal

from tablature import (
    Attr,
    Collection,
    Entity,
    Index,
    Table,
    attr,
    auto_now,
    auto_now_add,
    blob,
    expires,
    fanout,
    index,
    pattern,
    primary,
    queue,
    unique,
    version,
)
from tablature.design import accepted, action

shop = Table(
    "shop",
    pk="PK",
    sk="SK",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK"), Index("GSI2", "GSI2PK", "GSI2SK", projection=("total",))],
    ttl="expires_at",
    doc="Customers, their orders and what they bought.",
)
visits = Table(
    "shop-visits", pk="visitor", sk="at", sk_type="N", indexes=[Index("by-day", "visitor", "day", local=True)]
)


class Level(Enum):
    NEW = "new"
    LOYAL = "loyal"


@dataclass
class Address:
    street: str
    city: str
    country: str = "XX"


class Customer(Entity, table=shop):
    """Somebody who buys."""

    customer_id: Attr[str] = attr(pattern=r"C-\d{6}")
    mail: Attr[str] = attr(longest=200, doc="where receipts go")
    level: Attr[Level] = attr(default=Level.NEW)
    address: Attr[Address | None]
    interests: Attr[set[str]] = attr(longest=20)
    note: Attr[str | None] = blob(over=10_000, default=None)
    joined: Attr[datetime] = auto_now_add()
    changed: Attr[datetime] = auto_now()
    revision: Attr[int] = version()

    key = primary("CUSTOMER#{customer_id}", "CUSTOMER")
    by_level = index("GSI1", "LEVEL#{level}", "{joined:iso}", shards=4, by="customer_id")
    by_interest = fanout(each="interests", pk="INTEREST#{each}", sk="{customer_id}", fields=("mail",))
    one_mail = unique("mail")
    at_level = pattern(by_level, order="descending", page=50, doc="Customers of a level, the newest first.")
    interested = pattern(by_interest, page=25, doc="Whom to tell about something new.")


class Order(Entity, table=shop):
    """What a customer ordered."""

    customer_id: Attr[str]
    number: Attr[int] = attr(minimum=1)
    day: Attr[date]
    status: Attr[Literal["open", "packing", "sent"]] = attr(default="open")
    total: Attr[Decimal]
    gift: Attr[bool] = attr(default=False)
    token: Attr[str]

    key = primary("CUSTOMER#{customer_id}", "ORDER#{number:08d}")
    waiting = index("GSI2", "ORDERS#{status}", "{day}", when={"status": ("open", "packing")}, doc="What is to be sent.")
    once_a_day = unique("token", window=timedelta(days=1))
    packing = queue(waiting, ready="open", running="packing", done="sent", most_attempts=5)
    of_customer = pattern(key, order="descending", page=10, filters=("gift",), doc="A customer's latest orders.")


class Basket(Entity, table=shop):
    """What a customer has not ordered yet."""

    customer_id: Attr[str]
    lines: Attr[dict[str, int]] = attr(default_factory=dict, longest=50)
    expires_at: Attr[datetime] = expires(days=30)

    key = primary("CUSTOMER#{customer_id}", "BASKET")


class Account(Collection):
    """Everything about one customer."""

    customer: Customer
    basket: Basket | None
    orders: list[Order]


class Visit(Entity, table=visits):
    visitor: Attr[str]
    at: Attr[datetime] = attr(stored="epoch")
    day: Attr[date]

    key = primary("{visitor}", "{at}")
    by_day = index("by-day", "{visitor}", "{day}")


loyal = pattern(Customer.by_level, name="with_address", where=Customer.address.exists(), page=10)

ACCEPTED = [
    accepted("TAB106", "shop-visits.by-day", "Readers of a visitor's days must see their own writes."),
    accepted("TAB006", "Order.waiting", "At most a few hundred orders wait at any time."),
]
ACTIONS = [
    action("place an order", "Customer.get", "Order.create", "Basket.delete"),
    action("look at one's orders", "Order.of_customer"),
]

"""A transaction whose answer was lost can be sent again: its token keeps it from happening twice."""

import tablature
from tablature import Attr, Database, Entity, Table, attr, primary
from tablature.transport.embedded import Embedded

table = Table("bank", pk="PK")


class Account(Entity, table=table):
    id: Attr[str]
    balance: Attr[int] = attr(default=0)

    key = primary("ACCOUNT#{id}")


class Forgetful:
    """Sends every transaction twice, as a transport does when the first answer never came."""

    def __init__(self, inner):
        self.inner = inner

    def send(self, operation, request):
        if operation == "TransactWriteItems":
            self.inner.send(operation, request)
        return self.inner.send(operation, request)


def test_a_transaction_that_is_sent_twice_happens_once():
    with Embedded.memory() as transport:
        db = Database(Forgetful(transport))
        db.admin.create_table(table)
        db.put_many([Account(id="a", balance=10), Account(id="b")])
        db.transact(
            tablature.patch(Account.key(id="a"), Account.balance.add(-3)),
            tablature.patch(Account.key(id="b"), Account.balance.add(3)),
        )
        assert [db.require(Account.key(id=name)).balance for name in "ab"] == [7, 3]

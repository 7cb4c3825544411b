"""Expected costs: a table as people read it, and estimates that agree with what the engine charges."""

import pytest

from tablature.database import Database
from tablature.design import Design, action
from tablature.design.samples import sample_values
from tablature.design.sizes import verb_costs
from tablature.errors import InputError
from tablature.output.costs import as_data, as_text, costs
from tablature.transport.embedded import Embedded


def test_the_table_is_as_it_was_looked_at(shop, snapshot):
    snapshot("shop.cost.txt", as_text(costs(shop)))


def test_an_action_costs_what_its_steps_cost(shop):
    data = as_data(costs(shop))
    prices = {row["name"]: row for group in data.values() for row in group}
    steps = [prices[name] for name in ("Customer.get", "Order.create", "Basket.delete")]
    assert prices["place an order"]["wcu"] == sum(step["wcu"] for step in steps)
    assert prices["place an order"]["rcu"] == sum(step["rcu"] for step in steps)


def test_an_action_with_an_unknown_step_is_refused(shop):
    design = Design(shop.tables, actions=(action("dance", "Customer.dance"),))
    with pytest.raises(InputError, match="no verb or pattern"):
        costs(design)


@pytest.mark.parametrize("name", ["Customer", "Order", "Basket", "Visit"])
def test_the_estimate_of_a_create_is_what_the_engine_charges(shop, name):
    (entity,) = [entity for entity in shop.entities if entity.name == name]
    values = {**sample_values(entity), "note": None} if name == "Customer" else sample_values(entity)
    if name == "Customer":
        values["interests"] = {"tea", "coffee", "cake"}
    with Database(Embedded.memory()) as db:
        db.admin.create_table(entity.table)
        with db.measure() as spent:
            db.create(entity.cls(**values))
    expected = {cost.verb: cost.wcu for cost in verb_costs(entity)}
    assert spent.total.wcu == expected["create"]

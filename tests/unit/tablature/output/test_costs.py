"""Expected costs: a table as people read it, and estimates that agree with what the engine charges."""

import pytest

from tablature.database import Database
from tablature.design import Design, action
from tablature.design.estimates import verb_costs
from tablature.design.samples import sample_values
from tablature.errors import InputError
from tablature.output.costs import costs, costs_data, costs_text
from tablature.transport.embedded import Embedded


def test_the_table_is_as_it_was_looked_at(shop, snapshot):
    snapshot("shop.cost.txt", costs_text(costs(shop)))


def test_an_action_costs_what_its_steps_cost(shop):
    data = costs_data(costs(shop))
    prices = {row["name"]: row for group in data.values() for row in group}
    steps = [prices[name] for name in ("Customer.get", "Order.create", "Basket.delete")]
    assert prices["place an order"]["wcu"] == sum(step["wcu"] for step in steps)
    assert prices["place an order"]["rcu"] == sum(step["rcu"] for step in steps)


def test_a_collection_can_be_a_step(shop):
    design = Design(shop.tables, actions=(action("open the account", "Account.collect"),))
    (price,) = costs(design).actions
    assert price.rcu > 0


def test_an_action_with_an_unknown_step_is_refused(shop):
    design = Design(shop.tables, actions=(action("dance", "Customer.dance"),))
    with pytest.raises(InputError, match="isn't a verb, pattern or collection"):
        costs(design)


def stored(shop, name):
    """An entity with as much as estimates assume."""
    (entity,) = [entity for entity in shop.entities if entity.name == name]
    typical = {"interests": {"tea", "coffee", "cake"}, "note": None}
    values = sample_values(entity)
    return entity, entity.cls(**{**values, **{key: value for key, value in typical.items() if key in values}})


@pytest.mark.parametrize("name", ["Customer", "Order", "Basket", "Visit"])
def test_estimates_are_what_the_engine_charges(shop, name):
    schema, entity = stored(shop, name)
    charged = {}
    with Database(Embedded.memory()) as db:
        db.admin.create_table(schema.table)
        for verb in ("create", "delete"):
            with db.measure() as spent:
                getattr(db, verb)(entity)
            charged[verb] = (spent.total.rcu, spent.total.wcu)
    assert charged == {c.verb: (c.rcu, c.wcu) for c in verb_costs(schema) if c.verb in charged}


@pytest.mark.parametrize("verb", ["get", "require", "create", "put", "update", "upsert", "patch", "delete"])
def test_every_verb_can_be_a_step(shop, verb):
    (price,) = costs(Design(shop.tables, actions=(action("act", f"Order.{verb}"),))).actions
    assert price.rcu + price.wcu > 0

"""An installation with a real database and a person for whom demo content is loaded."""

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.service import first_run_link
from almanac.bootstrap import open_services
from almanac.config import Settings


async def first_admin(services):
    """The administrator whom the first start makes."""
    user = (await first_run_link(services.accounts)).user
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="console")


@pytest.fixture
def settings(tmp_path, database_url):
    return Settings(data=tmp_path / "data", database_url=database_url, mail_url="memory:")


@pytest.fixture
async def services(settings):
    async with open_services(settings) as services:
        yield services


@pytest.fixture
async def owner(services):
    return await first_admin(services)


@pytest.fixture
def owner_id(owner):
    return owner.user_id

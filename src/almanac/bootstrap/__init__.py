"""The only package that names concrete adapters: it reads the settings and opens what they ask for."""

from almanac.bootstrap.assembly import (
    DEMO,
    STEPS,
    bring_index_up_to_date,
    check_adapters,
    make_worker,
    open_services,
    register_work,
)
from almanac.bootstrap.stores import (
    TABLES,
    database_address,
    get_installation,
    migrate_all,
    open_backup_place,
    open_stores,
    open_table_service,
    require_no_lost_tables,
)

__all__ = [
    "DEMO",
    "STEPS",
    "TABLES",
    "bring_index_up_to_date",
    "check_adapters",
    "database_address",
    "get_installation",
    "make_worker",
    "migrate_all",
    "open_backup_place",
    "open_services",
    "open_stores",
    "open_table_service",
    "register_work",
    "require_no_lost_tables",
]

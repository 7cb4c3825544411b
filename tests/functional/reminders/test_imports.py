"""Imports run as jobs that report on every row and survive interruptions."""

from dataclasses import replace

import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.jobs import CLEAN_UP
from almanac.errors import FieldErrors, NotAllowed, NotFound
from almanac.jobs import JobStatus

CONTENT = b"""customer id,customer name,email,invoice,amount,currency,due
acme,Acme Ltd,acme@example.org,A-1,100.00,EUR,2026-02-01
acme,Acme Ltd,acme@example.org,A-2,50.00,USD,2026-02-01
beta,Beta Ltd,beta@example.org,B-1,0.00,EUR,2026-02-01
"""


async def test_a_job_imports_the_file_and_leaves_a_report_and_the_refused_rows(services):
    trial = await service.preview_import(services, CONSOLE, CONTENT, ImportOptions())
    started = await service.start_import(services, CONSOLE, CONTENT, ImportOptions())
    with pytest.raises(NotFound):
        await service.get_import_report(services, CONSOLE, started.id)
    await make_worker(services).drain()
    job = (await services.jobs.job(started.job_id)).job
    assert (job.status, job.done, job.total) == (JobStatus.SUCCEEDED, 3, 3)
    report = await service.get_import_report(services, CONSOLE, started.id)
    assert (report.trial, trial.trial) == (False, True)
    assert report.counts == trial.counts == {"created": 2, "updated": 0, "unchanged": 0, "refused": 1}
    refused = (await service.get_refused_rows(services, CONSOLE, started.id)).decode("utf-8-sig").splitlines()
    assert refused[1].startswith("beta,Beta Ltd,beta@example.org,B-1,0.00,EUR,2026-02-01,4,The amount is zero")
    assert len(await store.list_customer_invoices(services.tables, "acme")) == 2


async def test_the_file_itself_is_not_kept(services):
    started = await service.start_import(services, CONSOLE, CONTENT, ImportOptions())
    await make_worker(services).drain()
    kept = [listed.key async for listed in services.objects.iterate(f"reminders/imports/{started.id}")]
    assert sorted(key.rpartition("/")[2] for key in kept) == ["refused.csv", "report.json"]


async def test_an_erased_customer_is_in_nothing_that_an_import_left(services):
    wrong = b"acme,Acme Ltd,not a mail,A-3,1,EUR,2026-02-01\n"
    started = await service.start_import(services, CONSOLE, CONTENT + wrong, ImportOptions())
    other = await service.start_import(
        services, CONSOLE, CONTENT.replace(b"acme", b"ash").replace(b"A-", b"H-"), ImportOptions()
    )
    await make_worker(services).drain()
    await service.erase_customer(services, CONSOLE, "acme")
    with pytest.raises(NotFound):
        await service.get_refused_rows(services, CONSOLE, started.id)
    report = await service.get_import_report(services, CONSOLE, started.id)
    assert [row.reason for row in report.refused if row.customer_id == "acme"] == [
        "The customer was erased on request."
    ]
    assert report.counts == {"created": 2, "updated": 0, "unchanged": 0, "refused": 2}
    assert b"beta@example.org" in await service.get_refused_rows(services, CONSOLE, other.id)


async def test_old_imports_are_cleared_away(services, clock):
    started = await service.start_import(services, CONSOLE, CONTENT, ImportOptions())
    await make_worker(services).drain()
    clock.advance(days=365 * 100)
    await services.jobs.defer(CLEAN_UP.job_type)
    await make_worker(services).drain()
    with pytest.raises(NotFound):
        await service.get_import_report(services, CONSOLE, started.id)


async def test_columns_that_nobody_can_tell_are_asked_for_before_a_job_begins(services):
    with pytest.raises(FieldErrors) as failure:
        await service.start_import(services, CONSOLE, b"colour,size\nred,4\n", ImportOptions())
    assert set(failure.value.fields) == {"customer_id", "customer_name"}


async def test_whoever_may_not_write_may_not_even_try(services):
    member = replace(CONSOLE, role=Role.MEMBER)
    with pytest.raises(NotAllowed):
        await service.preview_import(services, member, CONTENT, ImportOptions())

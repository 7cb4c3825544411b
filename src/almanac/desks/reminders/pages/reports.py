"""Reports as charts: the age of debts, payments after reminders, and how long customers take to pay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.reminders import service
from almanac.desks.reminders.model.labels import level_label
from almanac.desks.reminders.model.reports import Ageing, Recovered
from almanac.desks.reminders.pages.layout import PREFIX, Reader, desk_page
from almanac.http.app_state import get_state
from almanac.http.charts import Chart, bar_chart
from almanac.http.paging import with_query
from almanac.kit.messages import figure_text, gettext
from almanac.kit.money import Money

router = APIRouter(prefix=PREFIX + "/reports")
RANGES = ((30, gettext("30 days")), (90, gettext("90 days")), (365, gettext("A year")))
_BANDS = {
    "not_due": gettext("Not due"),
    "0-30": gettext("1 to 30 days"),
    "31-60": gettext("31 to 60 days"),
    "61-90": gettext("61 to 90 days"),
    "90+": gettext("Over 90 days"),
}


@dataclass(frozen=True, slots=True)
class AgeingChart:
    """A chart of one currency's open invoices by age."""

    ageing: Ageing
    chart: Chart


@router.get("")
async def show_reports(
    request: Request, principal: Reader, days: Annotated[int, Query(ge=1, le=3650)] = 90
) -> Response:
    """Show all three reports over some days until now; ageing is as of today."""
    services = get_state(request).services
    until = services.clock.now() + timedelta(minutes=1)
    since = until - timedelta(days=days)
    levels = [level.name for level in (await service.get_rules(services, principal)).levels]
    recovered = await service.get_recovered_report(services, principal, since, until)
    return await desk_page(
        request,
        "reports",
        "reports",
        days=days,
        ages=[
            AgeingChart(ageing, _ageing_chart(ageing))
            for ageing in await service.get_ageing_report(services, principal)
        ],
        recovered=recovered,
        recovered_charts=_recovered_charts(recovered, levels),
        times=await service.get_time_to_pay_report(services, principal, since, until),
        spans=[(words, with_query(request.url, days=str(span)), span == days) for span, words in RANGES],
    )


def _ageing_chart(ageing: Ageing) -> Chart:
    return _money_chart(
        gettext("Open by age"),
        {_BANDS[band.band]: band.amount for band in ageing.bands},
        ageing.currency,
    )


def _recovered_charts(rows: Sequence[Recovered], levels: Sequence[str]) -> list[Chart]:
    """Payments by level, one chart per currency; templates are listed separately in the table."""
    sums: dict[str, dict[str, Money]] = {}
    for row in sorted(rows, key=lambda row: levels.index(row.level) if row.level in levels else len(levels)):
        amounts = sums.setdefault(row.currency, {})
        level = level_label(row.level)
        amounts[level] = amounts.get(level, Money.zero(row.currency)) + row.amount
    return [
        _money_chart(gettext("Paid, by level"), sums[name], name) for name in sorted(sums) if any(sums[name].values())
    ]


def _money_chart(title: str, amounts: Mapping[str, Money], currency: str) -> Chart:
    figures = [(name, float(money.amount)) for name, money in amounts.items()]
    return bar_chart(title, figures, of=currency, labels=[figure_text(money.amount) for money in amounts.values()])

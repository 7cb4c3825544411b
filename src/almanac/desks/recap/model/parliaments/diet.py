"""The National Diet of Japan, which `model.facts` reads."""

from almanac.desks.recap.model.meeting import DIET
from almanac.desks.recap.model.parliaments.parliament import Parliament
from almanac.kit.messages import gettext

NATIONAL_DIET = Parliament(
    id=DIET,
    name=gettext("National Diet of Japan"),
    language="ja",
    houses={
        "衆議院": gettext("House of Representatives"),
        "参議院": gettext("House of Councillors"),
        "両院": gettext("Both houses"),
    },
    source_url="https://kokkai.ndl.go.jp/",
)

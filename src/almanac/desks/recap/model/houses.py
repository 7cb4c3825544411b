"""The houses of parliament by the record's names, with those that readers see."""

from almanac.kit.messages import gettext

HOUSES = {
    "衆議院": gettext("House of Representatives"),
    "参議院": gettext("House of Councillors"),
    "両院": gettext("Both houses"),
}

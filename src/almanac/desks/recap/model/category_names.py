"""The subjects of meetings by their stored names, with those that readers see."""

from almanac.kit.messages import pgettext

CATEGORY_NAMES = {
    "議会運営": pgettext("subject of a meeting", "Parliamentary procedure"),
    "予算・財政": pgettext("subject of a meeting", "Budget and public finance"),
    "税制": pgettext("subject of a meeting", "Taxation"),
    "経済・産業": pgettext("subject of a meeting", "Economy and industry"),
    "金融": pgettext("subject of a meeting", "Financial services"),
    "労働・雇用": pgettext("subject of a meeting", "Labour and employment"),
    "社会保障・福祉": pgettext("subject of a meeting", "Social security and welfare"),
    "医療・健康": pgettext("subject of a meeting", "Medicine and health"),
    "子育て・教育": pgettext("subject of a meeting", "Childcare and education"),
    "科学技術": pgettext("subject of a meeting", "Science and technology"),
    "デジタル・通信": pgettext("subject of a meeting", "Digital and telecommunications"),
    "環境・エネルギー": pgettext("subject of a meeting", "Environment and energy"),
    "農林水産": pgettext("subject of a meeting", "Agriculture, forestry and fisheries"),
    "国土・交通": pgettext("subject of a meeting", "Land and transport"),
    "防災・復興": pgettext("subject of a meeting", "Disaster prevention and recovery"),
    "地方自治": pgettext("subject of a meeting", "Local government"),
    "外交": pgettext("subject of a meeting", "Foreign affairs"),
    "安全保障": pgettext("subject of a meeting", "Security and defence"),
    "法務・治安": pgettext("subject of a meeting", "Justice and public order"),
    "憲法・選挙": pgettext("subject of a meeting", "Constitution and elections"),
    "文化・スポーツ": pgettext("subject of a meeting", "Culture and sport"),
}

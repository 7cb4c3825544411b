"""Months, weekdays, eras and relative days by name in four languages."""

MONTHS = {
    name: number
    for number, names in enumerate(
        "January/Januari/Jan February/Februari/Feb March/Mac/Maret/Mar April/Apr May/Mei June/Juni/Jun "
        "July/Julai/Juli/Jul August/Ogos/Agustus/Aug/Ogs/Agu September/Sept/Sep October/Oktober/Oct/Okt "
        "November/Nopember/Nov December/Disember/Desember/Dec/Dis/Des".split(),
        start=1,
    )
    for name in names.split("/")
}
# Also common words or names of people: alone they are months only after a word such as "in".
UNSURE_MONTHS = frozenset(
    {"May", "March", "Mac", "Mar", "Mei", "Jun", "June", "Jan", "April", "August", "Dis", "Sep", "Des"}
)

WEEKDAYS = {
    name: number
    for number, names in enumerate(
        [
            "Monday/Mon/Isnin/Senin/月曜日/月曜/星期一/周一/礼拜一",
            "Tuesday/Tue/Tues/Selasa/火曜日/火曜/星期二/周二/礼拜二",
            "Wednesday/Wed/Rabu/水曜日/水曜/星期三/周三/礼拜三",
            "Thursday/Thu/Thurs/Khamis/Kamis/木曜日/木曜/星期四/周四/礼拜四",
            "Friday/Fri/Jumaat/Jumat/金曜日/金曜/星期五/周五/礼拜五",
            "Saturday/Sabtu/土曜日/土曜/星期六/周六/礼拜六",
            "Sunday/Ahad/hari Minggu/日曜日/日曜/星期日/星期天/周日/礼拜天",
        ]
    )
    for name in names.split("/")
}

ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民国": 1911, "民國": 1911}
ERA_LETTERS = {"R": "令和", "H": "平成", "S": "昭和", "T": "大正"}

RELATIVE = {
    form: name
    for name, forms in {
        "yesterday": "yesterday/semalam/kelmarin/kemarin/昨日/昨天/きのう",
        "today": "today/hari ini/今日/今天/本日/きょう",
        "tomorrow": "tomorrow/esok/besok/明日/明天/あす",
        "last week": "last week/minggu lalu/minggu lepas/先週/上周/上星期",
        "this week": "this week/minggu ini/今週/本周/这周",
        "next week": "next week/minggu depan/来週/下周/下星期",
        "last month": "last month/bulan lalu/bulan lepas/先月/上个月/上月",
        "this month": "this month/bulan ini/今月/本月/这个月",
        "next month": "next month/bulan depan/来月/下个月/下月",
        "last year": "last year/tahun lalu/tahun lepas/昨年/去年",
        "this year": "this year/tahun ini/今年/本年/ことし",
        "next year": "next year/tahun depan/来年/明年",
    }.items()
    for form in forms.split("/")
}

SEASONS = {
    form: name
    for name, forms in {
        "spring": "spring/musim bunga/musim semi/春季/春",
        "summer": "summer/musim panas/夏季/夏",
        "autumn": "autumn/fall/musim luruh/musim gugur/秋季/秋",
        "winter": "winter/musim sejuk/musim dingin/冬季/冬",
    }.items()
    for form in forms.split("/")
}
DECADES = {
    word: 10 * tens
    for tens, word in enumerate(
        "twenties thirties forties fifties sixties seventies eighties nineties".split(), start=2
    )
}
# "later that year" points back at a year that the text names before.
SAME_YEAR = (
    "later that year/earlier that year/that same year/the same year/that year/later the same year/pada tahun yang sama"
    "/tahun yang sama/tahun itu juga/同年/当年/同じ年/この年/the same day/that same day/the same month/同日/同月/当日"
    "/hari yang sama/bulan yang sama"
).split("/")

ORDER = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "pertama": 1,
    "kedua": 2,
    "ketiga": 3,
    "keempat": 4,
    "1": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "上": 1,
    "下": 2,
    "前": 1,
    "後": 2,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}

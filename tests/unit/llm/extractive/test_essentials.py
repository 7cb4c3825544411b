"""What no summary may leave out: deadline, place and contact of a call, deaths, recommendations."""

import pytest

from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_summary
from almanac.llm.sources import StepSource

CALLS = {
    "en": (
        """Call for proposals: small grants for village libraries

The Lakeside Reading Trust is inviting proposals for small grants to village libraries. Each library can receive up \
to $4,000 for books, shelves or solar lamps. Last year 31 libraries received money, and nine of them opened a second \
reading room. The trust expects about 200 applications. Books remain the most common request, followed by roofing.

Closing date: 14 July 2026, 5 p.m.
An information meeting will be held at Mbita Town Hall on 20 June at 10 a.m.
Questions: call Jane Odhiambo on 0700 555 010.
""",
        ("14 July 2026", "Mbita Town Hall", "0700 555 010"),
    ),
    "ms": (
        """Permohonan geran perpustakaan desa dibuka

Yayasan Tasik membuka permohonan geran bagi perpustakaan desa di tiga daerah. Setiap perpustakaan boleh menerima \
sehingga RM12,000 untuk buku dan rak. Tahun lalu 31 perpustakaan menerima geran. Buku kekal sebagai permintaan paling \
kerap, diikuti pembaikan bumbung.

Tarikh tutup: 14 Julai 2026, 5 petang
Taklimat akan diadakan di Dewan Seri Tasik pada 20 Jun, 10 pagi.
Hubungi: Puan Salmah, 012-555 0101 atau geran@yayasantasik.example
""",
        ("14 Julai 2026", "Dewan Seri Tasik", "012-555 0101"),
    ),
    "ja": (
        """村の図書館への助成、申請受け付け始まる

湖畔読書財団は、村の図書館への助成の募集を始めた。1館あたり最大60万円を本や本棚の購入に使える。昨年は31館が助成を受けた。\
財団は約200件の応募を見込んでいる。最も多い希望は本で、屋根の修理が続く。

申請の締め切りは2026年7月14日午後5時。
説明会は6月20日午前10時から、湖南町民ホールで開く。
問い合わせは財団事務局（電話0120-555-010）まで。
""",
        ("7月14日", "湖南町民ホール", "0120-555-010"),
    ),
    "zh": (
        """乡村图书馆小额资助开始申请

湖畔阅读基金会开始接受乡村图书馆小额资助的申请。每家图书馆最多可获得3万元，用于购买图书和书架。去年共有31家图书馆获得资助。\
基金会预计今年将收到约200份申请。图书仍是最常见的需求，其次是修缮屋顶。

申请截止日期：2026年7月14日下午5时
说明会将于6月20日上午10时在湖南镇礼堂举行。
联系人：王敏，电话0755-5550101
""",
        ("7月14日", "湖南镇礼堂", "0755-5550101"),
    ),
}
ACCIDENTS = {
    "en": (
        (
            "A bus carrying wedding guests overturned on the Eldoret road on Saturday night after its brakes failed. "
            "The bus was on its way to Kitale when it left the road near a bridge. "
            "Rescuers worked until dawn on the road. "
            "Traffic was diverted through Turbo for nine hours. Safari Star has 42 buses and was licensed last year. "
            "Three people died."
        ),
        "Three people died",
    ),
    "ms": (
        (
            "Sebuah bas membawa rombongan perkahwinan terbalik di Jalan Gerik selepas breknya gagal berfungsi. "
            "Bas itu dalam perjalanan ke Baling ketika terbabas berhampiran jambatan. Jalan ditutup sembilan jam. "
            "Syarikat bas Maju mempunyai 42 buah bas. Seorang mekanik memeriksa bas itu pada Jumaat. "
            "Empat belas orang maut dan 29 cedera, menurut ketua polis daerah."
        ),
        "Empat belas orang maut",
    ),
    "ja": (
        (
            "23日夜、県道で結婚式の客を乗せた貸し切りバスが横転した。バスは北山市に向かう途中だった。県道は9時間にわたり通行止めになった。"
            "運行会社は42台のバスを保有している。バスは先月、県の点検を受けていた。警察によると、乗客14人が死亡し、29人がけがをした。"
        ),
        "14人が死亡",
    ),
    "zh": (
        (
            "23日晚，一辆载有婚礼宾客的大巴在省道上侧翻。大巴当时正驶往北山市。省道封闭九个小时。大巴公司北山客运拥有42辆大巴。"
            "大巴上月刚通过省里的检验。据警方介绍，事故造成14人死亡、29人受伤。"
        ),
        "14人死亡",
    ),
}
REPORTS = {
    "en": (
        (
            "The district committee reviewed the school lunch pilot on 3 March. "
            "In 21 schools the pilot kitchens worked. "
            "Attendance in the pilot schools rose from 71 to 84 percent. "
            "A school lunch costs 38 shillings in the pilot. "
            "Parents in the pilot schools gave 12 tonnes of maize.\n\n"
            "Recommendations\nExtend the lunches to 40 schools by January.\nPay the cooks monthly, not by the day."
        ),
        ("Recommendations", "Extend the lunches to 40 schools by January."),
    ),
    "ms": (
        (
            "Jawatankuasa daerah menilai projek makan tengah hari sekolah pada 3 Mac. Dapur 21 sekolah berfungsi. "
            "Kehadiran di sekolah projek naik daripada 71 kepada 84 peratus. Makan tengah hari sekolah berharga RM3. "
            "Jawatankuasa daerah mengesyorkan supaya projek diperluas ke 40 sekolah."
        ),
        ("mengesyorkan",),
    ),
    "ja": (
        (
            "地区委員会は3日、学校給食の試行を検証した。21校では給食の試行が計画どおり進んだ。試行校の出席率は71％から84％に上がった。"
            "給食の費用は1食38円だった。地区委員会は、2027年に試行を40校に広げるよう提言した。"
        ),
        ("提言した",),
    ),
    "zh": (
        (
            "地区委员会3日评估了学校午餐试点。21所试点学校按计划供应午餐。试点学校出勤率从71%升至84%。试点午餐每份3元。"
            "地区委员会建议2027年将试点扩大到40所学校。"
        ),
        ("建议2027年",),
    ),
}


def every_list(text: str, count: int) -> list[str]:
    source = StepSource(id="s", text=text)
    lists = (
        extract_summary([source], count),
        extract_key_points([source], count),
        extract_bullets([source], count, words=30),
    )
    return ["\n".join(cited.text for cited in written) for written in lists]


@pytest.mark.parametrize("language", CALLS)
def test_deadline_place_and_contact_of_a_call_come_along(language):
    text, facts = CALLS[language]
    for written in every_list(text, 4):
        assert [fact for fact in facts if fact not in written] == []


EVENTS = {
    "en": (
        """Seed fair returns to Larkhaven

The Larkhaven Seed Fair returns this spring with 40 stalls and a school garden competition. Last year 2,300 people \
came. Farmers will swap bean, maize and millet seed. Children under 12 can plant a tree with the forest office.

Where: St. Anne's Field, Mill Road
When: Saturday 12 April, 9 a.m. to 4 p.m.
Book a stall by 1 April at www.seedfair.example or call 0700 555 020.
""",
        ("Mill Road", "12 April", "1 April", "0700 555 020"),
    ),
    "ms": (
        """Pesta benih kembali ke Mersing

Pesta Benih Mersing kembali dengan 40 gerai dan pertandingan kebun sekolah. Tahun lalu 2,300 orang hadir. Petani akan \
bertukar benih jagung dan kacang. Kanak-kanak boleh menanam pokok bersama pejabat hutan.

Tempat: Padang Seri, Jalan Kilang
Tarikh: Sabtu 12 April, 9 pagi hingga 4 petang
Tempah gerai sebelum 1 April atau hubungi 012-555 0202.
""",
        ("Padang Seri", "12 April", "1 April", "012-555 0202"),
    ),
    "ja": (
        """種の市、今年も開催

北山種の市が今年も40の店と学校菜園の発表を集めて開かれる。昨年は2300人が訪れた。農家は豆やとうもろこしの種を交換する。\
子どもは森林組合と木を植えることができる。

会場：北山市民広場
日時：4月12日（土）午前9時から午後4時
出店の申し込みは4月1日までに事務局（電話0120-555-020）へ。
""",
        ("北山市民広場", "4月12日", "4月1日", "0120-555-020"),
    ),
    "zh": (
        """种子集市重回北山

北山种子集市今年将设40个摊位，并举办校园菜园比赛。去年有2300人参加。农民将交换豆类和玉米种子。儿童可以和林业站一起种树。

地点：北山市民广场
时间：4月12日（周六）上午9时至下午4时
摊位报名截止4月1日，联系电话0755-5550202
""",
        ("北山市民广场", "4月12日", "4月1日", "0755-5550202"),
    ),
}


@pytest.mark.parametrize("language", EVENTS)
def test_time_place_and_contact_of_an_event_come_along(language):
    text, facts = EVENTS[language]
    for written in every_list(text, 5):
        assert [fact for fact in facts if fact not in written] == []


def test_an_address_in_an_article_is_no_contact():
    text = "The council approved the roofs on Monday evening. Contact us on 0700 555 010 or at news@daily.example."
    assert all("0700" not in written for written in every_list(text, 4))


@pytest.mark.parametrize("language", ACCIDENTS)
def test_deaths_are_told(language):
    text, fact = ACCIDENTS[language]
    for written in every_list(text, 3):
        assert fact in written


@pytest.mark.parametrize("language", REPORTS)
def test_recommendations_are_told(language):
    text, facts = REPORTS[language]
    for written in every_list(text, 3):
        assert [fact.rstrip(".") for fact in facts if fact.rstrip(".") not in written] == []

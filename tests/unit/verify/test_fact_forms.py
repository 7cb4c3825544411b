"""The same fact in another form is supported; another fact in the same form is not."""

import pytest

from almanac.verify import Verdict

SAME_FACT = [
    ("一人当たりの医療費は三十五万円で、前年より増えた。", "1人当たりの医療費は35万円だった。"),
    ("採決の結果、賛成七、反対五で可決された。", "賛成7、反対5で可決された。"),
    ("採決の結果、賛成7票、反対5票で可決された。", "賛成七、反対五で可決された。"),
    ("東京市場の円相場は1ドル＝148円台で取引された。", "東京市場の円相場は1ドル148円台で取引された。"),
    ("円相場は1ドル148円で始まった。", "円相場は1ドル＝148円で始まった。"),
    (
        "The central bank raised its rate by a quarter of a point to 3.5 percent.",
        "The central bank raised its rate by 0.25 points to 3.5 percent.",
    ),
    (
        "The central bank raised its rate by 0.25 percentage points.",
        "The central bank raised its rate by a quarter of a percentage point.",
    ),
    (
        "The central bank raised its rate by 0.25 percentage points.",
        "The central bank raised its rate by a quarter point.",
    ),
    (
        "The central bank raised its rate by 25 basis points.",
        "The central bank raised its rate by a quarter of a percentage point.",
    ),
    ("Tambang LRT dari Ampang ke Masjid Jamek naik 20 sen mulai 1 Mac.", "Tambang LRT naik 20 sen mulai 1 Mac."),
    ("Tambang aliran transit ringan (LRT) dari Ampang naik 20 sen mulai 1 Mac.", "Tambang LRT naik 20 sen."),
    ("软件公司 Northwind Systems 周一公布，第三季度营收增长12%。", "Northwind Systems第三季度营收增长12%。"),
    ("英伟达公司周一公布，第三季度营收增长12%。", "英伟达公司第三季度营收增长12%。"),
    ("CYP1A2 is an enzyme. It is found in the liver.", "CYP1A2 is an enzyme."),
    ("The show was renewed for a fifth season in May.", "The show was renewed for a fifth season."),
    ("The park covers 1,200 km² of forest.", "The park covers 1,200 km ² of forest."),
    ("The park covers 1,200 km ² of forest.", "The park covers 1,200 square kilometres of forest."),
    ("J. K. Marlowe wrote the book in 1998.", "J.K. Marlowe wrote the book in 1998."),
    ("J.K. Marlowe wrote the book in 1998.", "J. K. Marlowe wrote the book in 1998."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged more than 50 houses in the valley."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged over 60 houses in the valley."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged at least 50 houses in the valley."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged fewer than 70 houses in the valley."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged fewer than 100 houses in the valley."),
    ("Sales reached 5 million units in March.", "Sales reached 5 mln units in March."),
    ("Sales reached 5 mln euros in March.", "Sales reached 5 million euros in March."),
    ("The firm, based in London, makes bicycles.", "The U.K. firm makes bicycles."),
    ("The firm, based in Tokyo, makes bicycles.", "The firm, based in Japan, makes bicycles."),
    ("Police in Kuala Lumpur arrested a driver on Monday.", "Police in Malaysia arrested a driver on Monday."),
    ("The 52-year-old teacher won the prize.", "The teacher, aged 52, won the prize."),
    ("The teacher, who is 52 years old, won the prize.", "The 52-year-old teacher won the prize."),
    ("Teacher Lena Ostrom, 52, won the prize.", "The teacher Lena Ostrom, who is 52 years old, won the prize."),
    ("The bridge was built in the 1990s by volunteers.", "The bridge was built by volunteers in the 1990s."),
    ("The bridge was built in 1994 by volunteers.", "The bridge was built by volunteers in the 1990s."),
    ("The bridge was built in the nineties by volunteers.", "The bridge was built by volunteers in the 1990s."),
    ("Between 10 and 15 boats sank.", "10-15 boats sank."),
    ("10-15 boats sank in the harbour.", "Between 10 and 15 boats sank in the harbour."),
    ("Ten to fifteen boats sank in the harbour.", "10-15 boats sank in the harbour."),
    ("She finished third in the race.", "She finished 3rd in the race."),
    ("Beliau menamatkan perlumbaan di tempat ketiga.", "Beliau menamatkan perlumbaan di tempat ke-3."),
    ("彼女は三番目にゴールした。", "彼女は3番目にゴールした。"),
    ("这是该市第三座水厂。", "这是该市第3座水厂。"),
    ("Two-thirds of the members voted for the plan.", "Two thirds of the members voted for the plan."),
    ("Two-thirds of the members voted for the plan.", "2/3 of the members voted for the plan."),
    ("A dozen boats sank in the harbour.", "12 boats sank in the harbour."),
    ("A dozen boats sank in the harbour.", "Twelve boats sank in the harbour."),
    ("Half a million people fled the city.", "500,000 people fled the city."),
    ("500,000 people fled the city.", "Half a million people fled the city."),
    ("Two score soldiers deserted the fort.", "40 soldiers deserted the fort."),
    ("Scores of people were hurt.", "Scores of people were hurt."),
    ("The pipe is 25 km long.", "The pipe is 25km long."),
    ("The pipe is 25 kilometres long.", "The pipe is 25 km long."),
    ("The fair opens on 1 May 2025.", "The fair opens on the 1st of May 2025."),
    ("The fair opens on the 1st of May, 2025.", "The fair opens on May 1, 2025."),
    ("The fair opens on May 1st.", "The fair opens on 1 May."),
    ("The fair opens on the first of May.", "The fair opens on 1 May."),
    ("The fair opened on 01/05/2025.", "The fair opened on 1 May 2025."),
    ("The mill closed in the spring of 2019.", "The mill closed in spring 2019."),
    (
        "The mill opened in March 2019. It closed in October 2019.",
        "The mill opened in March 2019 and closed later that year.",
    ),
    ("The firm sold 100 boats in 2020 and 140 in 2021.", "The firm sold 100 boats in 2020 and 140 in 2021."),
    ("“We will not sell,” said Marta Kolb, the “chief” of the mill.", "“We will not sell,” said Marta Kolb."),
    ('The council "will pay" for the repairs.', "The council “will pay” for the repairs."),
    ("Pop star Lena Ostrom, known as Lenny O, sang at the fair.", "Lenny O sang at the fair."),
    ("Prices fell 0.3% from the previous month.", "Prices fell 0.3% from the previous month."),
    ("全国居民消费价格环比下降0.3%。", "全国居民消费价格环比下降0.3%。"),
    ("会议于2025年5月1日在北京召开。", "会议于5月1日在北京召开。"),
    ("会议于二〇二五年五月一日在北京召开。", "会议于2025年5月1日在北京召开。"),
    ("三分之二的议员投了赞成票。", "2/3的议员投了赞成票。"),
    ("約50万人が避難した。", "約500,000人が避難した。"),
    ("避難者は67人に上った。", "避難者は50人を超えた。"),
    ("避難者は67人に上った。", "避難者は50人以上に上った。"),
    ("受灾人口达到67人。", "受灾人口超过50人。"),
    ("Seramai 67 penduduk dipindahkan.", "Lebih 50 penduduk dipindahkan."),
    ("Bandar itu mempunyai kira-kira setengah juta penduduk.", "Bandar itu mempunyai kira-kira 500,000 penduduk."),
    ("Lelaki berusia 52 tahun itu ditahan.", "Lelaki 52 tahun itu ditahan."),
    ("Projek itu siap pada 1hb Mei 2025.", "Projek itu siap pada 1 Mei 2025."),
    ("Jembatan itu dibangun pada tahun 1990-an.", "Jembatan itu dibangun pada 1990-an."),
    ("Pertandingan digelar pada tanggal 17 Agustus 1945.", "Pertandingan digelar pada 17 Agustus 1945."),
    ("Sebanyak delapan orang terluka.", "Sebanyak 8 orang terluka."),
    ("Harga naik menjadi Rp 5 miliar.", "Harga naik menjadi Rp5.000.000.000."),
]
OTHER_FACT = [
    ("憲法二十五条の生存権に基づく控除である。", "憲法二十九条の生存権に基づく控除である。"),
    ("円相場は1ドル＝148円で始まった。", "円相場は1ドル＝184円で始まった。"),
    (
        "The central bank raised its rate by 0.25 percentage points.",
        "The central bank raised its rate by half a percentage point.",
    ),
    ("The show was renewed for a fifth season in May.", "The show was renewed for a sixth season."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged more than 70 houses in the valley."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged fewer than 60 houses in the valley."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged 76 houses in the valley."),
    ("Police in Kuala Lumpur arrested a driver on Monday.", "Police in Thailand arrested a driver on Monday."),
    ("The 52-year-old teacher won the prize.", "The teacher, aged 53, won the prize."),
    ("The bridge was built in 1984 by volunteers.", "The bridge was built by volunteers in the 1990s."),
    ("10-15 boats sank in the harbour.", "Between 10 and 50 boats sank in the harbour."),
    ("She finished third in the race.", "She finished fourth in the race."),
    ("彼女は三番目にゴールした。", "彼女は二番目にゴールした。"),
    ("这是该市第三座水厂。", "这是该市第四座水厂。"),
    ("Two-thirds of the members voted for the plan.", "Three-quarters of the members voted for the plan."),
    ("The fair opens on the first of May.", "The fair opens on 2 May."),
    ("The mill closed in the spring of 2019.", "The mill closed in autumn 2019."),
    ("Output went from 100 tonnes in 2020 to 140 tonnes in 2021.", "Output rose by 45 tonnes between 2020 and 2021."),
    ('The council "will pay" for the repairs.', "The council “will not pay” for the repairs."),
    ("The mayor, Ana Brandt, opened the bridge.", "The mayor, Ida Kessler, opened the bridge."),
    ("会议于2025年5月1日在北京召开。", "会议于2025年5月11日在北京召开。"),
    ("避難者は67人に上った。", "避難者は70人を超えた。"),
    ("Seramai 67 penduduk dipindahkan.", "Lebih 70 penduduk dipindahkan."),
    ("Pertandingan digelar pada tanggal 17 Agustus 1945.", "Pertandingan digelar pada 17 Oktober 1945."),
    ("Pertandingan digelar pada 12 Desember 1945.", "Pertandingan digelar pada 12 Januari 1945."),
    ("Sebanyak delapan orang terluka.", "Sebanyak sembilan orang terluka."),
]
DOUBTFUL_FACT = [
    ("It is the second bridge over the river.", "It is the first bridge over the river."),
    ("It is one of three bridges over the river.", "It is the only bridge over the river."),
    ("She was the second woman to lead the council.", "She was the first woman to lead the council."),
    ("The rate rose by 2 percentage points to 12 percent.", "The rate rose by 2 percent to 12 percent."),
    ("Output went from 100 tonnes in 2020 to 140 tonnes in 2021.", "Output rose by 40 tonnes between 2020 and 2021."),
    ("Beliau menamatkan perlumbaan di tempat ketiga.", "Beliau menamatkan perlumbaan di tempat kedua."),
    ("The storm damaged 67 houses in the valley.", "The storm damaged more than 20 houses in the valley."),
    ("Presley Ostrom moved to Brenford when she was 13.", "Mara Presley Ostrom moved to Brenford when she was 13."),
    ("The choir sang at the fair in Brenford.", "The choir sang at the fair in Brenford on Friday."),
    ("The filter removes dust and smoke from the air.", "The filter removes COVID-19 and smoke from the air."),
]


@pytest.mark.parametrize(("source", "text"), SAME_FACT)
def test_the_same_fact_in_another_form_is_supported(verdict_of, source, text):
    checked = verdict_of(text, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(("source", "text"), OTHER_FACT)
def test_another_fact_is_a_change(verdict_of, source, text):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


@pytest.mark.parametrize(("source", "text"), DOUBTFUL_FACT)
def test_a_fact_that_the_source_may_still_carry_is_left_to_a_person(verdict_of, source, text):
    checked = verdict_of(text, source)
    assert checked.verdict in {Verdict.UNCONFIRMED, Verdict.CHANGED}, checked.findings


def test_a_sum_of_two_figures_says_which(verdict_of):
    source = "Output went from 100 tonnes in 2020 to 140 tonnes in 2021."
    checked = verdict_of("Output rose by 40 tonnes between 2020 and 2021.", source)
    assert (
        checked.findings[0].reason
        == "The source says 100 tonnes and 140 tonnes, this says 40 tonnes: read it and check."
    )
    assert checked.uncovered


def test_a_name_in_place_of_another_is_a_change_and_one_without_a_counterpart_is_in_doubt(verdict_of):
    source = "The mayor, Ana Brandt, opened the bridge on Monday."
    wrong = verdict_of("The mayor, Ida Kessler, opened the bridge on Monday.", source)
    assert wrong.verdict is Verdict.CHANGED
    assert wrong.findings[0].expected == "Ana Brandt"
    added = verdict_of("Ana Brandt opened the bridge on Monday with Ida Kessler.", source)
    assert added.verdict is Verdict.UNCONFIRMED
    assert "Ida Kessler" in added.findings[0].reason


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The low was -5°C.", "The low was 5°C."),
        ("CYP1A2 is an enzyme.", "CYP1A3 is an enzyme."),
        ("The fair opens on 1 May.", "The fair opens on 2 May."),
        ("The firm moved to the U.S. in 2020.", "The firm moved to the U.K. in 2020."),
        ("“It is ‘safe’,” she said.", "“It is not “safe” at all,” she said."),
    ],
)
def test_a_reason_never_contrasts_a_fact_with_itself_or_doubles_marks(verdict_of, source, text):
    checked = verdict_of(text, source)
    assert checked.findings
    for finding in checked.findings:
        before, _, after = finding.reason.partition(", not ")
        assert not after or not before.endswith(f" {after.rstrip('.')}")
        assert not any(marks in finding.reason for marks in ("||", "““", "””", ".."))


def test_a_sentence_is_looked_for_where_it_stands_word_for_word(verdict_of):
    source = (
        "Drink a glass of milk within 30 minutes before your workout. Eat something light. "
        "Drink water within 30 minutes after your workout."
    )
    checked = verdict_of("Drink water within 30 minutes after your workout", source)
    assert checked.verdict is Verdict.SUPPORTED
    assert checked.matched is not None
    assert source[slice(*checked.matched)].startswith("Drink water")


@pytest.mark.parametrize(
    "text",
    [
        "Her debut was in Tom Eich.",
        "Her debut was in New Hebden.",
        "Her debut was at the Bureau of Earth.",
    ],
)
def test_a_name_is_found_by_all_its_words(verdict_of, text):
    source = "She said the fee would be paid to the Bureau of Mines. Her debut was in New Lanford."
    assert verdict_of(text, source).verdict in {Verdict.CHANGED, Verdict.UNCONFIRMED}


def test_a_bound_is_compared_with_the_bound_in_its_place(verdict_of):
    source = "The lamp costs $200, more than $147 below the usual price."
    assert verdict_of("The lamp costs $200, more than $197 below the usual price.", source).verdict is Verdict.CHANGED


def test_a_range_shares_its_scale_and_unit(verdict_of):
    source = "Perbelanjaan syarikat ialah Rp 20 triliun hingga Rp 30 triliun setahun."
    text = "Perbelanjaan syarikat ialah dua puluh sampai tiga puluh triliun rupiah setahun."
    assert verdict_of(text, source).verdict is Verdict.SUPPORTED


def test_a_short_kilo_is_a_kilometre_or_a_kilogram_but_no_metre(verdict_of):
    source = "震源の深さは約30キロと推定される。"
    assert verdict_of("震源の深さは約30キロメートルと推定される。", source).verdict is Verdict.SUPPORTED
    assert verdict_of("震源の深さは約30メートルと推定される。", source).verdict is Verdict.CHANGED


def test_a_fact_of_another_sentence_is_a_change_only_in_a_copy(verdict_of):
    source = (
        "Net income of Orlind Steel in the third quarter was $120 million because of lower demand in building. "
        "For the fourth quarter it expects $1.40 a share."
    )
    merged = "Weak building demand hurt Orlind Steel, whose guidance of $1.40 seems modest."
    assert verdict_of(merged, source).verdict is Verdict.UNCONFIRMED
    copied = "Net income of Orlind Steel in the fourth quarter was $120 million because of lower demand."
    assert verdict_of(copied, source).verdict is Verdict.CHANGED


def test_the_name_of_a_work_is_a_name_and_no_quotation(verdict_of):
    source = "The band played on the album “Iron Garden” last year."
    longer = verdict_of("The band played on the album “Iron Garden: Songs for Lanford” last year.", source)
    assert longer.verdict is Verdict.UNCONFIRMED
    assert verdict_of("The band played on the album “Iron Harbour” last year.", source).verdict is Verdict.CHANGED


def test_a_chinese_place_is_never_spared_among_many_carried_words(verdict_of):
    source = "这个洞庭湖畔的重要城市多年前曾在作家笔下的小说中展现风貌。"
    assert (
        verdict_of("这个张家口的重要城市多年前曾在作家笔下的小说中展现风貌。", source).verdict is not Verdict.SUPPORTED
    )

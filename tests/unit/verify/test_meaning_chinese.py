"""Rules of meaning for Chinese: what must be read, and what is the same in other words."""

import subprocess
import sys

import pytest

from almanac.verify import Verdict

POLICE = (
    "南溪警方3月4日通报，一名男子因涉嫌盗窃电缆被拘留。部分电缆尚未找到，损失至少4万元。工程师韩松作为证人接受询问。"
)
TOWN = "青田市议会计划5月关闭旧市场，但有待省政府批准。大多数摊贩支持这一计划。每名摊贩最多可获补助2000元。"
SCHOOL = "象棋社新增40名成员，话剧社则流失15名成员。参赛学生已全部返校。游泳池尚未开放。只有五年级学生可以报名。"
HARBOUR = (
    "渔获量由310吨降至280吨，环比下降9.7%。新船可能6月抵达。港口经理林树杰说，将建设第二座码头。渔民没有得到任何补助。"
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("一名男子因盗窃电缆被拘留。", POLICE, id="suspicion"),
        pytest.param("损失4万元。", POLICE, id="lower bound"),
        pytest.param("全部电缆尚未找到。", POLICE, id="all for some"),
        pytest.param("韩松被捕。", POLICE, id="invented arrest"),
        pytest.param("一名女子因涉嫌盗窃电缆被拘留。", POLICE, id="woman for man"),
        pytest.param("青田市议会5月关闭旧市场。", TOWN, id="plan"),
        pytest.param("青田市议会已关闭旧市场。", TOWN, id="plan told as done"),
        pytest.param("所有摊贩支持这一计划。", TOWN, id="all for most"),
        pytest.param("每名摊贩可获补助2000元。", TOWN, id="upper bound"),
        pytest.param("由于房屋老化，旧市场将关闭。", TOWN, id="invented cause"),
        pytest.param("话剧社新增40名成员。", SCHOOL, id="subject of another clause"),
        pytest.param("参赛学生部分返校。", SCHOOL, id="some for all"),
        pytest.param("游泳池已经开放。", SCHOOL, id="denial left out"),
        pytest.param("参赛学生没有返校。", SCHOOL, id="denial added"),
        pytest.param("所有学生都可以报名。", SCHOOL, id="all for only"),
        pytest.param("渔获量由310吨升至280吨。", HARBOUR, id="direction"),
        pytest.param("新船6月抵达。", HARBOUR, id="possibility"),
        pytest.param("渔民得到补助。", HARBOUR, id="none left out"),
        pytest.param("渔获量同比下降9.7%。", HARBOUR, id="year for month"),
        pytest.param("港口必须建设第二座码头。", HARBOUR, id="duty added"),
        pytest.param("港口首次建设第二座码头。", HARBOUR, id="first added"),
    ],
)
def test_changed_meaning_is_not_supported(verdict_of, text, source):
    assert verdict_of(text, source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("一名男子涉嫌偷窃电缆，遭警方拘留。", POLICE),
        ("损失不少于4万元。", POLICE),
        ("还有一部分电缆没有找到。", POLICE),
        ("青田市议会拟于5月关闭旧市场，尚待省政府批准。", TOWN),
        ("多数摊贩赞成该计划。", TOWN),
        ("摊贩每人至多可获得2000元补助。", TOWN),
        ("象棋社增加了40名成员。", SCHOOL),
        ("参赛学生全部回校。", SCHOOL),
        ("游泳池还没有开放。", SCHOOL),
        ("渔获量从310吨下降到280吨，较上月减少9.7%。", HARBOUR),
        ("新船有望6月到达。", HARBOUR),
        ("林树杰表示，港口将兴建第二座码头。", HARBOUR),
        ("渔民未获任何补助。", HARBOUR),
    ],
)
def test_the_same_in_other_words_is_supported(verdict_of, text, source):
    checked = verdict_of(text, source)

    assert checked.verdict is Verdict.SUPPORTED, checked.findings


def test_words_cut_differently_carry_each_other(verdict_of):
    source = "国家统计局公布，早稻播种面积稳定，农业投入加大。"

    assert verdict_of("统计局说，早稻播种的面积稳定。", source).verdict is Verdict.SUPPORTED
    assert verdict_of("对农业的投入加大。", source).verdict is Verdict.SUPPORTED


def test_latin_company_names_are_carried(verdict_of):
    source = "星河电子与Brenner AG签署协议，合作开发充电桩。"

    assert verdict_of("星河电子将与Brenner AG合作开发充电桩。", source).verdict is Verdict.SUPPORTED


def test_the_dictionary_is_read_on_first_use_and_leaves_no_file(tmp_path):
    program = (
        "import sys, almanac.verify; from almanac.verify.words import chinese_dictionary as d;"
        "assert d._word_weights.cache_info().currsize == 0;"
        "assert [*d.split_words('统计局公布')] == [(0, 3), (3, 5)];"
        "assert 'jieba' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", program], check=True, env={"TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    )

    assert list(tmp_path.iterdir()) == []


COURT = "江陵法院判处前出纳邹敏有期徒刑两年，罪名是职务侵占。法官庞国栋驳回了缓刑请求。律师翟晓表示，邹敏打算上诉。"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("法官庞国栋被判处有期徒刑两年。", id="another person's sentence"),
        pytest.param("庞国栋表示，邹敏打算上诉。", id="another speaker"),
    ],
)
def test_a_deed_of_another_person_is_not_supported(verdict_of, text):
    assert verdict_of(text, COURT).verdict is not Verdict.SUPPORTED


def test_subject_and_object_swapped_is_not_supported(verdict_of):
    source = "卫生厅新开三家诊所。护士工会要求尽快加薪。海棠科技与Orlen Kft签约，向后者供应水泵。"

    assert verdict_of("卫生厅要求护士工会加薪。", source).verdict is not Verdict.SUPPORTED
    assert verdict_of("Orlen Kft向海棠科技供应水泵。", source).verdict is not Verdict.SUPPORTED
    assert verdict_of("海棠科技向Orlen Kft供应水泵。", source).verdict is Verdict.SUPPORTED


def test_turned_comparison_is_not_supported(verdict_of):
    source = "调查显示，北区的房租高于南区。"

    assert verdict_of("南区的房租高于北区。", source).verdict is not Verdict.SUPPORTED
    assert verdict_of("北区的租金高于南区。", source).verdict is Verdict.SUPPORTED


def test_verbatim_part_of_a_sentence_is_supported_unless_it_loses_a_condition(verdict_of):
    source = "校方说，部分教室正在修缮，图书馆没有关闭，学生可以自习。工会将于6月关闭食堂，但须经董事会批准。"

    assert verdict_of("部分教室正在修缮，图书馆没有关闭。", source).verdict is Verdict.SUPPORTED
    assert verdict_of("工会将于6月关闭食堂。", source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("faithful", "faulty"),
    [
        pytest.param("黄豆每公斤卖12元。", "黄豆每吨卖12元。", id="price per unit"),
        pytest.param(
            "红枣和核桃的价格分别上升6%和11%。", "红枣和核桃的价格分别上升11%和6%。", id="list in another order"
        ),
        pytest.param("花生油价格略有下跌。", "花生油价格略有上涨。", id="direction"),
        pytest.param("粮商的提案遭否决。", "粮商的提案获得通过。", id="outcome"),
        pytest.param("演员葛小满凭《北桥》获奖。", "演员葛小满凭《远灯》获奖。", id="work of another"),
        pytest.param("由于仓库漏水，工会要求厂方赔偿。", "厂方要求工会赔偿。", id="who asks whom"),
        pytest.param("黄豆价格连涨三周。", "黄豆价格连涨五周。", id="run of weeks"),
        pytest.param("工会不赞成涨价。", "工会赞成涨价。", id="disagreement"),
        pytest.param("客流增长近20%。", "客流增长近40%。", id="tenths"),
    ],
)
def test_turned_fact_is_not_supported(verdict_of, faithful, faulty):
    source = (
        "黄豆价格连续第三周上涨，每公斤卖12元。红枣和核桃的价格分别上涨6%和11%。花生油价格稳中略降。"
        "市议会通过预算，粮商的提案遭否决。导演常一鸣凭《远灯》获奖。演员葛小满凭《北桥》获奖。"
        "鉴于仓库漏水，工会要求厂方赔偿。客流增加近两成。工会反对涨价。"
    )

    assert verdict_of(faithful, source).verdict is Verdict.SUPPORTED
    assert verdict_of(faulty, source).verdict is not Verdict.SUPPORTED

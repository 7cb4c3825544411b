"""The same story from two outlets is seen as one, in every language; different stories stay apart."""

import pytest

from almanac.articles.similarity import SIMILARITY_THRESHOLD, estimate_similarity, lsh_bands, minhash_signature

STORIES = {
    "en": "The energy ministry will build a solar farm of 40 megawatts in Kedah. It costs 120 million ringgit and will "
    "supply 9,000 homes. Engineers expect the work to take two years, and the grid to be ready before that. Residents "
    "asked for more trees along the road, and the state agreed to plant them before the rains begin in October.",
    "zh": "能源部将在吉打州兴建一座四十兆瓦的太阳能发电厂。该项目耗资一亿两千万令吉，将为九千户家庭供电。"
    "工程师预计工程需时两年，电网将提前准备就绪。"
    "居民要求在路旁种植更多树木，州政府同意在十月雨季开始之前完成种植工作。",
    "ms": "Kementerian tenaga akan membina ladang solar 40 megawatt di Kedah. Projek itu menelan belanja 120 juta "
    "ringgit dan akan membekalkan 9,000 rumah. Jurutera menjangka kerja mengambil masa dua tahun, dan grid "
    "siap sebelum itu. "
    "Penduduk meminta lebih banyak pokok di sepanjang jalan, dan kerajaan negeri bersetuju menanamnya.",
}
OTHER = {
    "en": "Singapore raised its carbon tax on Friday. Companies that emit more than 25,000 tonnes a year will pay "
    "more from January. Economists expect the price of electricity to rise a little, while buses and trains "
    "stay as they are.",
    "zh": "新加坡星期五提高碳税。每年排放超过两万五千吨的公司从一月起须支付更多税款。"
    "经济学家预计电价将略微上涨，而巴士和地铁票价维持不变。",
    "ms": "Singapura menaikkan cukai karbon pada Jumaat. Syarikat yang mengeluarkan lebih 25,000 tan setahun akan "
    "membayar lebih mulai Januari. Ahli ekonomi menjangka harga elektrik naik sedikit, manakala tambang bas kekal.",
}


@pytest.mark.parametrize("language", STORIES)
def test_an_edited_copy_meets_its_original(language):
    original = STORIES[language]
    copy = original[: len(original) * 9 // 10] + " Reported by the desk in Penang with agencies."
    first, second = minhash_signature(original), minhash_signature(copy)
    assert estimate_similarity(first, second) >= SIMILARITY_THRESHOLD
    assert set(lsh_bands(first)) & set(lsh_bands(second))


@pytest.mark.parametrize("language", STORIES)
def test_another_story_does_not(language):
    assert estimate_similarity(minhash_signature(STORIES[language]), minhash_signature(OTHER[language])) < 0.2


def test_a_report_that_differs_only_in_its_figures_is_another_story():
    report = "On {0} May the plant made {1} megawatt hours, sold {2} of them for {3} ringgit, and used {4} litres. "
    words = "The operator said that it was content with the day, and that the weather had been as good as expected."
    first, second = (
        minhash_signature(report.format(*figures) + words)
        for figures in ((11, 420, 400, 90, 75), (12, 380, 350, 88, 71))
    )
    assert estimate_similarity(first, second) < SIMILARITY_THRESHOLD


def test_a_text_too_short_to_tell_has_no_signature():
    assert minhash_signature("Solar farm opens.") is None


def test_keys_fit_the_database():
    assert all(0 <= key < 2**63 for key in lsh_bands(minhash_signature(STORIES["en"])))

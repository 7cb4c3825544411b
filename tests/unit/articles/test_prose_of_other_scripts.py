"""Articles are known as such in scripts that end their sentences by other marks, or by none."""

import pytest

from almanac.articles import NoArticle, PageRequest
from almanac.articles.page import ParsedPage, parse_page

PROSE = {
    "th": (
        "กระทรวงพลังงานประกาศเมื่อวันจันทร์ว่าจะสร้างโรงไฟฟ้าพลังงานแสงอาทิตย์ขนาด 40 เมกะวัตต์ในจังหวัดขอนแก่น "
        "โดยจะเริ่มก่อสร้างในเดือนหน้าและแล้วเสร็จภายในสองปี"
    ),
    "lo": (
        "ກະຊວງພະລັງງານປະກາດໃນວັນຈັນວ່າຈະສ້າງໂຮງໄຟຟ້າພະລັງງານແສງຕາເວັນຂະໜາດ 40 ເມກາວັດໃນແຂວງສະຫວັນນະເຂດ "
        "ໂດຍຈະເລີ່ມກໍ່ສ້າງໃນເດືອນໜ້າ ແລະ ສຳເລັດພາຍໃນສອງປີຂ້າງໜ້າ"
    ),
    "km": (
        "ក្រសួងរ៉ែ និងថាមពលបានប្រកាសកាលពីថ្ងៃចន្ទថា នឹងសាងសង់រោងចក្រអគ្គិសនីថាមពលពន្លឺព្រះអាទិត្យ ៤០ មេហ្គាវ៉ាត់ "
        "នៅក្នុងខេត្តបាត់ដំបង ហើយការសាងសង់នឹងចាប់ផ្តើមនៅខែក្រោយ។"
    ),
    "my": (
        "စွမ်းအင်ဝန်ကြီးဌာနက တနင်္လာနေ့တွင် မန္တလေးတိုင်းဒေသကြီး၌ ၄၀ မဂ္ဂါဝပ် နေရောင်ခြည်စွမ်းအင်သုံး "
        "ဓာတ်အားပေးစက်ရုံတစ်ရုံ တည်ဆောက်မည်ဟု ကြေညာခဲ့ပြီး လာမည့်လတွင် စတင်မည်ဖြစ်သည်။"
    ),
    "hi": (
        "ऊर्जा मंत्रालय ने सोमवार को घोषणा की कि राजस्थान में चालीस मेगावाट का सौर ऊर्जा संयंत्र बनाया जाएगा और इसका काम "
        "अगले महीने शुरू होगा, जबकि मंत्री ने कहा कि यह परियोजना दो साल में पूरी होगी।"
    ),
}


def read(*paragraphs: str) -> ParsedPage:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    markup = f"<html><head><title>40 MW</title></head><body><main><article>{body}</article></main></body></html>"
    return parse_page(PageRequest(url="https://news.example.com/a", content=markup.encode(), content_type="text/html"))


@pytest.mark.parametrize("language", PROSE)
def test_an_article_is_read_and_told_in_its_own_words(language):
    page = read(PROSE[language])
    assert (page.language, page.text) == (language, PROSE[language])
    assert all(point.text.rstrip("।") in page.text for point in page.choice.points)
    assert page.choice.points


def test_headings_are_no_article_however_many_there_are():
    with pytest.raises(NoArticle):
        read(*(f"ข่าวพลังงานแสงอาทิตย์วันนี้ในจังหวัดขอนแก่น {number}" for number in range(30)))

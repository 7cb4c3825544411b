"""Which language a text is in, down to headlines of three words."""

import pytest

from almanac.language.detection import detect_language

TEXTS = {
    "en": [
        "The central bank left its policy rate unchanged on Wednesday.",
        "Bank Negara raises rate",
        "Parliament passes bill",
        "Indonesia cuts fuel subsidy",
        "Fed holds rates",
        "12345",
        "",
    ],
    "ms": [
        "Kerajaan memperuntukkan RM1.8 bilion untuk sekolah daif.",
        "Harga minyak naik",
        "Polis tahan tiga lelaki",
        "Ringgit ditutup tinggi",
        "Perdana Menteri rasmi hospital baharu di Ipoh",
        "Anwar: Malaysia kekal neutral",
    ],
    "id": [
        "Pemerintah akan menaikkan harga karena inflasi",
        "Presiden resmikan rumah sakit baru di Jakarta, kata pejabat kepolisian",
    ],
    "zh": [
        "国务院",
        "经济增长",
        "台灣經濟成長",
        "香港立法會三讀通過條例",
        "A股三大指数收跌",
        "日本の味餐厅在上海开业，吸引众多市民前往",
    ],
    "ja": ["予算委員会", "総務省", "衆議院本会議", "日本国憲法", "日銀、金利を据え置き", "東京オリンピック"],
    "fr": ["Le président a déclaré que la loi serait votée"],
    "nl": ["De regering heeft in de vergadering besloten dat de wet in werking treedt"],
    "ko": ["한국어 뉴스입니다"],
    "th": ["รัฐบาลไทยประกาศ"],
    "ta": ["தமிழ் செய்திகள்"],
}


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, texts in TEXTS.items() for text in texts])
def test_a_text_is_recognised(language, text):
    assert detect_language(text) == language

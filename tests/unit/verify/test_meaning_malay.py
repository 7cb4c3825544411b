"""Rules of meaning for Malay and Indonesian: what must be read, and what is the same in other words."""

import pytest

from almanac.verify import Verdict

POLICE = (
    "Polis Muar menahan dua lelaki pada Khamis kerana disyaki mencuri kabel. Sebahagian kabel itu belum ditemui."
    " Nilainya sekurang-kurangnya RM40,000. Seorang jurutera, Hafiz Omar, memberi keterangan sebagai saksi."
)
TOWN = (
    "Majlis Bandaran Sibu bercadang menutup pasar lama pada Mei, tertakluk kepada kelulusan kerajaan negeri."
    " Kebanyakan peniaga menyokong cadangan itu. Peniaga boleh menerima bantuan sehingga RM2,000."
)
SCHOOL = (
    "Kelab catur menambah 40 ahli, manakala kelab drama kehilangan 15 ahli. Semua peserta pertandingan sudah pulang."
    " Kolam renang belum dibuka. Hanya murid tingkatan lima boleh mendaftar."
)
HARBOUR = (
    "Hasil tangkapan ikan turun daripada 310 tan kepada 280 tan. Kapal baharu itu mungkin tiba pada Jun."
    " Pengurus pelabuhan, Lim Soo Kiat, berkata dermaga kedua akan dibina. Nelayan tidak menerima sebarang bantuan."
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("Dua lelaki ditahan kerana mencuri kabel.", POLICE, id="suspicion"),
        pytest.param("Nilai kabel itu RM40,000.", POLICE, id="lower bound"),
        pytest.param("Semua kabel itu belum ditemui.", POLICE, id="all for some"),
        pytest.param("Kabel itu belum ditemui.", POLICE, id="some left out"),
        pytest.param("Hafiz Omar ditangkap.", POLICE, id="invented arrest"),
        pytest.param("Hafiz Omar mengaku bersalah.", POLICE, id="invented plea"),
        pytest.param("Polis Muar menahan dua wanita pada Khamis.", POLICE, id="women for men"),
        pytest.param("Majlis Bandaran Sibu menutup pasar lama pada Mei.", TOWN, id="plan"),
        pytest.param("Majlis Bandaran Sibu sudah menutup pasar lama.", TOWN, id="plan told as done"),
        pytest.param("Semua peniaga menyokong cadangan itu.", TOWN, id="all for most"),
        pytest.param("Peniaga menerima bantuan RM2,000.", TOWN, id="upper bound"),
        pytest.param("Pasar lama ditutup kerana bangunannya retak.", TOWN, id="invented cause"),
        pytest.param("Kelab drama menambah 40 ahli.", SCHOOL, id="subject of another clause"),
        pytest.param("Sebahagian peserta pertandingan sudah pulang.", SCHOOL, id="some for all"),
        pytest.param("Kolam renang sudah dibuka.", SCHOOL, id="denial left out"),
        pytest.param("Peserta pertandingan belum pulang.", SCHOOL, id="denial added"),
        pytest.param("Semua murid boleh mendaftar.", SCHOOL, id="all for only"),
        pytest.param("Hasil tangkapan ikan naik daripada 310 tan kepada 280 tan.", HARBOUR, id="direction"),
        pytest.param("Kapal baharu itu akan tiba pada Jun.", HARBOUR, id="possibility"),
        pytest.param("Nelayan menerima bantuan.", HARBOUR, id="none left out"),
        pytest.param("Dermaga kedua ialah satu-satunya dermaga yang akan dibina.", HARBOUR, id="only added"),
        pytest.param("Dermaga kedua wajib dibina.", HARBOUR, id="duty added"),
    ],
)
def test_changed_meaning_is_not_supported(verdict_of, text, source):
    assert verdict_of(text, source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Dua lelaki ditangkap polis di Muar kerana disyaki mencuri kabel.", POLICE),
        ("Nilai kabel itu tidak kurang daripada RM40,000.", POLICE),
        ("Ada kabel yang masih belum dijumpai, iaitu sebahagian daripadanya.", POLICE),
        ("Hafiz Omar, seorang jurutera, menjadi saksi.", POLICE),
        ("Majlis Bandaran Sibu merancang menutup pasar lama pada bulan Mei.", TOWN),
        ("Majoriti peniaga bersetuju dengan cadangan itu.", TOWN),
        ("Bantuan maksimum RM2,000 boleh diterima peniaga.", TOWN),
        ("Ahli kelab catur bertambah 40 orang.", SCHOOL),
        ("Kesemua peserta pertandingan telah pulang.", SCHOOL),
        ("Kolam renang masih belum dibuka.", SCHOOL),
        ("Hasil tangkapan ikan merosot kepada 280 tan daripada 310 tan.", HARBOUR),
        ("Kapal baharu itu dijangka tiba pada bulan Jun.", HARBOUR),
        ("Menurut Lim Soo Kiat, dermaga kedua akan dibangunkan.", HARBOUR),
        ("Tiada bantuan diterima nelayan.", HARBOUR),
    ],
)
def test_the_same_in_other_words_is_supported(verdict_of, text, source):
    checked = verdict_of(text, source)

    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(
    ("malay", "indonesian"),
    [
        ("Polis menahan suspek kerana kes rasuah.", "Polisi menahan tersangka karena kasus korupsi."),
        ("Syarikat itu membina kilang baharu.", "Perusahaan itu membangun pabrik baru."),
        ("Kerajaan meluluskan belanjawan.", "Pemerintah menyetujui anggaran."),
    ],
)
def test_malay_and_indonesian_words_carry_each_other(verdict_of, malay, indonesian):
    assert verdict_of(malay, indonesian + " Rapat itu berlangsung di Medan.").verdict is Verdict.SUPPORTED


def test_a_light_word_needs_no_cover_beside_enough_others(verdict_of):
    source = "Hujan lebat merosakkan sawah padi di Kedah pada Isnin."

    assert (
        verdict_of("Hujan lebat merosakkan kawasan sawah padi penduduk di Kedah.", source).verdict is Verdict.SUPPORTED
    )
    assert verdict_of("Penduduk di Kedah.", source).verdict is not Verdict.SUPPORTED


COURT = (
    "Mahkamah Tinggi Kuching memenjarakan bekas kerani Salmah Daud selama dua tahun kerana pecah amanah. Hakim Peter"
    " Anyi menolak permohonan jaminan. Peguam Lucy Kong berkata anak guamnya bercadang merayu."
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Hakim Peter Anyi dipenjarakan selama dua tahun.", id="another person's sentence"),
        pytest.param("Peter Anyi berkata anak guamnya bercadang merayu.", id="another speaker"),
        pytest.param("Bekas kerani Salmah Daud menolak permohonan jaminan.", id="another person's deed"),
    ],
)
def test_a_deed_of_another_person_is_not_supported(verdict_of, text):
    assert verdict_of(text, COURT).verdict is not Verdict.SUPPORTED


def test_subject_and_object_swapped_is_not_supported(verdict_of):
    source = "Kementerian Kesihatan membuka tiga klinik. Kesatuan jururawat menggesa gaji dinaikkan segera."

    assert (
        verdict_of("Kementerian menggesa kesatuan jururawat menaikkan gaji.", source).verdict is not Verdict.SUPPORTED
    )
    assert verdict_of("Kesatuan jururawat mahu gaji dinaikkan segera.", source).verdict is Verdict.SUPPORTED


def test_one_unlisted_word_is_spared_beside_many_that_are_carried(verdict_of):
    source = "Jambatan kayu di Kampung Sungai Lalang, Kuala Krai, dibaiki penduduk dengan kos RM8,000 pada 3 Mei."
    text = "Jambatan kayu usang di Kampung Sungai Lalang dibaiki penduduk dengan kos RM8,000 pada 3 Mei."

    assert verdict_of(text, source).verdict is Verdict.SUPPORTED
    assert verdict_of(text.replace("usang", "runtuh"), source).verdict is Verdict.UNCONFIRMED


@pytest.mark.parametrize(
    ("faithful", "faulty"),
    [
        pytest.param(
            "Peniaga memberi wang kepada seorang kerani.",
            "Seorang kerani memberi wang kepada Roslan Kadir.",
            id="giver and receiver",
        ),
        pytest.param("RUU Pasar tidak diterima.", "RUU Pasar diterima.", id="outcome"),
        pytest.param(
            "Hasil naik didorong permintaan sayur segar.", "Hasil turun akibat permintaan sayur segar.", id="cause"
        ),
        pytest.param("Ini gelaran ketiga Kelantan.", "Ini gelaran pertama Kelantan.", id="first"),
        pytest.param("Kelantan ketinggalan lima gol.", "Kelantan ketinggalan tujuh gol.", id="margin"),
        pytest.param(
            "Pemohon perlu menetap paling kurang dua tahun.",
            "Pemohon perlu menetap paling kurang enam tahun.",
            id="at least",
        ),
    ],
)
def test_turned_fact_is_not_supported(verdict_of, faithful, faulty):
    source = (
        "Peniaga itu, Roslan Kadir, 52, memberi wang kepada seorang kerani pada Mac. Rang Undang-Undang Pasar ditolak. "
        "Hasil meningkat disokong permintaan sayur segar. Kemenangan itu ialah gelaran ketiga Kelantan. "
        "Gol Kelantan ketinggalan 14-19 pada separuh masa pertama. Pemohon mesti menetap sekurang-kurangnya dua tahun."
    )

    assert verdict_of(faithful, source).verdict is Verdict.SUPPORTED
    assert verdict_of(faulty, source).verdict is not Verdict.SUPPORTED

"""Beginnings that lean on what stood before: connectives that may be taken off, and words that point back."""

import re

_LATIN_CONNECTIVES = (
    r"(?:But|And|So|Yet|Or|Nor|Also|However|Meanwhile|Therefore|Thus|Hence|Moreover|Furthermore|Additionally|"
    r"Nevertheless|Nonetheless|Instead|Besides|Similarly|Likewise|Consequently|Accordingly|Otherwise|"
    r"Tetapi|Namun|Dan|Malah|Malahan|Justeru|Justeru itu|Manakala|Maka|Jadi|Bagaimanapun|Walau bagaimanapun|"
    r"Namun begitu|Namun demikian|Oleh itu|Oleh yang demikian|Sehubungan itu|Selain itu|Di samping itu|Tambahan pula|"
    r"Sementara itu|Dalam pada itu|Sebaliknya|Kemudian|Seterusnya|Dalam perkembangan (?:lain|berkaitan))\b,?\s+"
    r"|(?:In addition|Still|Then|Indeed|Rather|First|Firstly|Second|Secondly|Third|Thirdly|Finally|Lastly|In fact|"
    r"As a result|On the other hand|In contrast|By contrast|For example|For instance|That said|At the same time|"
    r"In other words|In particular|Of course|Separately|Overall|In response|Earlier|Later|Again|Crucially|Notably|"
    r"Contohnya|Misalnya|Pertama|Kedua|Ketiga|Akhirnya|Pada masa sama|Pada masa yang sama|Dalam masa sama|Sebelum ini|"
    r"Terdahulu|Dalam pada masa sama|Akibatnya|Hasilnya|Secara keseluruhan|Antaranya),\s+"
)
_LATIN_POINTERS = (
    r"(?:He|She|They|It|His|Her|Their|Its|Those|These|Such|Both|Neither|Either|Others?|Another|Them|There,|Here|"
    r"This(?! (?:year|week|month|quarter|morning|afternoon|evening|summer|spring|autumn|winter)\b)|"
    r"That(?! (?:year|week|month)\b)|The (?:latter|former|same|pair|two|move|decision|announcement|measure|figure|"
    r"increase|decline|rise|drop|fall|result|results)|Like (?:him|her|them|it|this)|Among (?:them|these|those)|"
    r"Of (?:these|those|them)|One of (?:them|these|those)|Some of (?:them|these|those)|None of|All of (?:them|these)|"
    r"Beliau|Mereka|Ia|Ianya|Dia|Ini|Itu|Hal (?:ini|itu|tersebut)|Perkara (?:ini|itu)|Langkah (?:ini|itu|tersebut)|"
    r"Keputusan (?:ini|itu)|Jumlah (?:itu|tersebut)|Angka (?:itu|tersebut)|Program (?:itu|ini)|Inisiatif (?:itu|ini)|"
    r"Menurutnya|Menurut beliau|Katanya|Tambahnya|Ujarnya|Kata beliau|Tambah beliau|Ujar beliau|Jelasnya|Tegasnya|"
    r"Kedua-duanya|Kedua-dua|Antara (?:lain|itu)|Yang demikian|Demikian|Ketika itu|Pada masa itu)\b"
)
_CHINESE_CONNECTIVES = (
    r"(?:但是|但|然而|不过|不過|因此|因而|所以|此外|另外|与此同时|與此同時|同时|同時|而且|并且|並且|于是|於是|为此|為此|"
    r"对此|對此|另一方面|相比之下|换言之|換言之|总之|總之|事实上|事實上|另据|从而|可见)[，,、：]?"
    r"|(?:首先|其次|再次|最后|最後|随后|隨後|接着|接著|当然|當然|例如|比如|而|其中|一方面|目前|第[一二三四五]|据此|由此)[，,、：]"
)
_CHINESE_POINTERS = (
    r"(?:他|她|它|這|这|那|该|該|此(?!次)|其|两者|兩者|上述|前者|后者|後者|双方|雙方|对方|對方|我(?!国|國|省|市|州|港)|"
    r"有关(?:方面|部门|负责人)|有關(?:方面|部門)|例如|比如|也|并(?!购)|却|则)"
)
_JAPANESE_CONNECTIVES = (
    r"(?:しかしながら|しかし|だが|ただし|ただ(?!い|の|し)|一方で|一方(?!的|通)|また(?!は|が)|さらに|更に|そして|そのため|このため|"
    r"それゆえ|ところが|なお(?!か)|加えて|同時に|したがって|従って|つまり|例えば|たとえば|続いて|とはいえ|もっとも|逆に|でも|"
    r"だから|このうち|その後|その上|その結果|この結果|それでも|それに対し(?:て)?|これに対し(?:て)?|これを受け(?:て)?|"
    r"こうした中|こうしたなか|そこで|特に|とりわけ|実際)[、，]?"
    r"|(?:まず|次に|最後に|第[一二三四五]に|以上|ほかに?|具体的には|他方|そもそも|要するに|すなわち|結果として|いずれにしても)[、，]"
)
_JAPANESE_POINTERS = (
    r"(?:それ|これ|その|この(?!ほど|たび|度)|そこ|ここ(?!数)|こう(?:し|い)|そう(?:し|い)|こんな|そんな|あの|あれ|彼|"
    r"同(?:社|省|氏|庁|町|村|市|県|国|紙|日|会|党|組合|地域|行|大(?!学生)|グループ|局|委員会|法(?!人)|制度|店|誌|署|協会|研究所|チーム)|"
    r"両(?:社|国|者|氏|党|首脳|政府)|前者|後者|当該|前述|上記|うち|私(?!立|学|鉄)|わたし|僕|我々|御指摘|ご指摘|先ほど|"
    r"(?:それ|これ)ら|以上の|同様)"
)
_CONNECTIVE = re.compile(f"(?:{_LATIN_CONNECTIVES}|{_CHINESE_CONNECTIVES}|{_JAPANESE_CONNECTIVES})")
_POINTER = re.compile(f"(?:{_LATIN_POINTERS}|{_CHINESE_POINTERS}|{_JAPANESE_POINTERS})")
_MOST_CONNECTIVES = 2


def standing_alone(text: str) -> str | None:
    """The part of a sentence, up to its end, that can be read without what stood before; None where there is none."""
    for _ in range(_MOST_CONNECTIVES):
        connective = _CONNECTIVE.match(text)
        if connective is None:
            break
        text = text[connective.end() :]
        if not text or text[0].islower():
            return None
    return None if not text or _POINTER.match(text) or _CONNECTIVE.match(text) else text

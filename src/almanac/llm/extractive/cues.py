"""Marks of sentences that editors look for: figures, decisions, and marks of those they avoid."""

import re

_FIGURE = re.compile(
    r"(?:RM|MYR|US\$|S\$|A\$|\$|£|€|¥|￥|Rp)\s?\d|\d[\d,.]*\s?(?:%|％|per cent|percent|peratus|percentage point|"
    r"million|billion|trillion|juta|bilion|trilion|ribu|kg|km|MW|GW|tonnes?|tan|hectares?|hektar|万|萬|亿|億|兆|円|元|人|件|倍|个百分点|ポイント|"
    r"トン|吨|ドル|美元|令吉|戸|基|ヘクタール|公顷|公里)|[一二三四五六七八九十百千]+(?:億|亿|万|兆)|\b\d{1,3}(?:,\d{3})+\b"
)
_DECISION = re.compile(
    r"\b(?:approv\w+|announc\w+|pass(?:ed|es)|decid\w+|agreed|adopt\w+|launch\w*|sign(?:ed|s)|vot(?:ed|es)|reject\w*|"
    r"banned|ordered|ruled|raised|raises|cut|cuts|will (?:be|begin|start|spend|receive|take|introduce|build|require|allow|cover|rise)|"
    r"must|plans? to|found that|shows? that|concluded|recommend\w*|"
    r"meluluskan|diluluskan|mengumumkan|diumumkan|memutuskan|bersetuju|melancarkan|dilancarkan|menandatangani|"
    r"menolak|akan (?:di)?\w+|mewajibkan|diwajibkan|memperuntukkan|diperuntukkan|peruntukan|mendapati|berkuat kuasa|"
    r"menaikkan|menurunkan|mengekalkan|dikekalkan)\b"
    r"|决定|決定|通过|通過|批准|宣布|宣佈|发布|發布|出台|将于|將於|启动|啟動|签署|簽署|同意|否决|要求|规定|規定|实施|實施|印发|拨款|撥款|上调|下调|维持"
    r"|可決|否決|成立した|閣議|合意|発表|方針|表明|改正|引き上げ|引き下げ|導入|義務付け|開始する|実施する|盛り込|策定|施行|承認|まとめた|据え置",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？][\"”」』）)]*$|(?:です|ます|ません|でしょう|の|ました|たい)か[。．]?$|\?”")
_FIRST_PERSON = re.compile(
    r"\b(?:I|I'm|we|We|our|Our|my|My|us|saya|Saya|kami|Kami|kita|Kita|you|You|your)\b|我们|我們|我(?!国|國|省|市|州)|私(?:は|ども|たち)|我々"
)
_ALSO = re.compile(
    r"\b(?:also|added|too|turut|tambahnya|tambah beliau|katanya|kata beliau|ujarnya)\b|也|还(?!是|原)|還|も(?:また|述べ)"
)
_QUOTED = re.compile(r"[“\"「『]([^”\"」』]*)[”\"」』]")


def has_figure(text: str) -> bool:
    """An amount, a share or a count with its unit."""
    return bool(_FIGURE.search(text))


def has_decision(text: str) -> bool:
    """Something was decided, announced, found or begun."""
    return bool(_DECISION.search(text))


def is_question(text: str) -> bool:
    """A question, with or without its mark."""
    return bool(_QUESTION.search(text))


def in_first_person(text: str) -> bool:
    """Somebody speaks of themselves or to the reader."""
    return bool(_FIRST_PERSON.search(_QUOTED.sub("", text)))


def continues_a_report(text: str) -> bool:
    """Adds to what somebody said before."""
    return bool(_ALSO.search(text))


def quoted_share(text: str) -> float:
    """How much of the text is direct speech."""
    return sum(len(found[1]) for found in _QUOTED.finditer(text)) / max(1, len(text))

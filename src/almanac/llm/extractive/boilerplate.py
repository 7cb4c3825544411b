"""What stands in articles and records without telling anything: bylines, captions, notices, courtesies, procedure."""

import re

_NOTICES = re.compile(
    r"\b(?:read more|also read|read also|read full|click here|subscribe|sign up|newsletter|follow us|share this|"
    r"copyright|all rights reserved|terms of (?:use|service)|privacy policy|cookies?|advertisement|sponsored|"
    r"related (?:stories|articles)|getty images|file (?:photo|pic)|photo(?:graph)? (?:by|courtesy)|pic by|image credit|"
    r"reporting by|editing by|writing by|min(?:ute)?s? read|last updated|first published|press release|for (?:media|press) enquir\w+|for more information|"
    r"follow .{1,30} on (?:twitter|facebook|x|telegram)|join our|download (?:our|the) app|views expressed|"
    r"baca (?:juga|lagi|lanjut|selanjutnya)|ikuti kami|langgan(?:i)?|hak cipta|artikel berkaitan|berita berkaitan|"
    r"klik (?:di )?sini|muat turun aplikasi|saluran (?:telegram|whatsapp)|gambar hiasan|foto ihsan|"
    r"gambar fail|sertai kami|untuk (?:maklumat lanjut|pertanyaan media))\b",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"(?:by|oleh|photos?|pictures?|pic|images?|source|sources|caption|video|watch|tags?|related|contact|tel|e-?mail|"
    r"editor|foto|gambar|sumber|teg|penulis|note to editors|more|see also|"
    r"(?:figure|table|jadual|rajah) \d+)\s*[:：|]",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"(?:By|BY|Oleh|OLEH)\s+[A-Z][\w.'-]*(?:\s+(?:[A-Z][\w.'-]*|and|dan|bin|binti|in|di|,)){0,8}[.,]?")
_COURTESIES = re.compile(
    r"(?:thank you|good (?:morning|afternoon|evening)|ladies and gentlemen|hear,? hear|i (?:beg|yield)|"
    r"i thank the|terima kasih|assalamualaikum|selamat (?:pagi|petang|sejahtera)|tuan yang di-?pertua[,.]|"
    r"saya mohon|dengan hormatnya saya)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"责任编辑|責任編輯|图片来源|圖片來源|资料图|資料圖|(?:图|圖)(?:片)?[：:／/]|\S{0,12}[摄攝][）)]?[。]?$|点击|點擊|扫码|掃碼|关注(?:我们|公众号|本)|"
    r"關注我們|版权所有|版權所有|未经.{0,6}授权|未經.{0,6}授權|延伸阅读|延伸閱讀|相关(?:新闻|阅读|报道)|相關(?:新聞|閱讀)|^(?:来源|來源|编辑|編輯|作者|"
    r"记者|記者|撰文|校对|审核|文)[：:／/ ]|更多(?:新闻|精彩|资讯)|下载.{0,6}(?:客户端|APP)|訂閱|订阅|免责声明|转载请|^谢谢|^謝謝|"
    r"各位(?:嘉宾|来宾|代表|同事)|^(?:大家|各位).{0,6}好|不构成投资建议|^（完）"
)
_JAPANESE = re.compile(
    r"続きを読む|関連記事|あわせて読みたい|無断(?:転載|複製)|著作権|会員限定|有料会員|お問い合わせ|問い合わせ先|メルマガ|メールマガジン|クリック|"
    r"^【?写真|写真[＝=：]|[＝=]\S{0,20}(?:撮影|提供)|撮影[）)。]?$|^【?(?:画像|図表|動画|PR|広告|文|取材|編集)[】＝=：:・／]|フォローして|"
    r"公式(?:サイト|SNS)|(?:申し|もうし)上げます。$|ありがとうござい|お願い(?:い?たし|申し上げ|し)?ます。$|質問(?:を|は)終わり|お答え(?:を)?(?:いた|申し|し)|"
    r"御異議(?:なし|ありません)|異議なし|散会(?:いた)?します|休憩(?:いた)?します|開会(?:いた)?します|会議を開きます|質疑(?:を|に)(?:続行|入り)|"
    r"(?:君|さん|大臣|委員)。$|以上です。$|次に、?\S{1,14}(?:君|委員|さん)|発言を許します|承知(?:して|いたし)|^(?:拍手|笑い)|おはようござい|"
    r"お疲れさま|議題といたします|趣旨の説明を(?:聴取|求め)|(?:^|、)(?:記者|担当)[：:＝=]|^（\S{1,12}(?:記者|通信|共同|時事|ロイター)）$"
)
_ADDRESS = re.compile(r"https?://|www\.|\S+@\S+\.\S+|@\w{3,}|#\w{3,}")


def is_boilerplate(text: str) -> bool:
    """Whether a sentence belongs to the frame of the text rather than to what it tells."""
    return any(
        (
            _LABELS.match(text),
            _BYLINE.fullmatch(text),
            _COURTESIES.match(text),
            _NOTICES.search(text),
            _ADDRESS.search(text),
            _CHINESE.search(text),
            _JAPANESE.search(text),
        )
    )

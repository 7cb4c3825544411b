"""What stands in place of an article: a missing page, a search, a notice about cookies, a login, a paywall, a check."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from almanac.documents.chunker import word_weight
from almanac.documents.html import HtmlTree
from almanac.documents.model import TextBlock
from almanac.kit.messages import gettext
from almanac.kit.text import one_line

_LITTLE, _SHORT, _SHORT_OF_PAID = 40, 120, 150
_MISSING = re.compile(
    r"(?:error\W*)?404(?:\W*(?:error|(?:page )?not found))?|(?:oops\W*)?(?:the |this )?(?:page|article|content|story)"
    r"(?: (?:was|is|could|can|has|been|be|you (?:requested|want)))*\W*(?:not|n[o']t|cannot be|no longer) ?(?:be )?"
    r"(?:found|available|exists?)|not found|halaman (?:ini )?tidak (?:dijumpai|ditemui|wujud)|"
    r"(?:抱歉\W*)?(?:您(?:访问|查找)的)?(?:页面|頁面|文章|网页)(?:不存在|找不到|已(?:被)?删除|未找到)|找不到(?:该|此)?(?:页面|網頁|网页)",
    re.IGNORECASE,
)
_SEARCH = re.compile(
    r"(?:search )?results? for\b.*|search results?(?:[^\w ].*)?|hasil carian(?: (?:bagi|untuk)\b.*)?|搜[索寻尋]结果.*",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"(?:please )?(?:sign|log)[ -]?in\b.*|log masuk\b.*|daftar masuk\b.*|(?:用户|会员)?(?:登录|登入).*", re.IGNORECASE
)
_CHECK = re.compile(
    r"enable (?:javascript|cookies)|verify (?:that )?you are (?:a )?human|are you a robot|captcha|access (?:is )?denied"
    r"|request (?:was )?blocked|page (?:not|cannot be) found|error 404|404 not found|请开启|验证码|页面不存在"
    r"|halaman tidak (?:dijumpai|ditemui)",
    re.IGNORECASE,
)
_PAID = re.compile(
    r"subscribe (?:now |today )?to (?:continue|read|keep|unlock|view|access)|(?:for|to) (?:our )?subscribers"
    r"|subscribers?[ -]only|already (?:a |an )?(?:subscriber|subscribed|member)|to (?:continue|keep) reading"
    r"|continue reading (?:with|this|your)|(?:log|sign) in to (?:read|continue|view)|unlock (?:this|the full)"
    r"|register (?:now |for free )?to (?:read|continue)|(?:create|make) (?:a|your) free account"
    r"|read the (?:full|rest of the) (?:article|story)|langgan\w*\b.{0,40}\b(?:membaca|baca|akses)"
    r"|untuk membaca (?:artikel )?(?:penuh|selanjutnya)|sudah melanggan"
    r"|[订訂][阅閱].{0,12}(?:阅读|閱讀|全文|继续|繼續)"
    r"|(?:会员|會員|付费|付費|订户|訂戶).{0,8}(?:阅读|閱讀|专享|專享)",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"(?:an? |\d{3}\W*)?(?:unexpected |server |internal )?error\b.*|\d{3}\W+(?:forbidden|unavailable).*"
    r"|something went wrong|(?:access (?:is )?denied|forbidden|just a moment|attention required|checking your browser"
    r"|are you (?:over|a)\b|ad ?block|(?:temporarily )?unavailable|(?:this (?:page|content) is )?not available).*"
    r"|.*\bmaintenance",
    re.IGNORECASE,
)
_SITE = re.compile(
    r"\b(?:browser|web ?sites?|(?:this|our|the|requested) (?:site|page|content|home ?page)|ad ?block\w*|javascript"
    r"|try again|(?:unexpected )?error|access|maintenance|legal (?:age|reasons)|account|connection)\b"
    r"|浏览器|瀏覽器|pelayar",
    re.IGNORECASE,
)
_YOU_AND_US = re.compile(r"\b(?:we|our|us|you|your|kami|anda)\b|我们|我們|您", re.IGNORECASE)
_CONSENT = re.compile(
    r"\bcookies?\b|\bconsent|personal data|\bpartners\b|\bprivacy\b|geolocation|\bkuki\b|persetujuan|privasi"
    r"|隐私|隱私|同意",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s+[|｜–—-]\s+|\s*[|｜_]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleCheck:
    """A page as far as it matters here: its title, the blocks below that, what of it is prose, who may read it."""

    tree: HtmlTree
    title: str
    blocks: Sequence[TextBlock]
    paragraphs: Sequence[str]
    is_for_payers: bool

    @property
    def prose(self) -> float:
        return sum(map(word_weight, self.paragraphs))

    def sentence(self) -> str | None:
        """What is there in place of an article, or nothing where one may be."""
        return next((sentence for sentence, is_there in self._signs() if is_there), None)

    def _signs(self) -> Iterator[tuple[str, bool]]:
        heads = list(self._heads())
        yield gettext("The site says that the page doesn't exist."), any(map(_MISSING.fullmatch, heads))
        yield gettext("The page is a list of search results, not an article."), any(map(_SEARCH.fullmatch, heads))
        yield gettext("The site shows a cookie notice instead of the article."), self._is_consent()
        yield (
            gettext("The site requires signing in to read the article."),
            self.prose < _SHORT and (any(map(_LOGIN.fullmatch, heads)) or self._asks_for_password()),
        )
        yield (
            gettext("The site shows only the first lines without a subscription."),
            self.prose < _SHORT_OF_PAID
            and (self.is_for_payers or any(_PAID.search(block.text) for block in self.blocks)),
        )
        yield (
            gettext("The site shows a notice instead of the article."),
            self.prose < _SHORT and (any(map(_TROUBLE.fullmatch, heads)) or self._is_notice()),
        )

    def _heads(self) -> Iterator[str]:
        yield from (part.strip(" .!。！") for part in _PARTS.split(self.title))
        for heading in self.tree.iter("h1"):
            yield one_line(heading.text_content()).strip(" .!。！")

    def _asks_for_password(self) -> bool:
        """Many sites have a login behind every page, so there must be little else than one."""
        little = self.prose < _LITTLE or self._mostly_tells_visitors_about(_SITE)
        return little and self.tree.find(".//input[@type='password']") is not None

    def _is_consent(self) -> bool:
        return self._mostly_tells_visitors_about(_CONSENT)

    def _is_notice(self) -> bool:
        return any(map(_CHECK.search, self.paragraphs)) or self._mostly_tells_visitors_about(_SITE)

    def _mostly_tells_visitors_about(self, subject: re.Pattern[str]) -> bool:
        """Whether a site speaks to its visitors about this more than about anything else."""
        matching = (text for text in self.paragraphs if subject.search(text) and _YOU_AND_US.search(text))
        return sum(map(word_weight, matching)) > self.prose / 2

"""Japanese is drawn with the characters of a Japanese font, not as empty boxes and not with those of Chinese."""

from playwright.async_api import expect

from almanac.accounts.permissions import Role

# No font has a character here, so what is drawn is the box that stands for a missing one.
NOT_A_CHARACTER = "\uf8fe"
# Written alike in Unicode, drawn otherwise in Japanese and in simplified Chinese.
UNIFIED = "直骨"

DRAW = """(element, texts) => {
  const style = getComputedStyle(element);
  return texts.map((text) => {
    const canvas = document.createElement("canvas");
    canvas.width = 64 * text.length;
    canvas.height = 96;
    canvas.lang = element.closest("[lang]").lang;
    document.body.append(canvas);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.font = `48px ${style.fontFamily}`;
    context.fillText(text, 4, 64);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data.join();
    canvas.remove();
    return pixels;
  });
}"""


async def fonts_of(page, selector):
    """The fonts that the browser took for an element's text, with the number of characters drawn in each."""
    inspector = await page.context.new_cdp_session(page)
    await inspector.send("DOM.enable")
    await inspector.send("CSS.enable")
    root = await inspector.send("DOM.getDocument")
    node = await inspector.send("DOM.querySelector", {"nodeId": root["root"]["nodeId"], "selector": selector})
    answer = await inspector.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
    return {font["familyName"]: font["glyphCount"] for font in answer["fonts"]}


async def test_japanese_on_an_article_is_drawn_in_a_japanese_font(enter, sittings, debian_program):
    debian_program("a font with Han characters")
    meeting, recap = sittings["sangiin-honkaigi"]
    page = await enter(Role.MEMBER)
    # English around it: the text's own language chooses the font.
    await page.goto(f"/recap/articles/{meeting.issue_id}?lang=en&level=plain")
    title = page.get_by_role("heading", level=1)
    await expect(title).to_have_text(recap.title)
    drawn = await title.evaluate(DRAW, ["鬱", "国", NOT_A_CHARACTER])
    assert len(set(drawn)) == 3
    for selector in ("h1", "#reading p"):
        fonts = await fonts_of(page, selector)
        assert max(fonts, key=fonts.__getitem__).endswith("CJK JP"), (selector, fonts)


async def test_characters_shared_with_chinese_are_drawn_in_their_own_language(enter, sittings, debian_program):
    debian_program("a font with Han characters")
    page = await enter(Role.MEMBER)
    drawn = []
    for lang in ("ja", "zh"):
        await page.goto(f"/recap/people?lang={lang}")
        drawn += await page.get_by_role("heading", level=1).evaluate(DRAW, [UNIFIED])
        fonts = await fonts_of(page, "h1")
        assert any(name.endswith({"ja": "CJK JP", "zh": "CJK SC"}[lang]) for name in fonts), fonts
    assert drawn[0] != drawn[1]

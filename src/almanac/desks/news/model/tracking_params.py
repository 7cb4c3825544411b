"""Which parts of an address name the way to a page and not the page: tracking parameters, mobile and AMP marks."""

from collections.abc import Mapping

TRACKING_PREFIXES = (
    "utm_",
    "utm-",
    "pk_",
    "piwik_",
    "matomo_",
    "mtm_",
    "hsa_",
    "at_custom",
    "at_bbc",
    "at_ptr",
    "at_link",
    "guce_",
    "fb_",
    "__cft__",
    "__hs",
    "_hs",
    "ga_",
    "wt.",
    "wt_",
    "oly_",
    "vero_",
    "trk_",
    "cm_mmc",
    "amp_",
    "cmpid",
    "share_",
    "itm_",
    "mkt_",
    "xtor",
    "gad_",
    "trk",
    "cx_test",
    "ml_subscriber",
    "ck_subscriber",
    "tt_medium",
    "tt_content",
)
# Every advertising network numbers its clicks, and new ones follow the pattern: fbclid, gclid, ysclid.
CLICK = "clid"
TRACKING = frozenset(
    """
    gclsrc gbraid wbraid msclkid li_fat_id igshid igsh mibextid rdid epik spm spm_id_from lipi sfnsn
    mc_cid mc_eid _ga _gl _hsenc _hsmi hsctatracking mkt_tok rb_clickid s_cid s_kwcid ef_id ncid icid ito ocid cvid
    ref ref_ ref_src ref_url referer referrer refid campaign_id campaignid adgroupid
    smid smtyp smprod sr_share soc_src soc_trk tsrc taid guccounter isappinstalled nsukey sharer
    sharetype from_share trackid tracking tracking_id dicbo
    action_object_map action_type_map action_ref_map fref hc_ref __tn__ __twitter_impression __s _openstat
    irclickid irgwc wickedid vgo_ee srsltid usqp amp ampmode gaa_at gaa_n gaa_ts gaa_sig phpsessid jsessionid
    aspsessionid sessionid session_id cid_source rss_id rssfeed ftag ftcamp intcmp int_cmp int_source int_medium
    int_campaign wpisrc wpmm emc unlocked_article_code otc mbid cn-track cndid esrc
    algo_pvid _branch_match_id _branch_referrer sfmc_id sfmc_sub elqtrackid elqtrack
    at_medium at_campaign at_format at_creation at_platform at_variant ns_mchannel ns_source ns_campaign ns_linkname
    ns_fee replytocom subscene clicktime enterid sessionfrom chksm mpshare srcid pass_ticket wx_header tdsourcetag
    weibo_id zanpid awc _kx mkwid pcrid sc_cid bxid sref
    """.split()
)
# Some sites count readers with these and others name content: a value of nothing but figures names content.
AMBIGUOUS = frozenset("campaign adid cmp si gift edition_id xid assetid assettype timeline scene shared".split())
# These name content on some sites, so they are dropped only with a value that tells where the reader came from.
CHANNELS = frozenset(
    """
    rss feed rssfeed feedburner twitter x facebook fb instagram linkedin whatsapp telegram wechat weibo tiktok reddit
    email e-mail mail newsletter social share app mobile android ios homepage home push notification copy copylink
    google googlenews news-google msn yahoo line timeline singlemessage groupmessage
    """.split()
)
WAYS = frozenset("source src from via medium origin platform channel feature partner share".split())
VARIANTS: Mapping[str, frozenset[str]] = {
    "m": frozenset({"", "0", "1", "true"}),
    "mobile": frozenset({"", "0", "1", "true", "yes", "on"}),
    "amp": frozenset({"", "0", "1", "true", "yes"}),
    "output": frozenset({"amp"}),
    "outputtype": frozenset({"amp"}),
    "print": frozenset({"", "1", "true", "yes", "y"}),
    "view": frozenset({"amp", "mobile", "print"}),
    "display": frozenset({"amp", "mobile"}),
    "format": frozenset({"amp"}),
    "type": frozenset({"amp"}),
}
VARIANT_LABELS = frozenset({"www", "www1", "www2", "www3", "m", "mobile", "amp", "wap", "touch", "3g"})
# Below these stand names of things, and `amp` is the name of one.
NAMING_SEGMENTS = frozenset("wiki tag tags topic topics category categories keyword keywords search".split())
INDEX_NAMES = frozenset(
    f"{name}.{ending}"
    for name, endings in {
        "index": ("html", "htm", "php", "asp", "aspx", "jsp", "shtml", "xhtml"),
        "default": ("html", "htm", "asp", "aspx"),
    }.items()
    for ending in endings
)
# Second-level names below which people register: what is left after a label is taken away must be more than this.
REGISTRIES = frozenset({"co", "com", "org", "net", "gov", "edu", "ac", "go", "or", "ne", "gob", "gouv", "mil"})


def is_tracking(name: str, value: str) -> bool:
    """Whether a parameter says nothing about which page is meant."""
    lowered = name.lower()
    if lowered in TRACKING or lowered.startswith(TRACKING_PREFIXES) or lowered.endswith(CLICK) or lowered == "_":
        return True
    if lowered in AMBIGUOUS:
        return not value.isdecimal()
    if lowered in WAYS:
        return value.lower() in CHANNELS
    variants = VARIANTS.get(lowered)
    return variants is not None and value.lower() in variants

"""Which parts of an address name the way to a page and not the page: tracking parameters, mobile and AMP marks."""

from collections.abc import Mapping

TRACKING_PREFIXES = (
    "utm_", "utm-", "pk_", "piwik_", "matomo_", "mtm_", "hsa_", "at_", "ns_", "guce_", "fb_", "__cft__", "__hs", "_hs",
    "ga_", "wt.", "wt_", "oly_", "vero_", "trk_", "cm_mmc", "amp_", "cmpid", "spm", "share_", "itm_", "mkt_", "xtor",
)  # fmt: skip
TRACKING = frozenset(
    """
    fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid li_fat_id igshid igsh mibextid rdid epik
    mc_cid mc_eid _ga _gl _hsenc _hsmi hsctatracking mkt_tok rb_clickid s_cid s_kwcid ef_id ncid icid ito ocid cvid
    ref ref_ ref_src ref_url referer referrer refid cmp cmpid campaign campaign_id campaignid adgroupid adid
    smid smtyp smprod partner sr_share soc_src soc_trk tsrc taid guccounter feature si isappinstalled nsukey sharer
    share shared sharetype share_from share_token from_share trk trkcampaign trackid tracking tracking_id dicbo
    action_object_map action_type_map action_ref_map fref hc_ref __tn__ __twitter_impression __s _openstat yadclid
    irclickid irgwc wickedid vgo_ee srsltid usqp amp ampmode gaa_at gaa_n gaa_ts gaa_sig phpsessid jsessionid
    aspsessionid sessionid session_id cid_source rss_id rssfeed ftag ftcamp intcmp int_cmp int_source int_medium
    int_campaign wpisrc wpmm emc edition_id gift unlocked_article_code otc mbid cn-track cndid esrc xid
    algo_pvid _branch_match_id _branch_referrer sfmc_id sfmc_sub elqtrackid elqtrack assetid assettype timeline
    scene subscene clicktime enterid sessionfrom chksm mpshare srcid pass_ticket wx_header tdsourcetag weibo_id
    """.split()
)
# These name content on some sites, so they are dropped only with a value that tells where the reader came from.
CHANNELS = frozenset(
    """
    rss feed rssfeed feedburner twitter x facebook fb instagram linkedin whatsapp telegram wechat weibo tiktok reddit
    email e-mail mail newsletter social share app mobile android ios homepage home push notification copy copylink
    google googlenews news-google msn yahoo line timeline singlemessage groupmessage
    """.split()
)
WAYS = frozenset({"source", "src", "from", "via", "medium", "origin", "platform", "channel"})
MOBILE_OR_AMP: Mapping[str, frozenset[str]] = {
    "m": frozenset({"", "0", "1", "true"}),
    "mobile": frozenset({"", "0", "1", "true", "yes", "on"}),
    "amp": frozenset({"", "0", "1", "true", "yes"}),
    "output": frozenset({"amp"}),
    "outputtype": frozenset({"amp"}),
    "view": frozenset({"amp", "mobile"}),
    "display": frozenset({"amp", "mobile"}),
    "format": frozenset({"amp"}),
    "type": frozenset({"amp"}),
}
VARIANT_LABELS = frozenset({"www", "www1", "www2", "www3", "m", "mobile", "amp", "wap", "touch"})
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
    if lowered in TRACKING or lowered.startswith(TRACKING_PREFIXES) or lowered == "_":
        return True
    if lowered in WAYS:
        return value.lower() in CHANNELS
    variants = MOBILE_OR_AMP.get(lowered)
    return variants is not None and value.lower() in variants

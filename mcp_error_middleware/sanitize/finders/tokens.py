"""Text in, keys and tokens with a documented shape out.

A row is what a vendor documents, a little wider: lengths change, prefixes stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import (
    CUT_OFF,
    LONG,
    MARK,
    Finder,
    Pattern,
    Span,
    View,
    matches,
    table,
)
from mcp_error_middleware.sanitize.words import wordiness


class Body(NamedTuple):
    """What follows a prefix."""

    regex: str
    sample: str


# Made up, and put together where they are used: no scanner shall take this file for a leak.
_ANY: Final = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
_HEX: Final = "3f9c2a7e1b40d85c6e7f8091a2b3c4d5"
_UUID_SHAPE: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_UUID: Final = "8ab976e6-64bc-4b38-98f7-731e7a349970"


def _repeated(sample: str, length: int) -> str:
    return (sample * (length // len(sample) + 1))[:length]


def _wide(least: int, most: int = 2000) -> Body:
    return Body(rf"[\w.+/=-]{{{least},{most}}}", _repeated(_ANY, least))


def _word(least: int, most: int = 2000) -> Body:
    return Body(rf"[\w-]{{{least},{most}}}", _repeated(_ANY, least))


def _plain(least: int, most: int = 600) -> Body:
    return Body(rf"[A-Za-z0-9]{{{least},{most}}}", _repeated(_ANY, least))


def _capital(least: int, most: int = 90) -> Body:
    return Body(rf"[A-Z0-9]{{{least},{most}}}(?![A-Za-z0-9])", _repeated(_ANY.upper(), least))


def _hex(least: int, most: int = 600) -> Body:
    return Body(rf"[A-Fa-f0-9]{{{least},{most}}}(?![A-Za-z0-9])", _repeated(_HEX, least))


def _then(*bodies: Body | str) -> Body:
    """Bodies one after the other, with what stands between them."""
    parts = [Body(re.escape(body), body) if isinstance(body, str) else body for body in bodies]
    return Body("".join(part.regex for part in parts), "".join(part.sample for part in parts))


# A digit or a capital within reach: `sk-learn-contrib` is a name.
_MIXED: Final = Body(r"(?!ecdsa-|ssh-)(?=[a-z_-]{0,60}[A-Z0-9])[\w-]{16,2000}", "proj-" + _ANY)

SHAPES: Final[tuple[tuple[str, Body, str, str], ...]] = (
    # Language models and search for them
    ("sk-", _MIXED, "token", "pip install sk-learn-contrib-extras-package"),
    ("sess-", _plain(32), "token", "sess-expired"),
    (
        "md-",
        Body(r"(?=[a-z_-]{0,21}[A-Z])(?=[A-Za-z_-]{0,21}\d)[\w-]{22}(?![\w-])", _ANY[:22]),
        "key",
        "md-5-of-the-same-file-no-2",
    ),
    ("gsk_", _plain(20), "token", "gsk_models"),
    ("xai- pplx-", _plain(20), "token", "xai-grok-beta and pplx-70b-online"),
    ("r8_", _plain(20), "token", "r8_g8_b8"),
    ("hf_ api_org_", _plain(20), "token", "hf_hub_download"),
    ("AIza", _word(30, 60), "key", "AIzable"),
    ("nvapi- tvly-", _word(20), "key", "nvapi-docs"),
    ("pcsk_ tgp_v1_", _word(20), "key", "pcsk_id"),
    ("fw_ jina_", _plain(20), "key", "fw_version and jina_embeddings"),
    ("fc-", _hex(32), "key", "fc-barcelona"),
    (
        "BSA",
        Body(r"(?=[A-Za-z_-]{0,28}\d)(?=[A-Z0-9_-]{0,28}[a-z])[\w-]{27,30}(?![\w-])", _ANY[:28]),
        "key",
        "BSA accreditation and BSAfety",
    ),
    ("lsv2_pt_ lsv2_sk_", _word(20), "key", "lsv2_pt_format"),
    ("sk-lf- pk-lf-", _word(20), "key", "crlf-lf-mode"),
    ("ABSK", _wide(40), "key", "ABSKY"),
    ("bedrock-api-key-", _wide(20), "key", "bedrock-api-key-name"),
    ("csk-", _plain(40), "key", "csk-format"),
    ("crsr_ wandb_v1_", _word(32), "key", "crsr_position"),
    ("bb_live_ bb_test_ e2b_", _word(24), "key", "bb_live_mode and e2b_sandbox"),
    ("pa-", Body(r"(?=[a-z_-]{0,40}[A-Z0-9])[\w-]{40,60}(?![\w-])", _repeated(_ANY, 43)), "key", "pa-rt"),
    # Source forges and packages
    ("ghp_ gho_ ghu_ ghs_ ghr_", _plain(20), "token", "the ghp_import tool"),
    ("github_pat_", _word(20), "token", "github_pat_expired"),
    ("glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glwt-", _wide(18), "token", "glpat-token"),
    ("glagent- gloas- glsoat- glffct-", _wide(18), "token", "glagent-config"),
    ("GR1348941", _word(20), "token", "GR1348941"),
    ("npm_", _plain(30), "token", "npm_config_registry"),
    ("pypi-", _word(40), "token", "pypi-server"),
    ("rubygems_", _hex(32), "key", "rubygems_mirror"),
    ("dckr_pat_ dckr_oat_", _word(20), "token", "dckr_pat_x"),
    ("CLOJARS_", _plain(40), "token", "CLOJARS_USERNAME"),
    ("cio", _then(_plain(32, 40)), "token", "ciospecification"),
    ("oy2", _then(Body(r"[a-z0-9]{43}", _repeated(_HEX, 43))), "key", "oy2 is a word"),
    ("sgp_", _word(30), "token", "sgp_local"),
    ("slk_", _hex(64, 64), "token", "slk_config"),
    ("hawk.", _then(_word(20, 20), ".", _word(20, 20)), "key", "hawk.config"),
    ("VF.DM. VF.WS.", _then(_hex(24, 24), ".", _plain(16, 16)), "key", "VF.DM.x"),
    ("1000.", _then(_hex(32, 32), ".", _hex(32, 32)), "token", "1000.5"),
    ("da2-", Body(r"[a-z0-9]{26}(?![\w-])", _HEX[:26]), "key", "da2-release"),
    ("pub-c- sub-c-", Body(rf"{_UUID_SHAPE}(?![\w-])", _UUID), "key", "pub-c-channel"),
    ("sec-c-", _wide(40, 60), "key", "sec-c-channel"),
    ("px-dep- px-api-", Body(_UUID_SHAPE, _UUID), "key", "px-api-client"),
    ("AKCp AKCa AKC5 AKC8 cmVmd", _plain(50), "key", "AKCp8"),
    ("squ_ sqp_ sqa_", _hex(40), "token", "squ_id"),
    ("bkua_", _plain(30), "token", "bkua_x"),
    ("ddp_ ddo_ hbp_ nbp_ hxtp_", _plain(30), "token", "ddp_config"),
    ("depot_org_ depot_project_ depot_ci_", _hex(40), "token", "depot_org_id"),
    ("plane_api_ rootly_ gb_api_ n8n_api_", _plain(30), "key", "plane_api_client"),
    ("chpt_", _hex(12), "token", "chpt_list"),
    ("CCIPAT_ CCIPRJ_", _word(20), "token", "CCIPAT_id"),
    ("ATATT3 ATCTT3 ATSTT3 ATBB", _wide(20), "token", "ATATT3"),
    # Clouds and hosting
    (
        "AKIA ASIA ABIA ACCA AROA AIDA AGPA ANPA APKA",
        _capital(16, 24),
        "key",
        "ASIA region and the AIDA model",
    ),
    ("A3T", _capital(17, 25), "key", "A3TX"),
    ("LTAI", _plain(12, 30), "key", "LTAI is short"),
    ("AKID", _plain(13, 40), "key", "AKID missing"),
    ("AQVN AQVS AQV y0_", _word(35), "token", "y0_axis"),
    ("ya29.", _wide(12), "token", "ya29"),
    ("1//0", _word(20), "token", "1//01"),
    ("4/0A", _word(20), "token", "4/0Ab"),
    ("GOCSPX-", _word(20), "secret", "GOCSPX-"),
    ("GOOG1", _capital(18), "key", "GOOGLE_APPLICATION_CREDENTIALS"),
    ("dop_v1_ doo_v1_ dor_v1_", _hex(32), "token", "dop_v1_beta"),
    ("hvs. hvb. hvr.", _word(20), "token", "hvs.example"),
    ("HRKU-", _word(20), "token", "HRKU-1"),
    ("AVNS_", _word(15), "password", "AVNS_MODE"),
    ("fo1_ fm1a_ fm1r_ fm2_", _wide(30), "token", "fm2_radio"),
    ("nfp_ nfc_ nfb_ nfo_ nfu_", _plain(30), "token", "nfp_rules"),
    ("vcp_ vci_ vca_ vcr_ vck_", _plain(20), "token", "vcp_player"),
    ("rnd_", _plain(24), "key", "rnd_seed"),
    ("pul-", _hex(32), "token", "pul-request"),
    ("sdk- mob- api-", Body(rf"{_UUID_SHAPE}(?![\w-])", _UUID), "key", "sdk-version and api-gateway"),
    ("xaat- xapt-", Body(_UUID_SHAPE, _UUID), "token", "xaat-1"),
    ("signkey-prod- signkey-test- signkey-branch-", _hex(32), "key", "signkey-prod-id"),
    (
        "st.",
        _then(Body(r"[0-9a-f-]{24,36}", _HEX[:24]), ".", _hex(32), ".", _hex(32)),
        "token",
        "st.cache_data",
    ),
    ("wk-1.", _hex(40), "key", "wk-1.0"),
    (
        "ak- as-",
        Body(r"(?=[a-z]{0,20}[A-Z0-9])[A-Za-z0-9]{22}(?![\w-])", _ANY[:22]),
        "key",
        "as-is and ak-nowledged",
    ),
    ("ak_", Body(r"(?=[a-z]{0,20}[A-Z0-9])[A-Za-z0-9]{20,40}(?!\w)", _ANY), "key", "ak_status"),
    ("fhb-", _hex(32, 64), "token", "fhb-x"),
    ("endr+", _plain(16), "token", "endr+x"),
    (
        "perm:",
        Body(r"[\w+/]{4,60}={0,2}\.[\w+/=]{2,80}\.[\w+/]{20,80}", f"Ym9i.UFBT.{_ANY}"),
        "token",
        "perm:read.all.x",
    ),
    ("pscale_tkn_ pscale_oauth_ pscale_pw_", _wide(20), "password", "pscale_pw_id"),
    ("sbp_ sb_secret_", _wide(20), "key", "sbp_local"),
    ("dapi", Body(r"[a-f0-9]{30,40}(?:-\d)?", _HEX), "token", "dapi"),
    ("dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", _wide(20), "token", "dp.pt.x"),
    ("sha256~", _word(30), "token", "sha256~"),
    ("AGE-SECRET-KEY-1", _capital(20), "key", "AGE-SECRET-KEY-1"),
    ("v1.0-", _then(_hex(24, 24), "-", _hex(60, 200)), "key", "v1.0-beta"),
    ("4b1d", Body(r"[A-Za-z0-9]{38}\b", _repeated(_ANY, 38)), "key", "4b1d"),
    ("SWMTKN-1- SWMKEY-1-", _word(20), "token", "SWMTKN-1-x"),
    ("napi_ npg_", _plain(12), "password", "npg_users and napi_status"),
    ("dose dkea", _hex(32, 36), "secret", "dosed"),
    ("amzn1.oa2-cs.v1. amzn.mws.", _wide(32), "secret", "amzn.mws.id"),
    ("tskey-", Body(r"[a-z]{3,10}-[\w-]{10,200}", "auth-" + _ANY), "key", "tskey-auth-x"),
    ("p8e-", _plain(30), "secret", "p8e-1"),
    ("phc_ phx_ phs_", _plain(30), "key", "phx_airport"),
    ("sntrys_ sntryu_", _wide(30), "token", "sntryu_x"),
    ("glc_ glsa_", _wide(20), "token", "glsa_admin"),
    ("eyJrIjoi", _wide(30), "key", "eyJrIjoi"),
    ("NRAK- NRRA- NRII- NRIQ- NRJS- NRAL- NRIL- NRBR- NRAA-", _word(20), "key", "NRAK-1"),
    ("rdme_", _plain(40), "key", "rdme_docs"),
    ("ico-", _plain(32, 32), "key", "ico-file"),
    ("pnu_ pnb_", _plain(30), "key", "pnu_id"),
    ("tk-us-", _word(30), "token", "tk-us-east"),
    ("API-", _capital(24, 34), "key", "API-VERSIONS and API-KEY"),
    ("lin_api_ lin_oauth_ lin_wh_", _plain(20), "key", "lin_api_client"),
    ("ops_eyJ", _wide(20), "token", "ops_eyJ"),
    # Chat and mail
    ("xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.", _wide(12), "token", "xoxb-token"),
    ("xapp- xwfp-", _then(Body(r"\d-", "1-"), _word(10)), "token", "xapp-launcher"),
    ("SG.", _then(_word(16, 32), ".", _word(30, 64)), "key", "SG.Singapore"),
    ("key-", _hex(32, 32), "key", "key-value-store"),
    ("xkeysib- xsmtpsib-", _word(40), "key", "xkeysib-"),
    ("re_", _then(_plain(8, 12), "_", _plain(20, 40)), "key", "re_compile_pattern_with_flags"),
    ("KEY0", Body(r"[0-9A-F]{20,40}(?:_\w{10,40})?(?!\w)", _repeated(_HEX.upper(), 28)), "key", "KEY0"),
    ("mlsn.", _plain(30), "token", "mlsn.id"),
    ("SK AC", _hex(32, 32), "key", "ACME"),
    # Payment and commerce
    ("sk_sbox_ pk_sbox_", _word(20), "key", "sk_sbox_mode"),
    ("sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_", _plain(10), "key", "sk_live_mode"),
    (
        "sk_",
        Body(rf"(?:(?=[a-z]{{0,20}}[A-Z0-9])[A-Za-z0-9]{{24,64}}(?!\w)|{_UUID_SHAPE})", _ANY),
        "key",
        "sk_buff_allocation",
    ),
    (
        "creem_ creem_test_ creem_live_ retool_01",
        Body(r"(?=[a-z]{0,20}[A-Z0-9])[A-Za-z0-9]{20,64}(?!\w)", _ANY),
        "key",
        "creem_product_id and retool_01.png",
    ),
    ("pk_test_ pk_live_ ak_test_ ak_live_", _word(20), "key", "pk_live_mode"),
    ("whsec_", _wide(16), "secret", "whsec_missing"),
    ("shpat_ shpca_ shppa_ shpss_ shptka_", _plain(30), "token", "shpat_scope"),
    ("sq0atp- sq0csp- sq0idp- sq0atb- EAAA", _word(20), "token", "sq0atp-"),
    ("FLWSECK- FLWSECK_TEST- FLWPUBK- FLWPUBK_TEST-", _word(12), "key", "FLWSECK_TEST-"),
    ("rzp_live_ rzp_test_", _plain(10), "key", "rzp_live_mode"),
    (
        "access-sandbox- access-development- access-production-",
        Body(r"[\w-]{30,60}", _UUID),
        "token",
        "access-control",
    ),
    ("shippo_live_ shippo_test_", _hex(30), "token", "shippo_live_rates"),
    ("EZAK EZTK", _plain(40), "key", "EZAK1"),
    ("duffel_test_ duffel_live_", _word(30), "token", "duffel_live_x"),
    ("live_ test_", _hex(32, 64), "key", "test_something_in_the_module_works_as_told"),
    ("live_pub_ test_pub_", _hex(31, 35), "key", "live_pub_quiz"),
    ("access_token$production$ access_token$sandbox$", _word(16), "token", "access_token$"),
    ("A21AA", _word(40), "token", "A21AA"),
    ("xnd_production_ xnd_development_", _word(20), "key", "xnd_production_x"),
    # Work tools
    ("ATTA", _hex(60), "token", "ATTACH"),
    ("dG9rO", _wide(30), "token", "dG9rO"),
    ("ntn_ secret_", _plain(30, 60), "token", "secret_santa"),
    ("figd_ figo_ figr_ figu_ figa_", _word(20), "token", "figd_id"),
    ("PMAK-", _word(30), "key", "PMAK-1"),
    ("pat", _then(_plain(14, 14), ".", _hex(40, 80)), "token", "pattern.example"),
    ("pat-na1- pat-na2- pat-eu1- pat-ap1-", Body(r"[\w-]{20,60}", _UUID), "token", "pat-na1-"),
    ("pat. sat.", _then(_word(20, 24), ".", _word(20, 26), ".", _word(18, 22)), "token", "pat.config"),
    ("tfp_ CTA-", _word(30), "token", "tfp_form"),
    ("aio_", _plain(24), "key", "aio_pika"),
    ("CFPAT-", _word(30), "token", "CFPAT-1"),
    ("EAA", _plain(60), "token", "EAAL"),
    ("IGQV IGAA", _word(40), "token", "IGQV"),
    ("AQ", Body(r"[A-Z][\w-]{80,600}", "X" + _repeated(_ANY, 80)), "token", "AQX"),
    ("sl.u. sl.", _word(40), "token", "sl.configuration"),
    ("pk.eyJ sk.eyJ tk.eyJ", _wide(20), "token", "pk.eyJ"),
    ("fio-u-", _word(40), "token", "fio-u-1"),
    ("BBDC- BBFF-", _word(20), "token", "BBDC-1"),
    ("apify_api_", _plain(20), "token", "apify_api_client"),
    ("u+", Body(r"[A-Za-z0-9][\w+/=-]{17,100}", _ANY), "token", "U+0041 is a letter"),
    ("cal_ cal_live_", _hex(32), "key", "cal_live_event"),
    ("sm_aat_ sm_pat_ sm_sat_", _plain(16), "token", "sm_pat_x"),
    ("s-s4t2ud- s-s4t2af-", _hex(60), "secret", "s-s4t2ud-"),
)
"""Prefixes, what follows them, the kind, and what looks alike but stays."""


_FREE: Final = "(?<![A-Za-z0-9])"


def _pattern(prefixes: str, body: Body, kind: str, near_miss: str) -> Pattern:
    names = prefixes.split()
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    # Where two halves make a credential, the other one follows: `AKIA…:secret`.
    regex = lazy(rf"{_FREE}(?:{longest_first}){body.regex}(?::[\w+/=-]{{16,100}}(?![\w:]))?")
    literals = tuple(name.lower() for name in names)
    return Pattern(kind, regex, literals, f"rejected {names[0]}{body.sample} today", near_miss)


def _irregular(kind: str, regex: str, literals: tuple[str, ...], example: str, near_miss: str) -> Pattern:
    return Pattern(kind, lazy(_FREE + regex), literals, example, near_miss)


TOKENS: Final = (
    *(_pattern(*shape) for shape in SHAPES),
    _irregular(
        "jwt",
        r"ey[A-Z][\w-]{6,4000}\.(?:[\w-]{2,8000}|(?=\.[\w-]{8}))(?:\.[\w-]{0,4000}){0,4}",
        ("ey",),
        "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "eyeglasses.example",
    ),
    _irregular(
        "jwt",
        r"ey(?:JhbGci|J0eXAi|JraWQi|JlbmMi|JjdHki|JqdGki|JpYXQi|JleHAi|JzdWIi|Jpc3Mi)[\w-]{4,8000}",
        ("eyj",),
        "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
        "the eyJ prefix",
    ),
    _irregular(
        "token",
        r"\d{8,10}:A(?:[\w-]{30,40}|A[\w-]{12,29}(?![\w-]))",
        (":a",),
        f"bot 1234567890:AA{_repeated(_ANY, 33)}",
        "at 12345678:A",
    ),
    _irregular("token", r"Atz[ar]\|[\w+/=-]{40,2000}", ("atz",), f"Atza|{_repeated(_ANY, 60)}", "Atza|b"),
    _irregular("key", rf"{_UUID_SHAPE}:[a-f0-9]{{32}}(?!\w)", (":",), f"{_UUID}:{_HEX}", f"{_UUID}:0"),
    _irregular(
        "token",
        r"K10[0-9a-f]{48,80}::\w{1,20}:\w{8,80}",
        ("k10",),
        f"K10{_HEX}{_HEX}::server:{_HEX}",
        "K10 is a peak",
    ),
    _irregular("token", r"pk_\d{4,12}_[A-Z0-9]{32}", ("pk_",), f"pk_1234567_{_ANY.upper()}", "pk_1_ID"),
    _irregular("token", r"\d{15,16}(?:\||%7C)[\w-]{25,45}", ("|", "%7c"), f"123456789012345|{_ANY}", "a | b"),
    _irregular(
        "token",
        r"[12]/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32}",
        ("1/", "2/"),
        f"1/1200000000000001:{_HEX}",
        "1/2024",
    ),
    _irregular(
        "token",
        r"00[A-Za-z0-9][\w-]{39}(?![\w-])",
        ("00",),
        f"SSWS 00{_repeated(_ANY, 40)}",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ),
    _irregular(
        "token",
        r"[sbr]\.(?=[a-z]{0,25}[A-Z0-9])[A-Za-z0-9]{24,26}\b",
        ("s.", "b.", "r."),
        f"vault s.{_ANY[:24]}",
        "s.configuration_of_the_module_loader",
    ),
    _irregular(
        "token",
        r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,100}",
        (".atlasv1.",),
        f"{_ANY[:14]}.atlasv1.{_repeated(_ANY, 67)}",
        "x.atlasv1.y",
    ),
    _irregular(
        "token",
        r"t1\.[\w-]{8,400}={0,2}\.[\w-]{35,250}",
        ("t1.",),
        f"t1.{_ANY}.{_repeated(_ANY, 86)}",
        "t1.micro",
    ),
    _irregular(
        "token",
        r"dt0[a-z]\d\d\.[A-Z0-9]{8,40}\.[A-Z0-9]{30,90}",
        ("dt0",),
        f"dt0c01.{_ANY[:24].upper()}.{_repeated(_ANY.upper(), 64)}",
        "dt0c01.X",
    ),
    _irregular(
        "secret",
        r"[\w~.-]{0,3}[0-9]Q~[\w~.-]{10,60}",
        ("q~",),
        f"abc8Q~{_ANY}",
        "the Q~ mark",
    ),
    _irregular(
        "secret",
        r"(?:pi|seti|cs|src|sub)_\w{8,80}_secret_[A-Za-z0-9]{10,60}",
        ("_secret_",),
        f"pi_{_ANY[:24]}_secret_{_ANY[:25]}",
        "the_secret_garden",
    ),
    _irregular("key", r"[a-f0-9]{30,40}(?:FFFF)?NRAL\b", ("nral",), f"{_HEX}FFFFNRAL", "NRAL"),
    _irregular("key", r"[a-f0-9]{32}-us\d{1,2}\b", ("-us",), f"{_HEX}-us12", "en-us12"),
    _irregular(
        "key", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", ("_mmk",), f"{_ANY[:6]}_{_ANY[:29]}_mmk", "a_mmk"
    ),
    _irregular(
        "key",
        r"(?=[A-Z-]{0,28}\d)[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![\w-])",
        ("-",),
        "license " + "HNRSM-9G5US-33S3Y-4XQOB-UYLKF",
        "HELLO-WORLD-12345",
    ),
    _irregular(
        "key",
        r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![\w-])",
        ("-",),
        f"{_HEX}-{_HEX[:8]}-{_HEX[8:16]}",
        "a-b",
    ),
    _irregular(
        "key", r"[a-f0-9]{24}:[a-f0-9]{64}(?!\w)", (":",), f"{_HEX[:24]}:{_HEX}{_HEX}", f"{_HEX[:24]}:0"
    ),
    _irregular(
        "key",
        r"(?=[a-z-]{0,20}[A-Z0-9])[\w-]{20}:(?=[a-z]{0,20}[A-Z0-9])[\w-]{22}(?![\w:-])",
        (":",),
        "VuaCfGcBCdbkQm-e5aOx:" + "ui2lp2axTNmsyakw9tvNnQ",
        "configuration-option:internationalization",
    ),
    _irregular(
        "key",
        # What a key says of itself, whoever gave it out: where it counts, and what it is for.
        r"(?<![\w-])(?:(?:live|test|prod|production|sandbox|access|secret|apikey|key)_"
        r"|[a-z][a-z0-9]{1,14}_(?:api|apikey|secret|pat|oat|oauth|token|sk)_)"
        r"(?=[A-Za-z]{0,24}\d)(?=[a-z0-9]{0,24}[A-Z])(?=[A-Z0-9]{0,24}[a-z])"
        rf"(?:[A-Za-z0-9]{{26,128}}(?!\w)|[A-Za-z0-9]{{14,25}}(?=[ ]?(?:{MARK})|\s*\Z))",
        (
            "live_",
            "test_",
            "prod_",
            "production_",
            "sandbox_",
            "access_",
            "secret_",
            "key_",
            "_api_",
            "_pat_",
            "_oat_",
            "_oauth_",
            "_token_",
            "_sk_",
        ),
        f"rejected live_{_ANY[:30]}",
        "test_users_can_log_in_2024 and access_denied",
    ),
    _irregular(
        "key",
        r"(?:key|web|app|ios|android)_[a-f0-9]{40,128}(?!\w)",
        ("_",),
        f"rejected key_{_HEX}{_HEX}",
        "key_value",
    ),
    _irregular(
        "key",
        r"A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5,6}){3,4}",
        ("a3-",),
        "A3-" + "ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB",
        "A3-PAPER-SIZE",
    ),
)

FAMOUS: Final = Pattern(
    "token",
    lazy(
        rf"{_FREE}(?:AKIA(?=[A-Z]{{0,15}}\d)[A-Z0-9]{{8,16}}"
        r"|(?:[sr]k_(?:live|test)_|sk-(?!ecdsa-|ssh-)(?:proj-|ant-|or-)?|gh[pous]_|github_pat_|gl(?:pat|[dr]t)-|xox[abp]-"
        r"|whsec_)(?:(?=[\w-]{0,40}[A-Za-z])(?=(?:[\w-]{0,40}?\d){3}|(?=[\w-]{0,40}\d)[\w-]{0,20}[a-z][A-Z])"
        r"[\w-]{6,2000}+|\d{10,40}(?!\w)))"
    ),
    ("sk_", "sk-", "rk_", "gh", "gl", "xox", "whsec_", "akia"),
    f"rejected sk_live_{_ANY[:4]}42 and sk-1234567890",
    "sk_live_mode, sk-SK, sk-utf8, xoxb-1 and github_pat_v2",
)
"""The best known ones, however short: they are also what people make up who have none at hand."""


def has_famous(lower: str) -> bool:
    """Whether the beginning of one is in the text."""
    return (
        # One by one: no loop is as quick.
        "sk-" in lower or "_pat_" in lower or "whsec_" in lower or "akia" in lower or "xox" in lower
        or ("k_" in lower and ("sk_" in lower or "rk_" in lower))
        or ("gh" in lower and ("ghp_" in lower or "gho_" in lower or "ghs_" in lower or "ghu_" in lower))
        or ("gl" in lower and ("glpat-" in lower or "gldt-" in lower or "glrt-" in lower))
    )  # fmt: skip


_LOOSE: Final = frozenset(("ey", "eyj", "q~", ".atlasv1.", ":a"))
"""Of those without a prefix, the ones that may have a dot or a colon every few characters."""
_regular: Final[Finder] = table(TOKENS[: len(SHAPES)])
_irregular_ones: Final[Finder] = table(TOKENS[len(SHAPES) :])
_loose: Final[Finder] = table(p for p in TOKENS[len(SHAPES) :] if p.literals[0] in _LOOSE)


def _beginning() -> str:
    """One pattern for the beginnings of all shapes, by their first letters."""
    prefixes = sorted({name for names, *_ in SHAPES for name in names.split()}, reverse=True)
    branches = [
        rf"{re.escape(letter)}(?:{'|'.join(re.escape(each[1:]) for each in group)})[\w.+/=-]{{9}}"
        for letter, group in groupby(prefixes, itemgetter(0))
    ]
    return rf"{_FREE}(?:{'|'.join(branches)})"


_BEGINNING: Final = lazy(_beginning())


def find(view: View) -> list[Span]:
    """Tokens by their shape; but for the best known, every one has a long run of token characters in it."""
    found = list(matches(FAMOUS, view.text)) if view.digits and has_famous(view.lower) else []
    if not view.is_long:
        return found
    has_solid, begins = _SOLID in view.lower.encode().translate(_SOLIDS), _BEGINNING.search(view.text)
    if not (has_solid or begins):
        return [*found, *_loose(view)]
    runs = view._replace(lower=_long_runs(view.lower))
    if begins:
        found += [*_regular(runs), *_cut_short(view.text)]
    return [*found, *(_irregular_ones(runs) if has_solid else _loose(runs))]


_COUNTED: Final = 9
"""Characters that `_BEGINNING` takes of what follows a prefix."""
_PLAIN_WORDS: Final = frozenset("api key live mob sdk secret test".split())
"""Prefixes that many other things have: `test_1a2b…`."""
_BODY: Final = lazy(r"[\w.+/=~-]{0,2000}+")


def _cut_short(text: str) -> Iterator[Span]:
    """Tokens with less behind their prefix than is documented, where somebody left out the rest."""
    for match in _BEGINNING.finditer(text):
        start, end = match.end() - _COUNTED, match.end()
        if rest := _BODY.match(text, start):
            end = start + len(rest[0].rstrip("."))
        prefix, body = text[match.start() : start], text[start:end]
        is_prefix = len(prefix) > 3 or not prefix[-1].isalnum() or len(body) >= len(LONG)
        is_word = prefix[:-1] in _PLAIN_WORDS and body.islower()
        if is_prefix and not is_word and _is_piece(body) and CUT_OFF.match(text, end):
            yield Span(match.start(), end, "token")


def _is_piece(body: str) -> bool:
    """Whether this can be a piece of a token: letters and digits, or letters put together as in no word."""
    letters, digits = (sum(map(test, body)) for test in (str.isalpha, str.isdigit))
    is_mixed = digits > 2 or body.lower() != body != body.upper()
    return len(body) >= 8 and letters > 1 and is_mixed and wordiness(body) < 0.55


_SOLID: Final = b"x" * 20
_SOLIDS: Final = bytes(120 if c > 127 or chr(c).isalnum() or c in b"_-" else 32 for c in range(256))
_CHARACTERS: Final = bytes(
    c if c > 127 or chr(c).isalnum() or c in b"_-.~+/=%:|$," else 32 for c in range(256)
)


def _long_runs(lower: str) -> str:
    """The runs that are long enough to be a token; no token begins anywhere else."""
    runs = lower.encode().translate(_CHARACTERS).split()
    return b" ".join(run for run in runs if len(run) > 15).decode()

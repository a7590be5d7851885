"""Credentials that say themselves what they are: a literal anchor, and a pattern that is tried at the anchor.

The anchors are case-sensitive. Every quantifier is bounded, so that no text takes more than linear time. Boundaries
are ASCII: a token glued to a Chinese word is found. The formats are those that the vendors publish.

Each rule carries its examples and counter-examples as templates, which the tests fill ("{36}" is 36 letters and
digits, "{16:BASE32}" names an alphabet): no literal secret stands in this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from attraj.secrets.quick.detector import Detector

Plausible = Callable[[str], bool]


_SHOWN = 200  # characters of a candidate that are looked at: a run of a thousand is judged by its beginning
_digit, _letter = re.compile("[0-9]").search, re.compile("[A-Za-z]").search
_upper, _lower = re.compile("[A-Z]").search, re.compile("[a-z]").search


def is_mixed(secret: str) -> bool:
    """Letters and digits, not a few characters over and over: what a generator makes and a person does not type."""
    start = secret[:_SHOWN]
    return _digit(start) is not None and _letter(start) is not None and len(set(start)) >= 8


def is_cased(secret: str) -> bool:
    """Upper and lower case: for tokens that may come without a digit."""
    start = secret[:_SHOWN]
    return _upper(start) is not None and _lower(start) is not None and len(set(start)) >= 8


def is_aws_secret(secret: str) -> bool:
    return is_mixed(secret) and is_cased(secret) and "EXAMPLE" not in secret


def is_aws_id(secret: str) -> bool:
    return is_mixed(secret) and not secret.endswith("EXAMPLE")


_TEMPLATE = re.compile(r"[${}<>%*]|^(?:x+|\.+)$", re.IGNORECASE)
_PLACEHOLDER_WORD = re.compile(
    r"(?:my|your|the|some|test|example|db|user|admin|root)?[-_]?(?:p[a@]ss(?:w(?:or)?d|wd|phrase)?|pw[d]?|secret|token|key|changeme|example)"
    r"[-_]?(?:here)?[0-9!]{0,3}",
    re.IGNORECASE,
)


def is_password(secret: str) -> bool:
    """Not a template, not a word that stands for a password, and of two sorts of characters at least."""
    if len(secret) < 6 or _TEMPLATE.search(secret) or _PLACEHOLDER_WORD.fullmatch(secret):
        return False
    sorts = (str.isdigit, str.islower, str.isupper, lambda c: not c.isalnum())
    return sum(any(map(sort, secret)) for sort in sorts) >= 2


def always(_secret: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class AnchoredRule:
    """One published credential format.

    Attributes:
        id, kind, noun, is_certain, gate: See `Detector`.
        literals: Where the pattern is tried.
        pattern: Must match from the literal on; its first group, when it has one, is the secret part.
        is_plausible: A last look at the secret part (without the literal), against placeholders.
        is_free_left: Whether anything may stand before it; otherwise no ASCII letter or digit.
        examples, counterexamples: Templates.
    """

    id: str
    kind: str
    noun: str
    literals: tuple[str, ...]
    pattern: str
    gate: str
    is_plausible: Plausible = is_mixed
    is_free_left: bool = False
    is_certain: bool = True
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()


_END = r"(?![A-Za-z0-9_])"

RULES: tuple[AnchoredRule, ...] = (
    AnchoredRule(
        "private-key",
        "PRIVATE_KEY",
        "a private key",
        ("-----BEGIN ",),
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]{0,20000}-----END [A-Z0-9 ]{1,60}-----|[A-Za-z0-9+/=\s\\]{0,20000})",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
        is_plausible=always,
        is_free_left=True,
        examples=(
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----BEGIN OPENSSH PRIVATE KEY-----\n{70}\n-----END OPENSSH PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\\n{64}\\n",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n{64}",
        ),
        counterexamples=(
            "-----BEGIN PUBLIC KEY-----\n{64}\n-----END PUBLIC KEY-----",
            "-----BEGIN CERTIFICATE-----",
            "----BEGIN PRIVATE KEY----",
        ),
    ),
    AnchoredRule(
        "aws-secret-key",
        "SECRET",
        "an AWS secret key",
        ("AKIA", "ASIA"),
        r"A[KS]IA[A-Z2-7]{16}[^A-Za-z0-9](?:[\s\S]{0,200}?[^A-Za-z0-9/+=])??([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        r"A[KS]IA[A-Z2-7]{16}",
        is_plausible=is_aws_secret,
        examples=(
            "AKIA{16:BASE32} {40:BASE64}",
            'aws_access_key_id = "ASIA{16:BASE32}"\naws_secret_access_key = "{40:BASE64}"',
        ),
        counterexamples=("AKIA{16:BASE32}", "AKIA{16:BASE32} {40:hex}", "AKIA{16:BASE32} {44:BASE64}"),
    ),
    AnchoredRule(
        "aws-access-key-id",
        "ACCESS_KEY_ID",
        "an AWS access key id",
        ("AKIA", "ASIA"),
        r"A[KS]IA[A-Z2-7]{16}" + _END,
        r"A[KS]IA[A-Z2-7]{16}",
        is_plausible=is_aws_id,
        is_certain=False,
        examples=("AKIA{16:BASE32}", "令ASIA{16:BASE32}牌"),
        counterexamples=("AKIA{15:BASE32}", "AKIA{17:BASE32}", "AKIA{9:BASE32}EXAMPLE", "XAKIA{16:BASE32}"),
    ),
    AnchoredRule(
        "github-token",
        "API_TOKEN",
        "a GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        # Open-ended: installation tokens are `ghs_<app id>_<JWT>`, about 520 characters with dots, since 2026-04.
        r"gh[pousr]_[A-Za-z0-9_.\-]{36,1000}",
        r"gh[pousr]_[A-Za-z0-9_.\-]{36}",
        examples=("ghp_{36}", "gho_{36}", "ghu_{36}", "ghr_{36}", "ghs_{36}", "ghs_{6:digits}_eyJ{60}.eyJ{300}.{90}"),
        counterexamples=("ghp_{20}", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xghp_{36}", "ghp_{36:lower}"),
    ),
    AnchoredRule(
        "github-fine-grained-token",
        "API_TOKEN",
        "a GitHub token",
        ("github_pat_",),
        r"github_pat_[A-Za-z0-9_]{50,255}",
        r"github_pat_[A-Za-z0-9_]{50}",
        examples=("github_pat_{22}_{59}",),
        counterexamples=("github_pat_{22}", "github_pat_" + 60 * "x"),
    ),
    AnchoredRule(
        "gitlab-token",
        "API_TOKEN",
        "a GitLab token",
        ("glpat-",),
        r"glpat-[A-Za-z0-9_.\-]{20,300}",
        r"glpat-[A-Za-z0-9_.\-]{20}",
        examples=("glpat-{20}", "glpat-{27}.{2:lower}.{9}"),
        counterexamples=("glpat-{12}", "glpat-xxxxxxxxxxxxxxxxxxxx"),
    ),
    AnchoredRule(
        "slack-token",
        "API_TOKEN",
        "a Slack token",
        ("xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"),
        r"xox[a-eoprs]-[A-Za-z0-9%\-]{20,400}",
        r"xox[a-eoprs]-[A-Za-z0-9%\-]{20}",
        examples=("xoxb-{12:digits}-{12:digits}-{24}", "xoxp-{11:digits}-{11:digits}-{12:digits}-{32:hex}"),
        counterexamples=("xoxb-{8}", "xoxz-{40}", "xoxb-your-token-goes-here-please"),
    ),
    AnchoredRule(
        "anthropic-key",
        "API_TOKEN",
        "an Anthropic key",
        ("sk-ant-",),
        r"sk-ant-[a-z]{2,10}[0-9]{2}-[A-Za-z0-9_\-]{32,300}",
        r"sk-ant-[a-z]{2,10}[0-9]{2}-[A-Za-z0-9_\-]{32}",
        examples=("sk-ant-api03-{93}AA", "sk-ant-oat01-{95}", "sk-ant-admin01-{93}"),
        counterexamples=("sk-ant-api03-{8}", "sk-ant-{95:lower}", "sk-ant-api03-" + 40 * "x"),
    ),
    AnchoredRule(
        "openai-key",
        "API_TOKEN",
        "an OpenAI key",
        ("sk-",),
        r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{40,400}|or-v1-[0-9a-f]{64}|[A-Za-z0-9]{32,200})",
        r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{40}|or-v1-[0-9a-f]{64}|[A-Za-z0-9]{32})",
        examples=("sk-{20}T3BlbkFJ{20}", "sk-proj-{74}T3BlbkFJ{74}", "sk-svcacct-{120}", "sk-{32:hex}", "令sk-{48}牌"),
        counterexamples=(
            "sk-container-id-12-estimator-doc-link-fitted",
            "task-{40}",
            "sk-proj-{12}",
            "sk-" + 48 * "x",
        ),
    ),
    AnchoredRule(
        "google-api-key",
        "API_TOKEN",
        "a Google API key",
        ("AIza",),
        r"AIza[A-Za-z0-9_\-]{35}" + _END,
        r"AIza[A-Za-z0-9_\-]{35}",
        examples=("AIza{35}", "key=AIza{35}&q=tide"),
        counterexamples=("AIza{34}", "AIza{36}", "BAIza{35}"),
    ),
    AnchoredRule(
        "stripe-key",
        "API_TOKEN",
        "a Stripe key",
        ("sk_live_", "rk_live_"),
        r"[rs]k_live_[A-Za-z0-9]{20,250}",
        r"[rs]k_live_[A-Za-z0-9]{20}",
        examples=("sk_live_{24}", "rk_live_{99}"),
        counterexamples=("sk_test_{24}", "sk_live_{10}", "task_live_{24}"),
    ),
    AnchoredRule(
        "npm-token",
        "API_TOKEN",
        "an npm token",
        ("npm_",),
        r"npm_[A-Za-z0-9]{36}" + _END,
        r"npm_[A-Za-z0-9]{36}",
        examples=("npm_{36}", "//registry.npmjs.org/:_authToken=npm_{36}"),
        counterexamples=("npm_{35}", "npm_{37}", "npm_config_registry_and_the_rest_of_it_all"),
    ),
    AnchoredRule(
        "pypi-token",
        "API_TOKEN",
        "a PyPI token",
        ("pypi-AgEI",),
        r"pypi-AgEI[A-Za-z0-9_\-]{50,1000}",
        r"pypi-AgEI[A-Za-z0-9_\-]{50}",
        examples=("pypi-AgEIcHlwaS5vcmc{150}",),
        counterexamples=("pypi-AgEI{12}", "pypi-{60}"),
    ),
    AnchoredRule(
        "huggingface-token",
        "API_TOKEN",
        "a Hugging Face token",
        ("hf_",),
        r"hf_[A-Za-z0-9]{30,60}" + _END,
        r"hf_[A-Za-z0-9]{30}",
        is_plausible=is_cased,
        examples=("hf_{34}", "hf_{34:letters}"),
        counterexamples=("hf_hub_download_and_the_rest_of_it_all", "hf_{20}", "hf_{34:lower}", "hf_{70}"),
    ),
    AnchoredRule(
        "jwt",
        "JWT",
        "a JSON Web Token",
        ("eyJ",),
        r"eyJ[A-Za-z0-9_\-]{8,2000}\.eyJ[A-Za-z0-9_\-]{8,8000}\.[A-Za-z0-9_\-]{16,2000}",
        r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8}",
        examples=("eyJ{33}.eyJ{120}.{43}", "Bearer eyJ{17}.eyJ{40}.{86}"),
        counterexamples=("eyJ{33}", "eyJ{33}.{40}.{43}", "eyJ{33}.eyJ{40}", "keyJ{33}.eyJ{40}.{43}"),
    ),
    AnchoredRule(
        "url-password",
        "PASSWORD",
        "a password in a URL",
        ("://",),
        r"""://[^\s/?#@:"'<>\\]{0,64}:([^\s/?#@"'<>\\]{3,200})@[A-Za-z0-9\[]""",
        r""":\\?/\\?/[^\s/?#@:"'<>]*:[^\s/?#@"'<>]{3,}@""",
        is_plausible=is_password,
        is_free_left=True,
        examples=(
            "postgres://keeper:{12}@db.tide.example:5432/logs",
            "https://:{20}@10.0.0.7/x",
            "redis://a:tide-Gauge7@h",
        ),
        counterexamples=(
            "postgres://user:password@localhost/db",
            "postgres://user:${DB_PASSWORD}@localhost/db",
            "https://<user>:<password>@host",
            "https://tide.example:8443/x@y",
            "https://tide.example/a:{12}@b",
            "mysql://root:root@localhost",
        ),
    ),
)

# A token may follow an escape that is text here (JSON in JSON, a colour code, a percent escape) without a boundary.
_ENDS_ESCAPE = re.compile(
    r"(?:\\[nrtbfv0]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,16}m)\Z"
).search
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


def starts_at(text: str, at: int) -> bool:
    """Whether a token can start here: no ASCII letter or digit stands before it, unless it ends an escape."""
    return at == 0 or text[at - 1] not in _WORD or _ENDS_ESCAPE(text[max(0, at - 24) : at]) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def search(rule: AnchoredRule, text: str) -> Iterator[tuple[int, int]]:
    """The (start, end) of each match of one rule, found from its literals."""
    pattern = _compiled(rule.pattern)
    group = 1 if pattern.groups else 0
    for literal in rule.literals:
        at = text.find(literal)
        while at >= 0:
            after = at + len(literal)
            if rule.is_free_left or starts_at(text, at):
                match = pattern.match(text, at)
                if match is not None and rule.is_plausible(match[group].removeprefix(literal)):
                    yield match.span(group)
                    after = match.end()
            at = text.find(literal, after)


def detectors() -> tuple[Detector, ...]:
    """The rules as detectors, the most telling first."""
    return tuple(
        Detector(rule.id, rule.kind, rule.noun, rule.is_certain, rule.literals, rule.gate, partial(search, rule))
        for rule in RULES
    )

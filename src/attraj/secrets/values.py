"""What a value looks like: a secret, a placeholder, code. Entropy gates a rule here; it never finds anything alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable

_SHOWN = 200  # characters that are judged: a run of a thousand is known by its beginning

_digit, _letter = re.compile("[0-9]").search, re.compile("[A-Za-z]").search
_upper, _lower = re.compile("[A-Z]").search, re.compile("[a-z]").search


def entropy(value: str) -> float:
    """Shannon's, in bits a character."""
    shown = value[:_SHOWN]
    return -sum(n / len(shown) * math.log2(n / len(shown)) for n in Counter(shown).values()) if shown else 0.0


def vocabulary(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


# --- placeholders ----------------------------------------------------------------------------------------------------

# `<...>`, `${...}`, `$VAR`, `%VAR%` (of one case), `{{...}}`, `[...]`, masks, and what this tool writes itself.
_MARKED = re.compile(
    r"\$\{|\{\{|\}\}|^\$\(|\$\((?:[^()]{0,80}\)|$)|<%|%>|\*{3}|•{3}|…|\.{3,}|x{5}|X{5}|^<.*>$|^\$[A-Za-z_]\w*$|^%(?:[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*)%$|^\[.*\]$|^\{.*\}$|^@\w+@$"
    r"|%[sdr]$|%\([a-z_]+\)s|<[A-Z][A-Z_]{1,20}_[0-9]{1,9}>|^\$[0-9@*]$|\[A-Za-z|\[a-z0-9|\[0-9a-f|\\w[+*{]|\\d[+*{]|\\S[+*{]|^\#\{|^!(?:Ref|Sub|GetAtt|vault|secret|env)\b"
)
# Without one of these no mark is there, and most values have none: the alternatives above are tried at every place.
_may_be_marked = re.compile(r"[$%<{}\[\\*•…@!#]|\.{3}|x{5}|X{5}").search
_WORDS = re.compile(
    r"(?:^|[-_. ])(?:your|my|change[-_]?(?:me|it|this)|placeholder|redacted|example|dummy|sample"
    r"|insert|replace|todo|fake|mock|enter|some|foo|bar|baz|hidden|masked|removed|omitted"
    r"|secret[-_]?here|goes[-_]?here)(?:$|[-_. ])",
    re.IGNORECASE,
)
_NOTHING = vocabulary(
    "none null nil undefined true false yes no on off default empty str string text int integer bool boolean "
    "float bytes optional required any object dict list array number char varchar function self value values "
    "key token secret password passwd pass pwd user username admin root guest test testing login n/a na tbd xxx "
    "unknown missing invalid prompt env input print return await async new this get set type name here the and "
    "or not is was has with for from auto always never basic bearer digest passphrase credentials credential "
    "auth authentication authorization hash encrypted plaintext plain public private api apikey must should can "
    "cannot may will field option param parameter argument expired incorrect wrong correct changed reset forgot "
    "found failed ok error success valid varchar2 nvarchar passw0rd-field securestring secretstr secretbytes postgres "
    "file path url"
)


def is_placeholder(value: str) -> bool:
    """Whether it stands for a value instead of being one."""
    if len(value) < 64 and value.lower().strip("<>[]{}()\"'`.,:;!?*_\\ ") in _NOTHING:
        return True
    shown = value[:_SHOWN]
    if (_may_be_marked(shown) and _MARKED.search(shown) and not is_noise(shown)) or _WORDS.search(shown):
        return True
    return len(set(shown)) <= 2 or "EXAMPLE" in shown


_SIGNS = frozenset("!@#$%^&*()=+")


def is_noise(value: str) -> bool:
    """Drawn from letters, digits and signs, as keys of Django are: a mark of a placeholder in it is there by chance."""
    return len(value) >= 40 and " " not in value and len(_SIGNS.intersection(value)) >= 6 and entropy(value) >= 4.2


# --- what a rule may require -----------------------------------------------------------------------------------------


def is_mixed(value: str) -> bool:
    """Letters and digits, and not a few characters over and over: what a generator makes."""
    shown = value[:_SHOWN]
    return _digit(shown) is not None and _letter(shown) is not None and len(set(shown)) >= min(8, len(shown) // 2 + 1)


def is_cased(value: str) -> bool:
    """Upper and lower case: for tokens that may come without a digit."""
    shown = value[:_SHOWN]
    return _upper(shown) is not None and _lower(shown) is not None and len(set(shown)) >= 8


def is_random(value: str) -> bool:
    """Mixed, or of both cases: what a rule asks of the body of a token unless it says otherwise."""
    return is_mixed(value) or is_cased(value)


def is_varied(value: str) -> bool:
    """Not a few characters over and over; digits alone will do."""
    return len(set(value[:_SHOWN])) >= 5


_IDENTIFIER = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+[(\[]?|[A-Za-z_][\w.]*[(\[].*", re.S
).fullmatch
_wordy = re.compile(r"[A-Za-z]+(?:[-_. ][A-Za-z]+)*[-_]?[0-9]{0,2}").fullmatch
_PATH = re.compile(r"(?:~|\.{1,2})?[/\\](?!/)|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,16}://|\w+/\w+/|@[a-z]+/").match
_DIGEST = re.compile(r"(?:sha[0-9]{1,3}|md5)[-:~=]", re.IGNORECASE).match
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.+Z-]+)?").fullmatch
_CODE_NUMBER = re.compile(
    r"0x[0-9A-Fa-f]{1,8}[,;)/*]*\Z|[0-9]+(?:\.[0-9]+){2,3}\Z"
).match  # of a register, of a version
_NUMBER = re.compile(r"[-+]?[0-9][0-9_,.]*(?:[eE][-+]?[0-9]+)?|0x[0-9A-Fa-f]{1,8}").fullmatch


def is_wordy(value: str) -> bool:
    """Words, perhaps with a number of two digits behind them."""
    return _wordy(value) is not None


def is_code(value: str) -> bool:
    """A name, an attribute, a call: code that fetches a value."""
    return _IDENTIFIER(value) is not None and not (is_generated(value) or is_scrambled(value))


def is_generated(value: str) -> bool:
    """Digits strewn among letters, or cases mixed without words: no person chose these characters as a name."""
    digits = sum(map(str.isdigit, value[:64]))
    return digits >= 4 and len(re.findall(r"[A-Za-z][0-9]|[0-9][A-Za-z]", value[:64])) >= 4


def is_token(value: str) -> bool:
    """What a machine credential looks like, given that its name says that it is one."""
    if not (is_mixed(value) or is_scrambled(value)):
        return False  # asked first: it is what most values are not
    if value.startswith("arn:"):
        return False
    if len(value) < 12 or is_placeholder(value) or " " in value or _DIGEST(value) or _DATE(value) or _NUMBER(value):
        return False
    if _PATH(value) and not (is_generated(value) or is_scrambled(value) or _is_dense(value)):
        return False
    if is_code(value) or is_wordy(value):
        return len(value) >= 16 and value.isalnum() and is_scrambled(value)
    return is_mixed(value) or (value.isascii() and len(value) >= 16 and is_scrambled(value))


def is_scrambled(value: str) -> bool:
    """Cases that change more often than in camel case."""
    changes = len(re.findall(r"[a-z][A-Z]|[A-Z]{2}[a-z]", value[:64]))
    return is_cased(value) and changes * 5 >= min(len(value), 64)


def _is_dense(value: str) -> bool:
    """Base64 with a few slashes in it: longer than a path of so many different characters would be."""
    return len(value) >= 32 and is_cased(value) and is_mixed(value) and entropy(value) >= 4.4


# Of a literal: an attribute, a call, an index; and nothing behind it.
_QUOTED_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*|\([^()]*\)|\[[^\[\]]*\])+").fullmatch
_has_a_literal = re.compile(r"""\(["']""").search  # a call that is cut off at the quote of its argument
_no_path = re.compile(r"[!@$%^]").search


def is_quoted_password(value: str) -> bool:
    """A literal that may be a password: signs of code alone make no code of it, and signs of a path no path."""
    if is_password(value):
        return True
    if not 6 <= len(value) <= 64 or is_placeholder(value) or not (_digit(value) and _letter(value)):
        return False
    is_path = _PATH(value) is not None and not (value[0].isalnum() and _no_path(value) and "://" not in value)
    is_other = _QUOTED_CODE(value) or _PASSWORD_WORD(value) or _DIGEST(value) or _CODE_NUMBER(value)
    return not (is_path or is_other or " " in value or _has_a_literal(value))


_PASSWORD_WORD = re.compile(
    r"(?:my|your|the|some|test|db|user|admin|root|new|old|super|bad|good|wrong|right|invalid)?[-_]?"
    r"(?:p[a@]ss(?:w(?:or)?d|wd|phrase)?|pw[d]?|secret|token|key)[-_]?(?:here|hash|field|value|input|1|2|12|123|1234)?",
    re.IGNORECASE,
).fullmatch


def is_password(value: str) -> bool:
    """What a person or a machine may have chosen as a password, given that its name says that it is one."""
    if not 3 <= len(value) <= 256 or is_placeholder(value) or is_code(value) or _PASSWORD_WORD(value):
        return False
    if (_PATH(value) and not is_generated(value)) or _CODE_NUMBER(value):
        return False
    return not (_DIGEST(value) or value.startswith(("=", "(", "&", "|")))


def is_strong_password(value: str) -> bool:
    """A password of two sorts of characters at least: in prose and unquoted, where words stand."""
    if len(value) < 4 or not is_password(value):
        return False
    sorts = (_digit(value), _letter(value), re.search(r"[^\w\s.,:;'\"()-]", value), re.search(r"[a-z][A-Z]", value))
    return sum(sort is not None for sort in sorts) >= 2 or (_NUMBER(value) is not None and len(value) >= 4)


def is_basic(value: str) -> bool:
    """Base64 of "user:password"."""
    import base64
    import binascii

    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_" if set(value) & set("-_") else None)
        text = decoded.decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False
    return ":" in text and text.isprintable()


_mnemonic = re.compile(r"[a-z]{3,8}(?:\s{1,3}[a-z]{3,8}){11,23}").fullmatch
_NO_MNEMONIC = vocabulary("the and for are was has not you our its from been must your which their were")


def is_mnemonic(value: str) -> bool:
    """The words of a wallet: twelve to twenty-four in threes, of three to eight small letters, and no sentence."""
    if len(value) > 300 or _mnemonic(value) is None:
        return False
    words = value.split()
    return len(words) % 3 == 0 and _NO_MNEMONIC.isdisjoint(words)


def is_unwordy(value: str) -> bool:
    """More than words with a number behind them."""
    return not is_wordy(value)


_masked = re.compile(r"x{6}|X{6}|0{8}|\*{3}").search


def is_unmasked(value: str) -> bool:
    """No row of one character that stands for others, as in documentation."""
    return _masked(value) is None


def always(_value: str) -> bool:
    return True


REQUIREMENTS: dict[str, Callable[[str], bool]] = {
    "random": is_random,
    "mixed": is_mixed,
    "cased": is_cased,
    "varied": is_varied,
    "token": is_token,
    "password": is_password,
    "strong-password": is_strong_password,
    "basic": is_basic,
    "unwordy": is_unwordy,
    "unmasked": is_unmasked,
    "none": always,
}
"""What a rule of a pack may require of the secret part, by name."""

"""How a value is tied to the name beside it in a text, and what stands around both: the patterns of `assigned.py`."""

from __future__ import annotations

import re

from attraj.secrets.values import vocabulary

SAID = frozenset(
    {"password", "passwd", "pwd", "passphrase", "passcode", "密码", "口令", "パスワード", "пароль", "senha"}
)
IN_WORDS = frozenset({"op", "prose", "cell", "plist", "space", "dash", "below"})
NO_VALUE = 600  # characters
NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
# From the stem on: the rest of the name, then how the value is tied to it.
AFTER = re.compile(
    r"(?:密码|口令|密钥|令牌|パスワード|[Пп]ароль|contraseña|비밀번호|(?:身份证|护照|银行卡|电话|手机)(?:号码?)?"
    r"|[A-Za-z0-9_\-]{0,60}+(?:'s)?"
    r"(?:[ ](?:[Cc]ard|[Ll]icen[cs]e|[Ii]nsurance|[Nn]umber|NUMBER|[Nn]o|NO|[Nn]um|ID|id)\b\.?){0,2}+)"
    r"(?:"
    r"""(?P<pair>(?:\\?["']\s{0,8}[,;]?\s{0,8}|\r?\n[ ]{0,16})"""
    r"""\\?["']?(?:value|Value|VALUE|val|content)\\?["']?\s{0,4}[:=]\s{0,4})"""
    r"""|(?P<typed>(?:["'`\])*?!]{0,4}[ \t]{0,4}:[ \t]{0,4}(?:&(?:'static )?)?[A-Za-z_][\w.\[\]|<>]{0,40}"""
    r"""|\s?\{ ?get;[^}\n]{0,40}\})[ \t]{0,4}=[ \t]{0,4})(?=["'])"""
    r"""|(?P<form>["']\r?\n(?:Content-[^\n]{0,80}\n){0,2}\r?\n)"""
    r"""|(?P<fallback>["'`\])*]{0,4}[ \t]{1,4}(?:\|\||\?\?|or)[ \t]{1,4})(?=["'`])"""
    r"""|(?P<block>["'`\])*]{0,4}:[ \t]*[>|][+-]?[0-9]?[+-]?[ \t]*\r?\n[ \t]{1,24})"""
    r"""|(?P<below>["'`\])*]{0,4}[:：][ \t]*\r?\n[ \t]{0,24}(?=[!-~]{6,400}[ \t]*(?:\r|\n|\Z)))"""
    r"""|(?P<op>(?:\[\])?(?:[ ]for[ ](?:the[ ])?[\w@./'\[\]-]{1,40}(?:[ ][\w@./'-]{1,40}){0,2})?"""
    r"""\\?["'`\])*]{0,4}(?:[ ]\[(?:None|\*{4,20}\w{0,4})\])?[ \t]{0,30}"""
    r"""(?:=>|:=|\?=|={1,3}|(?<!\)[ ])->|→|[:：](?!:))"""
    r"""(?:</(?:b|strong|em|i|td|th|dt|label|span)>\s{0,8}(?:<(?:td|dd|span|code|tt|kbd|b)>)?)?[*`]{0,3}[ \t]{0,30})"""
    r"""|(?P<comma>["'][ \t]{0,4},\s{0,24})(?=["'])"""
    r"""|(?P<call>\([ \t]{0,4})(?=["'])"""
    r"""|(?P<plist></key>\s{0,20}<string>)"""
    r"""|(?P<xml>(?:\s[^<>\n]{0,160})?>)"""
    r"""|(?P<cell>[`*]{0,3}(?:[ \t]{1,20}\|[ \t]{0,20}|\|[ \t]{1,20})|\t[ \t]{0,20})"""
    r"""|(?P<prose>(?:[ ](?:for|of|to|on|in|at)[ ][\w@.'/-]{1,40}(?:[ ][\w@.'/-]{1,40}){0,3})?"""
    r"""[ ](?:is|was|are|=|will be|set to|changed to|to|lautet|ist|es|est|é)[ ]?:?[ ]?)"""
    r"""|(?P<chinese>[ ]?(?:是|为|改成|设为|改为|は)[ ]?)"""
    r"""|(?P<dash>[ ]?(?:-|–|—)[ ](?=[!-~]{6}))"""
    r"""|(?P<space>[ \t]{1,8})"""
    r")"
).match
QUOTED = re.compile(r"""(?:[bBrRuUfF@$]{0,2})(?P<q>\\?["'`])(?P<v>(?:\\[^\n]|(?!(?P=q))[^\n\\]){0,4096})""").match
BARE = re.compile(r"[^\s\"'`<>\0]{1,1024}").match
# "NAME `value`", "NAME (value)".
MARKED = re.compile(r"(?:`(?P<code>[^\s`]{6,400})`|\((?P<aside>[^\s`\"']{6,400})\))(?![^\s.,;:!?)*_])").match
WORDS_BEFORE = re.compile(r"(?:(?<![A-Za-z0-9_])[A-Za-z0-9_]{2,12} ){1,2}\Z").search
LINE = re.compile(r"[^\n]{1,400}").match
_ENDS = (
    r"\\[nrtu\"']|&amp;|,(?=\s|[A-Za-z_]{1,30}[=:]|$)"
    r"|;(?=\s|[A-Za-z_ ]{1,30}=|$)|[|)](?=\s|$)|\\$|(?<=[!-~])[\u3000-\u9fff\uff00-\uffef]"
)
ENDS = re.compile(r"&(?=[A-Za-z_.\-]{1,40}=)|" + _ENDS).search
ENDS_OF_A_VARIABLE = re.compile(_ENDS).search
OPTION = re.compile(r"(?:^|[\s\"'`\[(,=])--?[A-Za-z0-9_.\-]{0,64}\Z").search
DIRECTIVE = re.compile(
    r"(?:^|\n|[;&|]\s?)[ \t]*(?:ENV|ARG|setx?|set -gx|set -x|setenv|export|env|declare -x)[ \t]+[A-Za-z0-9_.\-]{0,64}\Z"
    r"|(?:aws configure|(?:npm|yarn|pnpm|pip|git|poetry|composer) config|config|doppler secrets) set[ \t]+\S{0,100}\Z"
).search
KEYWORD = re.compile(r"(?:^|[\s{(,\[]):[A-Za-z0-9\-]{0,40}\Z").search
CONFIG_LINE = re.compile(r"(?:^|\n)[ \t#>|+-]{0,12}[A-Za-z0-9_.\-]{0,64}\Z").search
DIRECTIVES = frozenset({"requirepass", "masterauth", "psk", "rootpw"})
# A line that belongs to the same settings: whose password it is, where it is used.
SIBLING = re.compile(
    r"[ \t]{0,12}(?:- )?[\"']?[A-Za-z_.\-]{0,24}(?:user|username|login|account|host|hostname|port"
    r"|database|dbname|email)[\"']?[ \t]{0,4}[:=][ \t]{0,4}\S"
).match
OPENS = re.compile(r"[(\[{]\s{0,12}[bru]?[\"']\Z").search


KEYS = frozenset({"token", "key", "secret"})
DIGESTS = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
PUBLIC_ID = re.compile(r"[0-9a-f]{16}|[0-9A-F]{16}").fullmatch
SETS = re.compile(r"-\s|[A-Za-z_][\w.\-]{0,60}(?::\s|=(?!=?\Z))").match
ELEMENT = re.compile(r"<(?:[A-Za-z0-9]{1,24}:)?\Z").search
# What a plain "key" is the key of: the object, the table or the section that it stands in.
OWNER = re.compile(
    r"([A-Za-z][A-Za-z0-9_\-]{1,24})[\"']?\]?[ \t]{0,3}[:=]?[ \t]{0,3}(?:\{\s{0,12}|\r?\n[ \t]{0,8})[\"']?\Z"
).search

# Four times four letters: the passwords that a mail service makes for programs.
GROUPED = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}(?![A-Za-z0-9 ])").match
DIGITS = re.compile(r"[0-9]{2,6}(?:[ -][0-9]{2,6}){1,4}(?![0-9A-Za-z])").match
# What an identifier of code looks like, and no password that nothing else vouches for.
NAME_OF_CODE = re.compile(r"(?:[A-Z][a-z]+){2,}|_*[a-z]+(?:_+[a-z]+)+_*").fullmatch
# "--password options instead": what is said of an option, not given to it.
SAID_OF_IT = re.compile(
    r" (?:options?|flags?|arguments?|parameters?|values?|instead|is|are|and|or|to|for|in|on|of|must|will|can|when|if"
    r"|as)\b"
).match
# "arn:aws:secretsmanager:…:secret:name" names a secret and holds none.
IN_A_RESOURCE_NAME = re.compile(r"\barn:[^\s\"']{0,120}:\Z").search
PROSE = vocabulary(
    "a an the is are was be been must at least most of to for in on by your my our please enter with and or not no be "
    "character characters digit digits letter letters long short password passphrase key token secret invalid valid "
    "wrong new old reset forgot change confirm repeat user name field this that it has have chars minimum maximum step"
)

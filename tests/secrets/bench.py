# ruff: noqa: E501  (tables of templates)
"""A generated set to measure detection on: seeded, its values are made when it runs; nothing in it is real.

`cases(seed)` gives texts with what is planted in them; `leaks` says whether a case leaks once the spans are taken out. A
quick part of it runs with the tests, all of it with `python -m benchmarks.detection`.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import random
import re
import string
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from attraj.secrets.rules import core_packs
from attraj.secrets.spans import Found, Span
from tests.secrets.made import made


class Case(NamedTuple):
    """A text, and what must not survive in it ("" for a text in which nothing may change)."""

    group: str
    name: str
    text: str
    secret: str
    key: str = ""


def leaks(case: Case, found: Found) -> bool:
    """Whether a run of a third of the secret (12 characters at least) is still there."""
    text, secret = removed(case.text, found), case.secret
    width = len(secret) if len(secret) <= 12 else max(12, len(secret) // 3)
    decoded = [text, re.sub(r"\x1b\[[0-9;]*m", "", text), text.replace("\n", "")]
    windows = {secret[at : at + width] for at in range(len(secret) - width + 1)}
    return any(window in view for view in decoded for window in windows)


def removed(text: str, found: Found) -> str:
    """The text with placeholders for its spans."""
    parts: list[str] = []
    at = 0
    for start, end, mark in sorted(
        (p.start, p.end, "<X>" if n == 0 else "") for s in found.spans for n, p in enumerate(s.pieces)
    ):
        parts += [text[at:start], mark]
        at = max(at, end)
    return "".join([*parts, text[at:]])


# --- tokens that say what they are -----------------------------------------------------------------------------------

CONTEXTS: dict[str, str] = {
    "alone": "{}",
    "export": "export SERVICE_VALUE={}\n",
    "env-quoted": 'VALUE="{}"\nOTHER=1',
    "json": '{{"value": "{}", "n": 3}}',
    "yaml": "gauge:\n  value: {}\n  unit: m",
    "python": "client = Client('{}')  # tide",
    "call": "connect(host='h', value='{}', port=5)",
    "header": "curl -H 'X-Value: {}' https://tide.example/v1",
    "bearer": "Authorization: Bearer {}",
    "query": "GET https://tide.example/v1?unit=m&value={}&n=1 HTTP/1.1",
    "prose": "I used {} and it worked.",
    "sentence-end": "The value is {}.",
    "markdown": "run with `{}` please",
    "log": "2026-11-30 12:00:00 INFO gauge using {} (attempt 1)",
    "diff": "@@ -1 +1 @@\n-old = 1\n+new = {}\n",
    "repr": "TideError({{'value': '{}'}})",
    "xml": "<gauge><v>{}</v></gauge>",
    "csv": "name,value\nnorth,{},3\n",
    "option": "tide --value {} --verbose",
    "option-equals": "tide --value={} --verbose",
    "cjk": "令牌{}已经过期",
    "table": "| north | {} | ok |",
}  # fmt: skip


def tokens(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Every kind of token of the core pack: its rule and a value."""
    for rule in core_packs()[0].rules:
        for pattern in rule.make:
            value = made(pattern, rng)
            if rule.type != "WEBHOOK_URL" and " " not in value and rule.id != "ethereum-key":
                yield rule.id, value


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" for c in text)


def _coloured_inside(text: str) -> str:
    half = len(text) // 2
    return f"\x1b[1;31m{text[:half]}\x1b[0m\x1b[1;31m{text[half:]}\x1b[0m"


def _wrapped(text: str) -> str:
    return "\n".join(text[at : at + 80] for at in range(0, len(text), 80))


def _of(value: str) -> str:
    return f"the gauge at the north pier was configured with VALUE={value} and then restarted, it took a while\n"


ENCODINGS: dict[str, Callable[[str], str]] = {
    "json1": lambda v: json.dumps({"arguments": f'export A="x"\nB={v}\n'}),
    "json2": lambda v: json.dumps(json.dumps({"cmd": f"a\n{v}\nb"})),
    "uesc": lambda v: f'{{"v": "{_escaped(v)}"}}',
    "ansi": lambda v: f"\x1b[1;32m{v}\x1b[0m",
    "ansisplit": lambda v: f"out: {_coloured_inside(v)} end",
    "wrap80": lambda v: _wrapped(_of(v)),
    "pct": lambda v: "q=" + "".join(f"%{ord(c):02X}" if not c.isalnum() else c for c in f"a={v}&b"),
    "pct-all": lambda v: "".join(f"%{ord(c):02x}" for c in v),
    "html": lambda v: f"<pre>{html.escape(f'{chr(34)}{v}{chr(34)}')}</pre>",
    "html-all": lambda v: "".join(f"&#{ord(c)};" for c in v),
    "b64": lambda v: base64.b64encode(_of(v).encode()).decode(),
    "b64url": lambda v: base64.urlsafe_b64encode(f"??>>{v}".encode()).decode().rstrip("="),
    "b64val": lambda v: "cfg: " + base64.b64encode(v.encode()).decode(),
    "b64mime": lambda v: base64.encodebytes((_of(v) * 2).encode()).decode(),
    "hex": lambda v: v.encode().hex(),
}  # fmt: skip


def encoded_survives(case: Case, found: Found) -> bool:
    """Whether an encoded secret is still there: read what is left in every way the encodings have."""
    text = removed(case.text, found)
    readings = [text, re.sub(r"\x1b\[[0-9;]*m", "", text), text.replace("\n", "")]
    with_escapes = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text)
    readings += [with_escapes, html.unescape(text), re.sub(r"%([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), text)]
    for run in re.findall(r"[A-Za-z0-9+/_-]{12,}", text.replace("\n", "")):
        for shift in range(4):
            body = run[shift:].replace("-", "+").replace("_", "/")
            body = body[: len(body) // 4 * 4]
            readings.append(base64.b64decode(body).decode("latin-1"))
        if re.fullmatch(r"[0-9a-f]+", run):
            readings.append(bytes.fromhex(run[: len(run) // 2 * 2]).decode("latin-1"))
    width = max(12, len(case.secret) // 3) if len(case.secret) > 12 else len(case.secret)
    windows = {case.secret[at : at + width] for at in range(len(case.secret) - width + 1)}
    return any(window in reading for reading in readings for window in windows)


# --- tokens with a name beside them ----------------------------------------------------------------------------------

NAMED: dict[str, str] = {
    "AWS_SECRET_ACCESS_KEY": r"[A-Za-z0-9+/]{40}",
    "DATADOG_API_KEY": "[0-9a-f]{32}",
    "DD_APP_KEY": "[0-9a-f]{40}",
    "HEROKU_API_KEY": "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "CLOUDFLARE_API_TOKEN": r"[A-Za-z0-9_\-]{40}",
    "CLOUDFLARE_API_KEY": "[0-9a-f]{37}",
    "ALGOLIA_ADMIN_KEY": "[0-9a-f]{32}",
    "TWILIO_AUTH_TOKEN": "[0-9a-f]{32}",
    "MISTRAL_API_KEY": "[A-Za-z0-9]{32}",
    "COHERE_API_KEY": "[A-Za-z0-9]{40}",
    "ALIBABA_SECRET_KEY": "[a-z0-9]{30}",
    "FASTLY_API_TOKEN": r"[A-Za-z0-9_\-]{32}",
    "SNYK_TOKEN": "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "CODECOV_TOKEN": "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "OKTA_CLIENT_SECRET": r"[A-Za-z0-9_\-]{40}",
    "AZURE_STORAGE_KEY": r"[A-Za-z0-9+/]{86}==",
    "DISCORD_CLIENT_SECRET": r"[A-Za-z0-9_\-]{32}",
    "FACEBOOK_APP_SECRET": "[0-9a-f]{32}",
    "TWITTER_API_SECRET": "[A-Za-z0-9]{50}",
    "LINKEDIN_CLIENT_SECRET": "[A-Za-z0-9]{16}",
    "SPOTIFY_CLIENT_SECRET": "[0-9a-f]{32}",
    "SHODAN_API_KEY": "[A-Za-z0-9]{32}",
    "ELASTIC_API_KEY": r"[A-Za-z0-9+/]{58}==",
    "JWT_SECRET": "[A-Za-z0-9]{48}",
    "SECRET_KEY_BASE": "[0-9a-f]{128}",
    "ENCRYPTION_KEY": r"[A-Za-z0-9+/]{43}=",
    "NETLIFY_AUTH_TOKEN": r"[A-Za-z0-9_\-]{43}",
    "STORYBLOK_ACCESS_TOKEN": "[A-Za-z0-9]{24}",
}  # fmt: skip


def _camel(name: str) -> str:
    first, *rest = name.lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


NAMED_CONTEXTS: dict[str, Callable[[str, str], str]] = {
    "export": lambda n, v: f"export {n}={v}\n",
    "dotenv": lambda n, v: f"A=1\n{n}={v}\nB=2\n",
    "quoted": lambda n, v: f'{n} = "{v}"',
    "json": lambda n, v: json.dumps({n.lower(): v, "n": 1}),
    "camel": lambda n, v: f'const {_camel(n)} = "{v}";',
    "yaml": lambda n, v: f"env:\n  {n}: {v}\n",
    "option": lambda n, v: f"tide --{n.lower().replace('_', '-')} {v} run",
    "environ": lambda n, v: f"os.environ['{n}'] = '{v}'",
    "header": lambda n, v: f"X-{n.title().replace('_', '-')}: {v}",
    "pair": lambda n, v: json.dumps([{"name": n, "value": v}]),
    "docker": lambda n, v: f"docker run -e {n}={v} tide:latest",
    "escaped": lambda n, v: json.dumps(json.dumps({n: v})),
}  # fmt: skip

# --- structure -------------------------------------------------------------------------------------------------------

# "<…>" marks the secret.
STRUCTURAL: dict[str, str] = {
    "postgres": "postgres://keeper:<[A-Za-z0-9]{12}>@db.tide.example:5432/logs",
    "mongodb": "mongodb+srv://app:<[A-Za-z0-9]{16}>@c0.tide.example/?w=majority",
    "redis": "redis://:<[A-Za-z0-9]{20}>@cache:6379/0",
    "https-userinfo": "git clone https://keeper:<[a-z]{5}[0-9]{4}>@git.tide.example/logs.git",
    "https-token": "git remote add o https://<[0-9a-f]{40}>@git.tide.example/logs.git",
    "amqp": "CELERY_BROKER=amqp://keeper:<[a-z]{4}[0-9]{4}!>@mq:5672//",
    "jdbc-query": "jdbc:mysql://db:3306/tides?user=keeper&password=<[A-Za-z0-9]{10}>&useSSL=false",
    "ado": "Server=db;Database=tides;User Id=keeper;Password=<[A-Z][a-z]{5}![0-9]{4}>;Encrypt=True",
    "dsn-go": "keeper:<[a-z]{5}[0-9]{4}>@tcp(db:3306)/tides",
    "bearer": "Authorization: Bearer <[A-Za-z0-9]{40}>",
    "basic": "Authorization: Basic <a2VlcGVyOmdhdWdlN3RpZGUtMT[I-L]{1}>",
    "token-scheme": "-H 'Authorization: token <[0-9a-f]{40}>'",
    "auth-json": '{"headers": {"Authorization": "Bearer <[A-Za-z0-9_\\-]{43}>"}}',
    "auth-python": "headers={'Authorization': f'Bearer <[A-Za-z0-9]{32}>'}",
    "proxy-auth": "Proxy-Authorization: Basic <[A-Za-z0-9]{24}>",
    "api-key-header": "X-Api-Key: <[A-Za-z0-9]{32}>",
    "header-array": '[["x-auth-token", "<[A-Za-z0-9]{32}>"]]',
    "digest": 'Authorization: Digest username="keeper", realm="t", nonce="n", uri="/", response="<[0-9a-f]{32}>"',
    "sigv4": "Authorization: AWS4-HMAC-SHA256 Credential=x/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=<[0-9a-f]{64}>",
    "cookie": "Cookie: theme=dark; sessionid=<[a-z0-9]{32}>; csrftoken=abc",
    "cookie-curl": "curl -b 'sid=<[A-Za-z0-9]{24}>' https://tide.example",
    "cookie-json": '{"Cookie": "PHPSESSID=<[a-z0-9]{26}>"}',
    "set-cookie": "Set-Cookie: session=<[A-Za-z0-9_\\-]{60}>; HttpOnly; Path=/",
    "set-cookie-express": "set-cookie: connect.sid=<s%3A[A-Za-z0-9_\\-]{32}.[A-Za-z0-9]{43}>; Path=/; HttpOnly",
    "netrc": "machine tide.example login keeper password <[A-Za-z0-9]{12}>",
    "netrc-lines": "machine tide.example\n  login keeper\n  password <[a-z]{5}[0-9]{4}>\n",
    "pgpass": "db.tide.example:5432:tides:keeper:<[A-Za-z0-9]{12}>",
    "curl-u": "curl -u keeper:<[a-z]{6}[0-9]{3}> https://tide.example/api",
    "curl-user-quoted": "curl --user 'keeper:<[a-z]{4}#[0-9]{4}>' https://tide.example/api",
    "wget": "wget --user=keeper --password=<[a-z]{6}[0-9]{3}> https://tide.example/f",
    "mysql-p": "mysql -h db -u keeper -p<[a-z]{6}[0-9]{3}> tides",
    "mysqldump": "mysqldump -ukeeper -p'<[a-z]{5}![0-9]{3}>' tides > t.sql",
    "sshpass": "sshpass -p '<[a-z]{5}@[0-9]{3}>' ssh keeper@tide.example",
    "pgpassword": "PGPASSWORD=<[a-z]{6}[0-9]{3}> psql -h db -U keeper",
    "docker-login": "docker login -u keeper -p <[A-Za-z0-9]{16}> registry.tide.example",
    "docker-auth": '{"auths": {"r.tide.example": {"auth": "<a2VlcGVyOmdhdWdlN3RpZG[U]{1}[=]{1}>"}}}',
    "kubeconfig-token": "users:\n- name: keeper\n  user:\n    token: <[A-Za-z0-9]{40}>\n",
    "kubeconfig-key": "    client-key-data: <LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo[A-Za-z0-9+/]{80}>\n",
    "azure-account-key": "DefaultEndpointsProtocol=https;AccountName=t;AccountKey=<[A-Za-z0-9+/]{86}==>;EndpointSuffix=core.windows.net",
    "service-bus": "Endpoint=sb://t.servicebus.windows.net/;SharedAccessKeyName=R;SharedAccessKey=<[A-Za-z0-9+/]{43}=>",
    "sas": "https://t.blob.core.windows.net/c/f?sv=2024-01-01&se=2026-12-01&sr=b&sig=<[A-Za-z0-9]{40}%3D>",
    "s3-presigned": "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60&X-Amz-Signature=<[0-9a-f]{64}>",
    "gcs-signed": "https://storage.googleapis.com/b/o?X-Goog-Expires=60&X-Goog-Signature=<[0-9a-f]{256}>",
    "cloudfront": "https://d1.cloudfront.net/f?Expires=1&Signature=<[A-Za-z0-9~\\-]{100}>__&Key-Pair-Id=K1",
    "otpauth": "otpauth://totp/Tide:keeper?secret=<[A-Z2-7]{32}>&issuer=Tide",
    "slack-hook": "https://hooks.slack.com/services/<T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24}>",
    "discord-hook": "https://discord.com/api/webhooks/112233445566778899/<[A-Za-z0-9_\\-]{68}>",
    "npmrc": "//registry.tide.example/:_authToken=<[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}>",
    "pypirc": "[pypi]\nusername = keeper\npassword = <[a-z]{6}[0-9]{4}>\n",
    "pem": "-----BEGIN RSA PRIVATE KEY-----\n<[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{40}==>\n-----END RSA PRIVATE KEY-----\n",
    "pem-truncated": "-----BEGIN OPENSSH PRIVATE KEY-----\n<[A-Za-z0-9+/]{70}\n[A-Za-z0-9+/]{70}>\n[output truncated]",
    "pem-diff": "+-----BEGIN PRIVATE KEY-----\n+<[A-Za-z0-9+/]{64}>\n+[A-Za-z0-9+/]{64}\n+-----END PRIVATE KEY-----",
    "pem-escaped": '{"private_key": "-----BEGIN PRIVATE KEY-----\\\\n<[A-Za-z0-9+/]{64}>\\\\n[A-Za-z0-9+/]{64}\\\\n-----END PRIVATE KEY-----\\\\n"}',
    "pem-tail": "cat: <[A-Za-z0-9+/]{64}>\n[A-Za-z0-9+/]{64}\n-----END RSA PRIVATE KEY-----",
    "chpasswd": "echo 'keeper:<[a-z]{5}[0-9]{4}>' | chpasswd",
    "redis-cli": "redis-cli -h cache -a <[a-z]{5}[0-9]{4}> ping",
    "identified-by": "CREATE USER 'keeper'@'%' IDENTIFIED BY '<[a-z]{5}[0-9]{4}>';",
    "wp-config": "define( 'DB_PASSWORD', '<[A-Za-z0-9]{12}>' );",
}  # fmt: skip

PASSWORDS: dict[str, str] = {
    "env": "DB_PASSWORD=<[a-z]{6}[0-9]{2}>\n",
    "env-quoted": 'ADMIN_PASSWORD="<[A-Z][a-z]{7}[0-9]{2}!>"\n',
    "json": '{"user": "keeper", "password": "<[a-z]{5}[0-9]{3}>"}',
    "json-word": '{"user": "keeper", "password": "<[a-z]{9}>"}',
    "yaml": "database:\n  user: keeper\n  password: <[a-z]{6}[0-9]{2}>\n",
    "ini": "[client]\nuser = keeper\npwd = <[a-z]{5}#[0-9]{3}>\n",
    "python": "connect(user='keeper', password='<[A-Z][a-z]{4}[0-9]{4}>')",
    "prose": "The password is <[A-Z][a-z]{6}[0-9]{3}!> for now.",
    "prose-for": "the password for the staging box is <[a-z]{5}-[a-z]{4}-[0-9]{2}>, keep it",
    "login-lines": "login: keeper\npass: <[a-z]{6}[0-9]{3}>\n",
    "user-slash-pass": "Username: keeper Password: <[A-Z][a-z]{5}@[0-9]{4}>",
    "passphrase": 'passphrase = "<correct horse [a-z]{7} [a-z]{6}>"',
    "pin": '{"card_holder": "x", "pin": "<[0-9]{4}>"}',
    "chinese": "数据库密码是<[a-z]{5}[0-9]{4}>，请勿外传",
    "option": "tide login --user keeper --password <[a-z]{6}[0-9]{3}>",
    "xml": "<user>keeper</user><password><[a-z]{6}[0-9]{3}></password>",
    "ansible": "ansible_become_pass: <[a-z]{4}[0-9]{4}>\n",
    "powershell": '$env:DB_PASSWORD = "<[a-z]{5}[0-9]{4}>"',
    "setter": 'user.set_password("<[a-z]{5}[0-9]{4}>")',
    "redis-conf": "requirepass <[a-z]{6}[0-9]{4}>\n",
}  # fmt: skip


def planted(template: str, rng: random.Random) -> tuple[str, str]:
    """The text of a template, and the secret in it."""
    match = re.search(r"<((?=[^<>]*[\[0-9])[^<>/]*(?:/[^<>]*)?)>", template)
    assert match is not None, template
    secret = made(match[1], rng)
    before = made_around(template[: match.start()], rng)
    return before + secret + made_around(template[match.end() :], rng), secret


def made_around(text: str, rng: random.Random) -> str:
    return made(text, rng) if "]{" in text else text.replace("\\\\", "\\")


PLACES = ("{}", "$ cat conf\n{}\n$ ", "log: {}\n", "结果：\n{}\n完成")

# --- nothing may change here -----------------------------------------------------------------------------------------

NEGATIVES: dict[str, str] = {
    "usage": '{"prompt_tokens": 8123, "completion_tokens": 411, "completion_tokens_details": {"reasoning_tokens": 120}}',
    "max-tokens": "model.generate(max_tokens=4096, max_new_tokens=256, stop_token_ids=[1, 2])",
    "tokenizer": "token = tokenizer.next_token()\nif token == self.eos_token_id:\n    break",
    "token-type": '{"token_type": "bearer", "expires_in": 3600}',
    "sha1": "commit [0-9a-f]{40}\nAuthor: tide",
    "cache-key": "cache_key=[0-9a-f]{40}",
    "sha256": "sha256:[0-9a-f]{64}",
    "integrity": '"integrity": "sha512-[A-Za-z0-9+/]{86}=="',
    "uuid": '{"id": "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}"}',
    "call-id": '{"tool_call_id": "call_[A-Za-z0-9]{24}", "id": "toolu_01[A-Za-z0-9]{22}"}',
    "message-id": '{"id": "msg_01[A-Za-z0-9]{22}", "request_id": "req_011[A-Za-z0-9]{21}"}',
    "response-id": '{"id": "resp_[0-9a-f]{48}", "run": "chatcmpl-[A-Za-z0-9]{29}"}',
    "signature": '{"type": "thinking", "signature": "[A-Za-z0-9+/]{160}=="}',
    "encrypted": '{"encrypted_content": "gAAAAAB[A-Za-z0-9_\\-]{180}"}',
    "placeholder": 'API_KEY="your-api-key-here"\nPASSWORD=changeme\nTOKEN=<token>',
    "variable": "export API_KEY=$OPENAI_API_KEY\ncurl -H \"Authorization: Bearer ${TOKEN}\" https://tide.example",
    "template": "password: {{ db_password }}\ntoken: ${{ secrets.GITHUB_TOKEN }}",
    "environ": "password = os.environ['DB_PASSWORD']\nsecret = config.get('secret')",
    "type-annotation": "def login(user: str, password: str, token: Optional[str] = None) -> None:",
    "django": "password = models.CharField(max_length=128)\nsecret_key = settings.SECRET_KEY",
    "k8s-ref": "secretKeyRef:\n  name: tide-secret\n  key: password",
    "getpass": "password = getpass.getpass('Password: ')",
    "redacted": "token=[REDACTED] password=<PASSWORD_1> key=***",
    "masked": 'api_key: "**********"',
    "bool": "password_required = True\ntoken_enabled: false\nsecret: null",
    "test-output": "PASS: test_gauge_reads_level (0.03s)\npassed: 12, failed: 0",
    "keyboard": "KeyboardInterrupt: keypress handler for key=Enter",
    "css": ".keyframe-token-highlight { color: #a1b2c3d4; }",
    "path": "/usr/lib/python3.11/site-packages/cryptography/hazmat/primitives/keywrap.py",
    "base64-image": "data:image/png;base64,iVBORw0KGgo[A-Za-z0-9+/]{400}",
    "url": "https://tide.example/docs/authentication?section=tokens&lang=en#password-reset",
    "version": "tide==10.12.3.4, Chrome/120.0.6099.109, build 1.2.3.4567",
    "private-ip": "listening on 127.0.0.1:8080 and 192.168.1.20, docker 172.17.0.2",
    "floats": "loss 0.12345678901234 lr 3.0e-05 step 1234567890123456",
    "timestamp": "2026-11-30T12:34:56.789012+00:00 1764460800000",
    "public-key": "-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/]{64}\n-----END PUBLIC KEY-----",
    "ssh-public": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43} gauge",
    "prose-password": "If you forgot your password, click the reset link. The password is required and must be strong.",
    "docs-url": "postgresql://user:password@localhost:5432/mydatabase",
    "git-ssh": "git@github.com:tide/gauge.git",
    "decorator": "@app.route('/login')\ndef login(): pass",
    "asset": "icon@2x.png logo@3x.webp",
    "slice": "a[1:2:3], x[::2], 12:30:45",
    "fingerprint": "SHA256:[A-Za-z0-9+/]{43} MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
    "lock-hash": 'hash = "sha256:[0-9a-f]{64}"\n    {file = "tide-1.0.whl", hash = "sha256:[0-9a-f]{64}"}',
    "minified": "function a(b){var key=b.key,token=c(b),pass=d;return e[key]=token}",
    "sql-schema": "CREATE TABLE users (id INT PRIMARY KEY, password VARCHAR(255) NOT NULL, api_key TEXT);",
    "dict-key": "for key, value in tokens.items(): secrets[key] = value.password",
    "home-root": "/root/.cache /home/user/app /home/runner/work /Users/Shared",
    "css-hash": "main.[0-9a-f]{20}.js chunk-[A-Z0-9]{8}.mjs",
    "state-id": '{"state": "state:[0-9a-f]{64}", "node_id": "node-[0-9a-f]{16}"}',
    "etag": 'ETag: "[0-9a-f]{32}-12"\nx-request-id: [0-9A-F]{4}:[0-9A-F]{4}:[0-9A-F]{7}',
    "docker-digest": "tide@sha256:[0-9a-f]{64}: Pulling from tide",
    "npm-lock": '"resolved": "https://registry.npmjs.org/tide/-/tide-1.0.0.tgz#[0-9a-f]{40}"',
    "html-entity": "&lt;input type=&quot;password&quot; name=&quot;password&quot;&gt;",
    "regex": r're.compile(r"(?P<token>[A-Za-z0-9_-]{20,})\.(?P<secret>\w+)")',
    "openssl-help": "openssl passwd -6 -salt xyz   # prompts for the password",
    "jsonpath": "$.steps[3].tool_calls[0].arguments.password",
    "latex": r"\begin{tabular}{ll} key & value \\ token & count \\ \end{tabular}",
    "cjk": "请输入密码：\n密码不能为空，令牌数量为 512",
    "licence": "SPDX-License-Identifier: Apache-2.0 license_key_required = false",
    "argparse": 'parser.add_argument("--password", help="the password", required=True)',
    "env-list": "AWS_REGION=eu-west-1\nPATH=/usr/bin:/bin\nSECRET_NAME=tide/prod\nKEY_FILE=/etc/tide/key.pem",
    "ls": "-rw-r--r-- 1 root root 1675 Nov 30 12:00 id_rsa.pub",
}  # fmt: skip

# --- what tries to hide ----------------------------------------------------------------------------------------------


def _split(value: str, seam: str) -> str:
    half = len(value) // 2
    return value[:half] + seam + value[half:]


def _xxd(value: str) -> str:
    raw = f"token {value} end".encode()
    rows = []
    for at in range(0, len(raw), 16):
        chunk = raw[at : at + 16]
        columns = " ".join(chunk[n : n + 2].hex() for n in range(0, len(chunk), 2))
        shown = "".join(chr(c) if 32 <= c < 127 else "." for c in chunk)
        rows.append(f"{at:08x}: {columns:<39}  {shown}")
    return "\n".join(rows)


EVASIONS: dict[str, Callable[[str], str]] = {
    "marker-gitleaks": lambda v: f'k = "{v}"  # gitleaks:allow',
    "marker-betterleaks": lambda v: f'k = "{v}"  # betterleaks:allow',
    "marker-kingfisher": lambda v: f'k = "{v}"  # kingfisher:ignore',
    "marker-pragma": lambda v: f'k = "{v}"  # pragma: allowlist secret',
    "decorator": lambda v: f"@property\nTOKEN={v}\n",
    "data-prefix": lambda v: f"data:text/plain,{'x' * 4200} {v}",
    "control-byte": lambda v: f"\x01{'log ' * 1200}{v}",
    "big-before": lambda v: "gauge ok\n" * 30_000 + v,
    "big-line": lambda v: "x," * 60_000 + v + ",y" * 60_000,
    "zero-width": lambda v: _split(v, "\u200b"),
    "soft-hyphen": lambda v: _split(v, "\u00ad"),
    "bidi": lambda v: _split(v, "\u202d"),
    "concat-plus": lambda v: f'k = "{_split(v, chr(34) + " + " + chr(34))}"',
    "concat-newline": lambda v: f'k = ("{_split(v, chr(34) + chr(10) + "     " + chr(34))}")',
    "concat-dot": lambda v: f"$k = '{_split(v, chr(39) + ' . ' + chr(39))}';",
    "concat-shell": lambda v: f'K="{_split(v, chr(34) + chr(34))}"',
    "backslash-newline": lambda v: f"curl -H X:{_split(v, chr(92) + chr(10))} https://tide.example",
    "example-near": lambda v: f"# EXAMPLE only, not a real key\n{v}",
    "glued-cjk": lambda v: f"密钥{v}密钥",
    "glued-emoji": lambda v: f"🔑{v}🔑",
    "upper-name": lambda v: f"MYTOKENIS={v}",
    "double-base64": lambda v: base64.b64encode(base64.b64encode(v.encode())).decode(),
    "gzip-base64": lambda v: base64.b64encode(gzip.compress(f"token={v}\n".encode() * 3, mtime=0)).decode(),
    "xxd": _xxd,
    "hex-escapes": lambda v: "'" + "".join(f"\\x{ord(c):02x}" for c in v) + "'",
    "octal-escapes": lambda v: "'" + "".join(f"\\{ord(c):03o}" for c in v) + "'",
    "json3": lambda v: json.dumps(json.dumps(json.dumps({"a": f"b\n{v}\n"}))),
    "percent-twice": lambda v: "".join(f"%25{ord(c):02X}" for c in v),
    "ansi-each": lambda v: "".join(f"\x1b[32m{c}\x1b[0m" for c in v),
    "osc-link": lambda v: f"\x1b]8;;https://tide.example\x07{v}\x1b]8;;\x07",
    "wrap-120": lambda v: "x" * 50 + " " + "y" * 49 + "=" + _split(v + " tail " * 9, "")[:19] + "\n" + (v + " tail " * 9)[19:],
    "powershell-continue": lambda v: f"$k = {_split(v, '`' + chr(10))}",
    "quoted-printable": lambda v: _split(v, "=\n"),
    "comment": lambda v: f"<!-- {v} -->",
    "stack-trace": lambda v: f"HTTPError: 401 for url: https://tide.example/?k={v}",
    "key-of-dict": lambda v: json.dumps({v: 1}),
    "yaml-folded": lambda v: f"k: >-\n  {v}\n",
    "html-numeric": lambda v: "".join(f"&#x{ord(c):x};" for c in v),
    "in-path": lambda v: f"/tmp/{v}/log.txt",
    "in-email": lambda v: f"mail {v} to nobody",
    "backticks": lambda v: f"```\n{v}\n```",
    "trailing-comma": lambda v: f"[{v},{v}]",
    "env-dump": lambda v: f"declare -x K=\"{v}\"\n",
    "utf16-note": lambda v: f"\ufeff{v}",
}  # fmt: skip

# --- personal data ---------------------------------------------------------------------------------------------------


def _luhn(prefix: str, length: int, rng: random.Random) -> str:
    digits = prefix + "".join(rng.choices(string.digits, k=length - len(prefix) - 1))
    total = sum(int(d) * (2 - n % 2) - 9 * (int(d) * (2 - n % 2) > 9) for n, d in enumerate(reversed(digits)))
    return digits + str(-total % 10)


def _iban(rng: random.Random) -> str:
    body = "".join(rng.choices(string.digits, k=18))
    return f"DE{98 - int(body + '131400') % 97:02d}{body}"


def _name(rng: random.Random) -> str:
    return rng.choice(["mira", "jonas", "okonkwo", "liwei", "apetrov", "marta-k", "tanaka", "dsilva"]) + rng.choice(
        ["", "7", "88"]
    )


def _public_ip(rng: random.Random) -> str:
    return f"{rng.choice([23, 45, 81, 95, 138, 145, 185, 209])}.{rng.randrange(1, 254)}.{rng.randrange(1, 254)}.{rng.randrange(1, 254)}"


def _hexes(rng: random.Random, n: int) -> list[str]:
    return [f"{rng.randrange(256):02x}" for _ in range(n)]


PERSONAL: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "email": (lambda r: f"{_name(r)}.{r.randrange(99)}@tide-{r.randrange(99)}.org", ("mail {}", "Author: M <{}>", "写给{}。", '{{"email": "{}"}}', "a,{},b")),
    "user-home": (_name, ("/home/{}/src/gauge.py", "cd /home/{} && ls", "/Users/{}/Library", 'File "/home/{}/a.py", line 3', "C:\\Users\\{}\\tide", "file:///home/{}/x")),
    "user-mangled": (lambda r: r.choice(["mira", "jonas", "okonkwo"]), ("/tmp/__home__{}__src", "~/.claude/projects/-Users-{}-src", "-home-{}-work")),
    "ipv4": (_public_ip, ("ssh root@{}", "from {} port 22", "http://{}:8080/x", '{{"ip": "{}"}}', "{} - - [30/Nov/2026]")),
    "ipv6": (lambda r: f"2a02:{r.randrange(4096, 65535):x}:{r.randrange(4096, 65535):x}::{r.randrange(256, 65535):x}", ("ping6 {}", "[{}]:443", "addr {} scope global")),
    "mac": (lambda r: ":".join(["3c", *_hexes(r, 5)]), ("link/ether {} brd ff", "HWaddr {}", "mac={}")),
    "phone": (lambda r: f"+49 30 {r.randrange(1000, 9999)} {r.randrange(1000, 9999)}", ("call {}", "tel: {}", '{{"phone": "{}"}}')),
    "phone-us": (lambda r: f"({r.randrange(201, 989)}) {r.randrange(201, 989)}-{r.randrange(1000, 9999)}", ("call {} now", "Phone: {}")),
    "card": (lambda r: " ".join(re.findall("....", _luhn("4", 16, r))), ("card {} exp 12/30", "paid with {}")),
    "card-dashed": (lambda r: "-".join(re.findall("....", _luhn("52", 16, r))), ("card {}", "n: {}")),
    "card-named": (lambda r: _luhn("4", 16, r), ('{{"card_number": "{}"}}', "card_number={}")),
    "iban": (_iban, ("IBAN {}", "to {} today", "konto:{}")),
    "ssn": (lambda r: f"{r.randrange(100, 665)}-{r.randrange(10, 99)}-{r.randrange(1000, 9999)}", ("SSN: {}", '{{"ssn": "{}"}}')),
    "passport": (lambda r: f"C{r.randrange(10**7, 10**8)}", ('{{"passport_number": "{}"}}', "passport_no={}")),
}  # fmt: skip


def cases(seed: int = 1, share: float = 1.0) -> Iterator[Case]:
    """All cases of a seed; `share` of the many contexts of tokens for a quick look."""
    rng = random.Random(seed)
    for rule, value in tokens(rng):
        for context, template in CONTEXTS.items():
            if rng.random() < share:
                yield Case("tokens", f"{rule}/{context}", template.format(value), value)
    for rule, value in tokens(rng):
        for encoding, encode in ENCODINGS.items():
            if rng.random() < share:
                yield Case(f"encoding-{encoding}", f"{rule}/{encoding}", encode(value), value)
    for name, pattern in NAMED.items():
        for context, write in NAMED_CONTEXTS.items():
            value = made(pattern, rng)
            yield Case("named", f"{name}/{context}", write(name, value), value)
    for group, templates in (("structural", STRUCTURAL), ("passwords", PASSWORDS)):
        for name, template in templates.items():
            for place in PLACES:
                text, secret = planted(template, rng)
                yield Case(group, name, place.format(text), secret)
    for name, template in NEGATIVES.items():
        for _ in range(3):
            yield Case("negatives", name, made(template, rng) if "]{" in template and name != "regex" else template, "")
    values = [v for r, v in tokens(rng) if r in ("github-token", "anthropic-key", "stripe-key", "aws-access-key-id")]
    for name, hide in EVASIONS.items():
        for value in values[:4]:
            yield Case("evasion", name, hide(value), value)
    for name, (make, templates_) in PERSONAL.items():
        for template in templates_:
            for _ in range(3):
                value = make(rng)
                yield Case(f"personal-{name}", f"{name}/{template[:12]}", template.format(value), value)


def said(spans: Iterable[Span]) -> Iterator[str]:
    """The values of spans, and of what stands inside of them."""
    for span in spans:
        yield span.value
        yield from said(span.inner)


def is_missed(case: Case, found: Found) -> bool:
    """Whether a case is failed: something survives, or a text in which nothing may change was changed."""
    if case.group == "negatives":
        return bool(found.spans)
    if case.group.startswith("encoding"):
        return encoded_survives(case, found)
    if case.group == "evasion":
        return encoded_survives(case, found) or not any(case.secret[4:] in value for value in said(found.spans))
    return leaks(case, found)


BARS = {
    "tokens": 0.98,
    "encoding": 0.95,
    "named": 0.95,
    "structural": 0.90,
    "passwords": 0.85,
    "negatives": 0.97,
    "evasion": 0.85,
    "personal": 0.95,
}
"""The least share of each group that has to come out right."""


def bar_of(group: str) -> float:
    """The bar of a group: "encoding-hex" is one of the encodings."""
    return BARS[group.partition("-")[0]]

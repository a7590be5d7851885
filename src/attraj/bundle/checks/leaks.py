"""AT707, AT708: credentials and personal data, anywhere in the document (§13.2). Their shapes: attraj.secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attraj.bundle.checks.check import Asked, error, on_bundle, warning
from attraj.bundle.content import Secret
from attraj.bundle.model import Bundle
from attraj.findings import Finding, Stratum
from attraj.secrets.quick.detector import Span
from attraj.secrets.quick.scan import by_id

AT707 = error("AT707", "credential", Stratum.MEANING)
AT708 = warning("AT708", "personal-data", Stratum.MEANING)


@on_bundle(AT707)
def credential(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    for secret in bundle.content.secrets:
        certain = [span for span in secret.spans if by_id()[span.rule].is_certain]
        if certain:
            yield AT707.at(
                secret.pointer,
                f"{_where(secret)} {_named(certain)}",
                hint="revoke it first: it has been written down; then `attraj redact` takes it out everywhere",
            )


@on_bundle(AT708)
def personal_data(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    for secret in bundle.content.secrets:
        is_credential = any(by_id()[span.rule].is_certain for span in secret.spans)
        # The access key id beside its secret key is one fault, and AT707's.
        other = [
            span
            for span in secret.spans
            if not by_id()[span.rule].is_certain and not (is_credential and span.kind == "ACCESS_KEY_ID")
        ]
        if other:
            yield AT708.at(
                secret.pointer,
                f"{_where(secret)} {_named(other)}",
                hint="redact it unless it is needed, and may be published",
            )


def _where(secret: Secret) -> str:
    return "the name of a member holds" if secret.is_name else "text holds"


def _named(spans: Sequence[Span]) -> str:
    nouns = dict.fromkeys(by_id()[span.rule].noun for span in spans)
    return " and ".join(nouns)

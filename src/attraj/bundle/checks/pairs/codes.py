"""The rules that need two documents. Those that one document can break as well stand with their family.

AT614 in verifiers.py, AT807 and AT808 in rights.py, AT924 and AT928 in transform.py.
"""

from __future__ import annotations

from attraj.bundle.checks.check import error, warning
from attraj.findings import Stratum

AT214 = error("AT214", "changed-under-one-identity", Stratum.MEANING)
AT215 = error("AT215", "unrepeatable-export", Stratum.MEANING)
AT312 = error("AT312", "moved-to-another-parent", Stratum.MEANING)
AT314 = warning("AT314", "invented-order", Stratum.MEANING)
AT629 = error("AT629", "reward-changed-a-fact", Stratum.MEANING)
AT710 = error("AT710", "redacted-value-remains", Stratum.MEANING)
AT711 = error("AT711", "changed-causal-shape", Stratum.MEANING)
AT712 = error("AT712", "unmarked-loss", Stratum.MEANING)
AT832 = error("AT832", "other-source", Stratum.MEANING)
AT833 = error("AT833", "not-in-the-source", Stratum.MEANING)
AT834 = error("AT834", "wider-than-the-source", Stratum.MEANING)
AT925 = error("AT925", "closed-under-one-identity", Stratum.MEANING)
AT926 = error("AT926", "resealed-under-one-identity", Stratum.MEANING)
AT927 = warning("AT927", "source-not-given", Stratum.MEANING)

RULES = (
    AT214,
    AT215,
    AT312,
    AT314,
    AT629,
    AT710,
    AT711,
    AT712,
    AT832,
    AT833,
    AT834,
    AT925,
    AT926,
    AT927,
)

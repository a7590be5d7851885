"""The one table of what is measured, against what, and how much it may be.

Words of a command that begin with "@" are filled in by the runner: @attraj and @python are those of the
installed wheel, @harbor @atif @rfc8785 @dataclaw @langsmith the interpreters of the peers, @jq @gitleaks @betterleaks
@kingfisher @detect-secrets programs, @timed @loop @redactor @converter scripts beside this file, @out-NAME a folder to
write to; every other one is an input of `inputs.RECIPES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

ALLOWANCE = 1.25  # a shared machine: times count as met with allowance up to a quarter above the target

LOADS = ("@python", "-c", "import orjson,sys;orjson.loads(open(sys.argv[1],'rb').read())")
PASS = ("@python", "-c", "pass")
HARBOR = ("@harbor", "-m", "harbor.utils.trajectory_validator", "--no-validate-images")
MODELS = "import sys,atif;atif.Trajectory.model_validate_json(open(sys.argv[1],'rb').read())"


@dataclass(frozen=True, slots=True)
class Target:
    """One row.

    Attributes:
        id: "P3"; a letter behind it when a target has several rows.
        what: What is run, in words.
        against: What it is compared with, in words; "" when it stands alone.
        ours: Our command.
        base: The other one; () when it stands alone.
        at_most: The ratio that is not to be passed; None for a row that informs.
        pairs: How many pairs are taken.
        peak_mb: Peak memory that is not to be passed, in MB (10^6 bytes); 0 for none.
        peak_of: The input whose size the peak is compared with; "" for none.
        peak_at_most: Peak over the size of that input that is not to be passed; 0 for none.
        exit_code: How ours must end.
        times_itself: Both print the seconds that count.
        has_workers: Ours starts processes that outlive its waiting: their processor time is not counted, so not shown.
        is_slow: Left out by --quick.
        is_large: Only with --large.
        absent_modules: Packages that our command must not import; the row then has no times.
    """

    id: str
    what: str
    ours: tuple[str, ...]
    against: str = ""
    base: tuple[str, ...] = ()
    at_most: float | None = None
    pairs: int = 7
    peak_mb: float = 0
    peak_of: str = ""
    peak_at_most: float = 0
    exit_code: int = 0
    times_itself: bool = False
    has_workers: bool = False
    is_slow: bool = False
    is_large: bool = False
    absent_modules: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The target that the row belongs to: P5 of P5a."""
        return self.id.rstrip(ascii_lowercase)


def _validate(name: str, *options: str) -> tuple[str, ...]:
    return ("@attraj", "validate", *options, f"@{name}")


def _timed(python: str, operation: str, name: str) -> tuple[str, ...]:
    return (python, "@timed", operation, f"@{name}")


def _scan(name: str, *options: str) -> tuple[str, ...]:
    # Made-up trajectories hold nothing that is found, whichever scanner looks: all of them end alike.
    return ("@attraj", "scan", *options, f"@{name}")


def _convert(name: str, to: str, *options: str) -> tuple[str, ...]:
    return ("@attraj", "convert", "--to", to, "--overwrite", "--quiet", *options, f"@{name}")


L = "orjson.loads, whole process"
GITLEAKS = ("@gitleaks", "dir", "--no-banner", "--log-level", "error", "--ignore-gitleaks-allow", "--exit-code", "0")
BETTERLEAKS = ("@betterleaks", "filesystem", "--no-banner", "--silent", "--no-allow-signatures", "--exit-code", "0")
KINGFISHER = ("@kingfisher", "scan", "--no-validate", "--no-update-check", "--no-rule-cache", "--no-ignore")

TARGETS: tuple[Target, ...] = (
    Target("P1", "--version", ("@attraj", "--version"), "python -c pass", PASS, 2.0, pairs=25),
    Target("P2a", "validate ATIF 38 kB", _validate("atif-38k"), "python -c pass", PASS, 6.5, pairs=25),
    Target("P2b", "validate a Bundle of 50 nodes, 38 kB", _validate("bundle-50"), "python -c pass", PASS, pairs=15),
    Target("P3", "validate ATIF 10 MB", _validate("atif-10M"), L, (*LOADS, "@atif-10M"), 1.8, pairs=15,
           peak_mb=60, peak_of="atif-10M"),
    Target("P4", "validate ATIF 100 MB", _validate("atif-100M"), L, (*LOADS, "@atif-100M"), 1.3,
           peak_mb=420, peak_of="atif-100M", is_slow=True),
    Target("P5a", "validate ATIF 10 MB", _validate("atif-10M"), "jq empty", ("@jq", "empty", "@atif-10M"), 1.5,
           pairs=11),
    Target("P5b", "validate ATIF 10 MB", _validate("atif-10M"), "python -m json.tool",
           ("@python", "-m", "json.tool", "@atif-10M"), 0.4),
    Target("P6a", "validate ATIF 38 kB", _validate("atif-38k"), "Harbor's validator", (*HARBOR, "@atif-38k"), 0.5,
           pairs=11),
    Target("P6b", "validate ATIF 10 MB", _validate("atif-10M"), "Harbor's validator", (*HARBOR, "@atif-10M"), 0.3),
    Target("P6c", "validate ATIF 100 MB", _validate("atif-100M"), "Harbor's validator", (*HARBOR, "@atif-100M"), 0.3,
           pairs=5, is_slow=True),
    Target("P6d", "validate ATIF 10 MB", _validate("atif-10M"), "the models of atif",
           ("@atif", "-c", MODELS, "@atif-10M")),
    Target("P7", "validate ATIF 10 MB with 1,000 faults", _validate("atif-10M-broken"), "the clean file",
           _validate("atif-10M"), 1.3, pairs=11, exit_code=1),
    Target("P8a", "validate a Bundle of 100,000 nodes", _validate("bundle-100k"), L, (*LOADS, "@bundle-100k"), 2.5,
           peak_of="bundle-100k", peak_at_most=5),
    Target("P8b", "validate a Bundle of 1,000,000 nodes", _validate("bundle-1M"), L, (*LOADS, "@bundle-1M"), pairs=1,
           peak_mb=8000, peak_of="bundle-1M", is_slow=True, is_large=True),
    Target("P9a", "validate 10,000 files of 23 kB", _validate("many-10k", "-j1"), "orjson.loads over all, one process",
           ("@python", "@loop", "@many-10k"), 2.8, is_slow=True),
    Target("P9b", "validate 10,000 files of 23 kB", _validate("many-10k", "-j1"), "jq empty over all",
           ("sh", "-c", "find \"$1\" -type f -print0 | xargs -0 \"$0\" empty", "@jq", "@many-10k"), 0.5, pairs=5,
           is_slow=True),
    Target("P10a", "validate 100 files, -j2", _validate("many-100", "-j2"), "-j1", _validate("many-100", "-j1"), 1.1,
           pairs=15, has_workers=True),
    Target("P10b", "validate 10,000 files, -j2", _validate("many-10k", "-j2"), "-j1", _validate("many-10k", "-j1"),
           0.75, has_workers=True, is_slow=True),
    Target("P11a", "convert a .traj of 10 MB to a Bundle", _convert("traj-10M", "bundle", "-o", "@out-bundle"), L,
           (*LOADS, "@traj-10M"), peak_of="traj-10M"),
    Target("P11b", "convert a .traj of 1 GB to a Bundle", _convert("traj-1G", "bundle", "-o", "@out-bundle"), L,
           (*LOADS, "@traj-1G"), 1.5, pairs=3, peak_of="traj-1G", is_slow=True, is_large=True),
    Target("P12a", "canonical digest, ATIF 10 MB", _timed("@python", "digest", "atif-10M"), "orjson.loads in memory",
           _timed("@python", "loads", "atif-10M"), 1.5, times_itself=True),
    Target("P12b", "canonical digest, Bundle of 15,000 nodes", _timed("@python", "digest", "bundle-15k"),
           "orjson.loads in memory", _timed("@python", "loads", "bundle-15k"), 1.5, times_itself=True),
    Target("P12c", "canonical digest, ATIF 10 MB of token ids", _timed("@python", "digest", "atif-10M-tokens"),
           "orjson.loads in memory", _timed("@python", "loads", "atif-10M-tokens"), 2.8, times_itself=True),
    Target("P12d", "canonical digest, ATIF 10 MB of floats", _timed("@python", "digest", "atif-10M-floats"),
           "orjson.loads in memory", _timed("@python", "loads", "atif-10M-floats"), 2.8, times_itself=True),
    Target("P12e", "canonical digest, ATIF 10 MB", _timed("@python", "digest", "atif-10M"), "the rfc8785 package",
           _timed("@rfc8785", "rfc8785", "atif-10M"), 0.25, pairs=5, times_itself=True),
    Target("P12f", "canonical digest, ATIF 10 MB of floats", _timed("@python", "digest", "atif-10M-floats"),
           "the rfc8785 package", _timed("@rfc8785", "rfc8785", "atif-10M-floats"), 0.25, pairs=5, times_itself=True),
    Target("P13a", "scan ATIF 10 MB", _scan("atif-10M", "--engine", "fast"), L, (*LOADS, "@atif-10M"), 8.0),
    Target("P13b", "scan ATIF 10 MB without the accelerator", _scan("atif-10M", "--engine", "stdlib"), L,
           (*LOADS, "@atif-10M"), 30.0, pairs=5),
    Target("P13c", "scan .traj 10 MB", _scan("traj-10M", "--engine", "fast"), L, (*LOADS, "@traj-10M"), 2.0),
    Target("P13d", "scan ATIF 10 MB", _scan("atif-10M", "--engine", "fast"), "gitleaks", (*GITLEAKS, "@atif-10M"),
           pairs=5),
    Target("P13e", "scan ATIF 10 MB", _scan("atif-10M", "--engine", "fast"), "betterleaks",
           (*BETTERLEAKS, "@atif-10M"), pairs=5),
    Target("P13f", "scan ATIF 10 MB", _scan("atif-10M", "--engine", "fast"), "kingfisher, no cache of its rules",
           (*KINGFISHER, "@atif-10M"), pairs=5),
    Target("P13g", "scan ATIF 38 kB", _scan("atif-38k", "--engine", "fast"), "detect-secrets",
           ("@detect-secrets", "scan", "--no-verify", "@atif-38k"), pairs=5),
    Target("P13h", "redact and prove ATIF 10 MB", ("@attraj", "redact", "@atif-10M"), "dataclaw, no proof",
           ("@dataclaw", "@redactor", "dataclaw", "@atif-10M"), pairs=3, is_slow=True),
    Target("P13i", "redact and prove ATIF 10 MB", ("@attraj", "redact", "@atif-10M"), "langsmith, no proof",
           ("@langsmith", "@redactor", "langsmith", "@atif-10M"), pairs=3, is_slow=True),
    Target("P14a", "validate ATIF 38 kB imports none of", _validate("atif-38k"), "pydantic, rich, networkx",
           absent_modules=("pydantic", "rich", "networkx")),
    Target("P14b", "validate a Bundle of 50 nodes imports none of", _validate("bundle-50"), "pydantic, rich, networkx",
           absent_modules=("pydantic", "rich", "networkx")),
    Target("P15a", "convert 250 .traj of 1 MB to ATIF, every loss reported",
           _convert("many-trajs", "atif", "-j1", "-o", "@out-atif", "--loss-report", "@out-atif/losses.json"),
           "Harbor's converter in a loop, no losses",
           ("@harbor", "@converter", "@many-trajs", "@out-harbor"), 3.5, pairs=3, peak_mb=400, is_slow=True),
    Target("P15b", "the same, proven", _convert("many-trajs", "atif", "-j1", "-o", "@out-atif", "--verify"),
           "without --verify", _convert("many-trajs", "atif", "-j1", "-o", "@out-atif"), pairs=3, is_slow=True),
    Target("P16a", "convert a Harbor job of 1,000 trials to Bundles",
           _convert("job-1k", "bundle", "-j1", "-o", "@out-job"), "orjson.loads over all, one process",
           ("@python", "@loop", "@job-1k"), 6.0, pairs=3, peak_mb=200, is_slow=True),
    Target("P16b", "the same, -j2", _convert("job-1k", "bundle", "-j2", "-o", "@out-job"), "-j1",
           _convert("job-1k", "bundle", "-j1", "-o", "@out-job"), 0.75, pairs=3, has_workers=True, is_slow=True),
    Target("P17a", "stats of 10,000 files of 23 kB", ("@attraj", "stats", "@many-10k"),
           "orjson.loads over all, one process", ("@python", "@loop", "@many-10k"), 3.0, pairs=5, is_slow=True),
    Target("P17b", "the same, --to json", ("@attraj", "stats", "--to", "json", "@many-10k"),
           "orjson.loads over all, one process", ("@python", "@loop", "@many-10k"), 3.0, pairs=5, is_slow=True),
    Target("P17c", "the same, --to csv", ("@attraj", "stats", "--to", "csv", "@many-10k"),
           "orjson.loads over all, one process", ("@python", "@loop", "@many-10k"), 3.0, pairs=5, is_slow=True),
)  # fmt: skip

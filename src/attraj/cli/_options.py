"""One table of options: a name means the same thing in every command (decisions 5)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import typer

from attraj.bundle.vocabulary import LOSS_CATEGORIES

Form = Literal["text", "json", "jsonl", "sarif", "junit", "github"]
SeverityWord = Literal["error", "warning", "info"]
Level = Literal["bytes", "shape", "references", "structure", "meaning", "profiles"]
Target = Literal["bundle", "atif", "swe-agent", "mini-swe-agent", "react-web"]
Relation = Literal["derive", "redaction", "reexport", "revision", "reward_derivation"]


class Profile(StrEnum):
    """Typer takes an enumeration, and not a Literal, for an option that may be repeated."""

    CORE = "AT-Core"
    EVALUATION = "AT-Evaluation"
    TRAINING = "AT-Training"


def complete_codes(incomplete: str) -> list[str]:
    """Codes and slugs for a shell that asks (imports every format: only then)."""
    from attraj.verbs.explain import all_rules

    words = [word for rule in all_rules() for word in (rule.code, rule.slug)]
    return [word for word in words if word.lower().startswith(incomplete.lower())]


def complete_formats(incomplete: str) -> list[str]:
    """Names of formats for a shell that asks."""
    from attraj.formats import FORMATS

    return [known.name for known in FORMATS if known.name.startswith(incomplete)]


def complete_categories(incomplete: str) -> list[str]:
    """Categories of losses for a shell that asks."""
    return [word for word in ("any", *LOSS_CATEGORIES) if word.startswith(incomplete)]


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH...",
        show_default=False,
        help="Files, Harbor trial or job folders, any folder, or - for standard input.",
    ),
]
FormatOption = Annotated[Form | None, typer.Option("--format", show_default="text", help="Form of the report.")]
FromOption = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="NAME",
        autocompletion=complete_formats,
        help="Insist on a format instead of telling it by content.",
    ),
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="CODE",
        autocompletion=complete_codes,
        help="Report these only: a code, a slug, a family (AT3). Repeatable.",
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="CODE",
        autocompletion=complete_codes,
        help="Leave these out; verdicts do not change. Repeatable.",
    ),
]
FailOnOption = Annotated[
    SeverityWord | None,
    typer.Option(
        "--fail-on",
        show_default="error",
        help="Exit 1 when a finding weighs this much or more.",
    ),
]
ExitZeroOption = Annotated[
    bool | None, typer.Option("--exit-zero", help="Exit 0 whatever the findings (not when a file is unreadable).")
]
ProfileOption = Annotated[
    list[Profile] | None,
    typer.Option("--profile", help="Judge a Bundle by this profile, claimed or not. Repeatable."),
]
LevelOption = Annotated[
    Level | None,
    typer.Option("--level", show_default="profiles", help="Check up to this stratum and no further."),
]
SummaryOption = Annotated[bool, typer.Option("--summary", help="Print the account only.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print findings only.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Name clean and skipped documents too.")]
ShowAllOption = Annotated[bool, typer.Option("--show-all", help="List every finding of a document, not the first 50.")]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude", metavar="PATTERN", help="Leave out of walks, trials and runs what matches (* and ?). Repeatable."
    ),
]
FilesFromOption = Annotated[
    str | None, typer.Option("--files-from", metavar="LIST", help="Read paths from a file, one a line (- for stdin).")
]
SkipUnknownOption = Annotated[
    bool, typer.Option("--skip-unknown", help="Skip named files of no known format too, as walks do (for hooks).")
]
StdinNameOption = Annotated[
    str | None, typer.Option("--stdin-filename", metavar="NAME", help="Name to report standard input under.")
]
BaselineOption = Annotated[
    str | None, typer.Option("--baseline", metavar="FILE", help="Leave out what this earlier JSON report holds.")
]
KeyFileOption = Annotated[
    str | None, typer.Option("--key-file", metavar="FILE", help="Key of the fingerprints, 32 bytes or more.")
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=0, show_default="1", help="Processes to use at most, when it pays; 0 for all cores."
    ),
]
ConfigOption = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Settings file instead of the nearest attraj.toml.")
]
NoConfigOption = Annotated[bool, typer.Option("--no-config", help="Read no settings file.")]
AgainstOption = Annotated[
    str | None, typer.Option("--against", metavar="OLD", help="Check the document as made from this older one.")
]
RelationOption = Annotated[
    Relation | None,
    typer.Option("--relation", help="How it was made from OLD, when it does not say so itself."),
]
LenientOption = Annotated[
    bool, typer.Option("--lenient", help="Of a .traj that breaks off, check the complete steps before the break too.")
]
StrictClosureOption = Annotated[
    bool | None, typer.Option("--strict-closure", help="A parent that is not declared is an error (AT305).")
]
SchemaOption = Annotated[
    Literal["morphz-ref"] | None,
    typer.Option("--schema", help="Tell differences from the reference form as well (AT125)."),
]
NowOption = Annotated[
    str, typer.Option("--now", metavar="TIME", help="Judge validity of rights at this RFC 3339 time (AT810).")
]
PurposeOption = Annotated[
    str, typer.Option("--purpose", metavar="PURPOSE", help="Training purpose that must be covered (AT809).")
]
MaxBytesOption = Annotated[
    int | None,
    typer.Option("--max-bytes", min=1, help="Largest document, also after decompression.", show_default="1 GiB"),
]
MaxDepthOption = Annotated[int | None, typer.Option("--max-depth", min=1, help="Deepest nesting.", show_default="200")]
MaxNodesOption = Annotated[
    int | None, typer.Option("--max-nodes", min=1, help="Most nodes of a Bundle.", show_default="2,000,000")
]
OnePath = Annotated[
    str, typer.Argument(metavar="FILE", show_default=False, help="A document, a Harbor trial folder, or - for stdin.")
]
StepOption = Annotated[
    int | None, typer.Option("--step", metavar="N", min=1, help="Show this step alone, whole, with its findings.")
]
StepsOption = Annotated[
    str | None, typer.Option("--steps", metavar="RANGE", help="Show these steps only: 3-9, 3- or -9.")
]
FullOption = Annotated[bool, typer.Option("--full", help="Show long texts whole instead of their beginnings.")]
IndexOption = Annotated[
    int | None,
    typer.Option("--index", metavar="K", min=0, help="Of a file of many documents, the one at this position, from 0."),
]
NoPagerOption = Annotated[bool, typer.Option("--no-pager", help="Write to the terminal at once, without a pager.")]
ScanConfigOption = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Settings file; none is looked for.")
]
PiiOption = Annotated[
    Literal["none", "standard", "strict"] | None,
    typer.Option("--pii", show_default="standard", help="Which personal data is looked for."),
]
GitleaksConfigOption = Annotated[
    str | None, typer.Option("--gitleaks-config", metavar="FILE", help="Apply the rules of a .gitleaks.toml as well.")
]
RulesOption = Annotated[
    list[str] | None, typer.Option("--rules", metavar="FILE", help="Apply this rule pack as well. Repeatable.")
]
KnownSecretsOption = Annotated[
    str | None,
    typer.Option("--known-secrets", metavar="FILE", help="Look for these values: a .env, or one a line. Never shown."),
]
AllowFileOption = Annotated[
    str | None, typer.Option("--allow-file", metavar="FILE", help="What stays: [[allow]] tables, each with its reason.")
]
EngineOption = Annotated[
    Literal["auto", "stdlib", "fast"],
    typer.Option("--engine", help="How literals are searched; both find the same."),
]
SecondOpinionOption = Annotated[
    Literal["kingfisher", "gitleaks", "betterleaks"] | None,
    typer.Option("--second-opinion", help="Ask another scanner as well; it has to be installed."),
]
SecretFailOption = Annotated[
    SeverityWord | None,
    typer.Option("--fail-on", show_default="warning", help="Exit 1 when a finding weighs this much or more."),
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="OUT", help="A file for one input, a folder that mirrors several."),
]
OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist. Never an input.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="List what would go, by place and kind; write nothing.")]
PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", metavar="FILE", help="Policy (TOML): what goes besides, what stays."),
]
AllowUnscannedOption = Annotated[
    bool, typer.Option("--allow-unscanned", help="Write what could not be looked at whole; it is counted, exit 1.")
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Refuse documents that leave something for a person to look at.")
]
SelfTestOption = Annotated[
    bool, typer.Option("--self-test", help="Plant secrets in a document of our own and see that each one goes.")
]
ManifestOption = Annotated[
    str | None,
    typer.Option("--manifest", metavar="FILE", show_default="_attraj/ beside the output", help="Audit manifest."),
]
PrivateManifestOption = Annotated[
    str | None,
    typer.Option("--private-manifest", metavar="FILE", help="For the owner alone: digests of inputs, the salt."),
]
MapOutOption = Annotated[
    str | None,
    typer.Option("--map-out", metavar="FILE", help="For the owner alone: what each placeholder stands for, encrypted."),
]
MapKeyOption = Annotated[
    list[str] | None,
    typer.Option("--map-key", metavar="KEY", help="Public key of age or SSH that the map is encrypted to; repeatable."),
]
ReviewerOption = Annotated[
    str,
    typer.Option("--reviewer", metavar="NAME", help="Who looked at the result, for the manifest."),
]
NoAccountOption = Annotated[bool, typer.Option("--quiet", "-q", help="Give no account of what was done.")]
PlacesOption = Annotated[bool, typer.Option("--verbose", "-v", help="List what went, by place and kind.")]
OneScopeOption = Annotated[
    bool, typer.Option("--one-scope", help="Everything given is one trial: the same values, the same numbers.")
]
AccountForm = Annotated[Literal["text", "json"], typer.Option("--format", help="Form of the account.")]
CountForm = Annotated[Literal["table", "json", "csv"], typer.Option("--to", help="Form of the answer.")]

# --- convert ---

ToOption = Annotated[Target, typer.Option("--to", show_default=False, help="Format to write.")]
ConvertedOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="A file for one input, a folder that mirrors several; without it, or with -, one goes to standard output.",
    ),
]
AtifVersionOption = Annotated[
    Literal["1.6", "1.7", "1.8"] | None,
    typer.Option("--atif-version", show_default="the version read, else 1.7", help="Version of ATIF to write."),
]
FormOption = Annotated[
    Literal["morphz-ref"] | None,
    typer.Option("--form", help="Write Bundles in the strict reference form, without native extensions."),
]
LossReportOption = Annotated[
    str | None,
    typer.Option("--loss-report", metavar="FILE", help="Write every loss with all of its places to a file (JSON)."),
]
FailOnLossOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on-loss",
        metavar="CATEGORY",
        autocompletion=complete_categories,
        help="Do not write what would lose anything of this category; exit 1. Repeatable, or with commas between: any, "
        f"{', '.join(LOSS_CATEGORIES)}.",
    ),
]
VerifyOption = Annotated[
    bool,
    typer.Option("--verify", help="Prove that each value of the source is in what is written, or among the losses."),
]
ConvertLenientOption = Annotated[
    bool,
    typer.Option("--lenient", help="Convert what can be read of documents with errors; every repair is a loss."),
]
NoInferredEdgesOption = Annotated[
    bool, typer.Option("--no-inferred-edges", help="Leave out edges that rest on turn order or loop semantics alone.")
]
StripThoughtsOption = Annotated[
    bool, typer.Option("--strip-thoughts", help="Leave the agent's reasoning out, as a declared loss.")
]
SplitSubagentsOption = Annotated[
    bool, typer.Option("--split-subagents", help="Subagents as documents of their own beside the main one.")
]
EmbedSubagentsOption = Annotated[
    bool, typer.Option("--embed-subagents", help="Subagents inside the document that called them.")
]
UpgradeOption = Annotated[
    bool, typer.Option("--upgrade", help="Write ATIF in the newest version, whatever version was read.")
]
AssetsOption = Annotated[
    str | None,
    typer.Option("--assets", metavar="DIR", help="Write data: URIs as files, into this folder beside each output."),
]
TrajectoryIdOption = Annotated[
    str | None,
    typer.Option("--trajectory-id", metavar="ID", help="Identity of the one document, instead of the source's own."),
]
VerdictsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--verdicts",
        metavar="FILE",
        help="Read this report of SWE-bench or SWE-smith with the trajectories that it is about. Repeatable.",
    ),
]
DerivedOption = Annotated[
    bool, typer.Option("--derived", help="Add the fields that can be derived to a .traj, flagged as derived.")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the run that was interrupted in the output folder.")
]
RelativeToOption = Annotated[
    str | None,
    typer.Option("--relative-to", metavar="DIR", help="Name outputs by their path below DIR, not below each PATH."),
]
FailuresOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Tell of what was not converted only; draw no progress.")
]
DocumentsOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Name every document, with its output and its losses.")
]

"""`attraj redact`: copies without secrets and personal data, proven before anything is written."""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import typer

from attraj import __version__
from attraj.batch.files import files
from attraj.batch.redact import Group, Outputs, RedactTask, groups, plain_name, redact_groups, worst
from attraj.cli._account import Account, account_of
from attraj.cli._detection import Wanted, detector, now, require_paths, wanted
from attraj.cli._io import account_output, flush_account, standard_error, standard_output, write_bytes, write_private
from attraj.cli._map import MapOut
from attraj.cli._options import (
    AccountForm,
    AllowFileOption,
    AllowUnscannedOption,
    DryRunOption,
    EngineOption,
    ExcludeOption,
    FilesFromOption,
    GitleaksConfigOption,
    JobsOption,
    KnownSecretsOption,
    ManifestOption,
    MapKeyOption,
    MapOutOption,
    MaxBytesOption,
    MaxDepthOption,
    NoAccountOption,
    OneScopeOption,
    OutputOption,
    OverwriteOption,
    Paths,
    PiiOption,
    PlacesOption,
    PolicyOption,
    PrivateManifestOption,
    ReviewerOption,
    RulesOption,
    ScanConfigOption,
    SecondOpinionOption,
    SelfTestOption,
    StrictOption,
)
from attraj.cli._request import Chosen, chosen, limits_of, paths_of
from attraj.cli.app import new_app
from attraj.errors import AttrajError, ReaderLeft
from attraj.jsonio.write import dumps, write_atomic
from attraj.redaction import canaries
from attraj.redaction.audit import Facts, manifest, private_manifest
from attraj.redaction.run import Done, Tools

app = new_app()


@app.command()
def redact(
    paths: Paths = None,
    output: OutputOption = None,
    policy: PolicyOption = None,
    pii: PiiOption = None,
    known_secrets: KnownSecretsOption = None,
    allow_file: AllowFileOption = None,
    rules: RulesOption = None,
    gitleaks_config: GitleaksConfigOption = None,
    engine: EngineOption = "auto",
    second_opinion: SecondOpinionOption = None,
    dry_run: DryRunOption = False,
    overwrite: OverwriteOption = False,
    allow_unscanned: AllowUnscannedOption = False,
    strict: StrictOption = False,
    one_scope: OneScopeOption = False,
    manifest: ManifestOption = None,
    private_manifest: PrivateManifestOption = None,
    map_out: MapOutOption = None,
    map_key: MapKeyOption = None,
    reviewer: ReviewerOption = "",
    self_test: SelfTestOption = False,
    form: AccountForm = "text",
    quiet: NoAccountOption = False,
    verbose: PlacesOption = False,
    files_from: FilesFromOption = None,
    exclude: ExcludeOption = None,
    jobs: JobsOption = None,
    config: ScanConfigOption = None,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
) -> None:
    """Write copies without secrets and personal data: the same documents, byte for byte, but for what had to go.

    What goes becomes <TYPE_n>, equal values the same one within a trial. Bundles say what was done. Nothing is
    written unless it is proven that nothing is left and nothing else changed.

    Exit codes: 0 written, 1 written and something is left to look at, 2 something cannot be read, 5 a proof does not
    hold and the document was not written.
    """
    given = dict(locals())
    options = {"format" if name == "form" else name.replace("_", "-"): value for name, value in given.items()}
    asked = chosen({**options, "no-config": config is None})
    raise typer.Exit(_self_test(wanted(asked.values)) if self_test else _Run(asked).run())


def _self_test(asked: Wanted) -> int:
    number, failures = canaries.self_test(detector(asked), asked.policy, secrets.token_bytes(32))
    for failure in failures:
        standard_error()(f"attraj: self-test: {failure.detail}\n")
    standard_output()(f"self-test: {number} planted, {len(failures)} left\n")
    return 5 if failures else 0


@dataclass(slots=True)
class _Run:
    """One run over everything that was given."""

    asked: Chosen
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    started_at: str = field(default_factory=lambda: f"{now():%Y-%m-%dT%H:%M:%SZ}")

    def run(self) -> int:
        asked = self.asked
        paths = list(paths_of(asked["paths"], asked["files-from"]))
        require_paths(paths, "attraj redact traces/ -o public/")
        out = asked["output"]
        looked_for = wanted(asked.values)
        detector(looked_for)
        map_out = self._map_out(out)
        task = self._task(looked_for)
        with_tools = task.tools()
        found = list(files(paths, asked["exclude"] or (), without=out or ""))
        is_folder = self._is_folder(paths, out)
        outputs = self._outputs(out, is_folder, found)
        gc.disable()  # parsed documents hold no cycles
        is_dry = bool(asked["dry-run"])
        account = Account(
            self._write_account(out), asked.form, is_dry=is_dry, has_places=is_dry or bool(asked["verbose"])
        )
        made: list[Group] = []
        scopes = groups(found, one_scope=bool(asked["one-scope"]))
        for group in redact_groups(scopes, task, with_tools, asked.jobs):
            self._give_out(group, outputs)
            account.add(account_of(group, with_tools, outputs))
            made.append(group)
        code = worst(group.exit_code() for group in made)
        if not asked["dry-run"]:
            account.manifest = self._manifests(made, with_tools, out, is_folder)
            if map_out is not None:
                done = [group.done for group in made if group.done is not None and group.is_written]
                map_out.write(done, is_replaced=bool(self.asked["overwrite"]))
        account.close()
        if not asked["dry-run"]:
            flush_account()
        return code

    def _map_out(self, out: str | None) -> MapOut | None:
        path, keys = self.asked["map-out"], self.asked["map-key"] or ()
        if not path:
            if keys:
                raise AttrajError("--map-key says for whom a map is, and --map-out where it goes")
            return None
        is_folder = out is not None and (os.path.isdir(out) or not os.path.exists(out))
        return MapOut(str(path), keys, str(out) if is_folder else "")

    def _task(self, looked_for: Wanted) -> RedactTask:
        return RedactTask(
            looked_for.detection,
            looked_for.policy,
            f"attraj@{__version__}",
            self.salt,
            looked_for.known,
            limits_of(self.asked),
            self.asked["second-opinion"] or "",
            bool(self.asked["allow-unscanned"]),
            bool(self.asked["strict"]),
        )

    def _is_folder(self, paths: Sequence[str], out: str | None) -> bool:
        is_many = len(paths) > 1 or os.path.isdir(paths[0])
        if out is None:
            if is_many and not self.asked["dry-run"]:
                raise AttrajError("several inputs need -o FOLDER", hint="one input without -o goes to standard output")
            return is_many
        if is_many and os.path.exists(out) and not os.path.isdir(out):
            raise AttrajError("several inputs need a folder to go to, and the output is a file")
        return is_many or os.path.isdir(out) or out.endswith(("/", os.sep))

    def _outputs(self, out: str | None, is_folder: bool, found: Sequence[Any]) -> Outputs | None:
        if out is None or self.asked["dry-run"]:
            return None
        inputs = [file.path for file in found if file.path != "-"]
        made = Outputs(out, is_folder=is_folder, inputs=inputs, overwrite=bool(self.asked["overwrite"]))
        made.require_free(plain_name(file.name) for file in found if not file.reason)
        return made

    def _write_account(self, out: str | None) -> Callable[[str], object]:
        if self.asked["quiet"]:
            return lambda _text: None
        if self.asked["dry-run"]:
            return standard_output()  # the account is the product: without a reader there is nothing to go on for
        return account_output() if out is not None else standard_error()

    def _give_out(self, group: Group, outputs: Outputs | None) -> None:
        if group.bug:
            standard_error()(group.bug + "\n")
        if not group.is_written or group.done is None or self.asked["dry-run"]:
            return
        if outputs is not None:
            outputs.write(group.done.outputs)
        else:
            with suppress(ReaderLeft):  # manifests and the map are still wanted
                for _, raw in group.done.outputs:
                    write_bytes(raw)

    # --- manifests ---

    def _manifests(self, made: Sequence[Group], with_tools: Tools, out: str | None, is_folder: bool) -> str:
        done = [group.done for group in made if group.done is not None and group.is_written]
        facts = self._facts(with_tools)
        path = self._manifest_path(out, is_folder)
        if path and done:
            left = [{"reason": left.reason} for group in made for left in group.left_out]
            left += [{"reason": reason} for group in made for reason in group.reasons]
            is_review = any(group.has_remains for group in made)
            result = "review" if is_review or left else "verified"
            text = manifest(done, with_tools, facts, result=result, left_out=left)
            _write(path, text, is_replaced=bool(self.asked["overwrite"]))
        if self.asked["private-manifest"] and done:
            self._private(done, facts, out, is_folder)
        return path if done else ""

    def _manifest_path(self, out: str | None, is_folder: bool) -> str:
        if self.asked["manifest"]:
            return str(self.asked["manifest"])
        if out is None:
            return ""
        if is_folder:
            return os.path.join(out, "_attraj", "redaction.json")
        folder, name = os.path.split(out)
        return os.path.join(folder, "_attraj", f"{name}.redaction.json")

    def _facts(self, with_tools: Tools) -> Facts:
        reviewer = self.asked["reviewer"] or ""
        packs = [tuple(pack) for pack in getattr(with_tools.detector, "packs", ())]
        return Facts(
            "attraj",
            __version__,
            self.started_at,
            self.salt,
            reviewer,
            self.started_at if reviewer else "",
            packs,
            (_engine(with_tools.detector), _engine(with_tools.residual)),
            (with_tools.opinion.name, with_tools.opinion.version) if with_tools.opinion else ("", ""),
        )

    def _private(self, done: Sequence[Done], facts: Facts, out: str | None, is_folder: bool) -> None:
        path = str(self.asked["private-manifest"])
        folder = os.path.realpath(out) if out and is_folder else ""
        if folder and os.path.realpath(path).startswith(folder + os.sep):
            raise AttrajError("the private manifest would be published with the output", hint="put it elsewhere")
        text = dumps(private_manifest(done, facts), indent=True) + b"\n"
        write_private(path, text, overwrite=bool(self.asked["overwrite"]))


def _engine(detector: Any) -> str:
    return str(getattr(detector, "engine", "stdlib"))


def _write(path: str, value: Mapping[str, Any], *, is_replaced: bool) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    write_atomic(path, dumps(value, indent=True) + b"\n", overwrite=is_replaced)

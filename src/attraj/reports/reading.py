"""A document drawn for a person: what it is, step by step, with what is wrong beside the step that it is wrong with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap

from attraj.findings import Finding, Severity
from attraj.formats.story import Call, Facts, Passage, Result, Step, Tokens
from attraj.reports.escaping import document_name, escaped
from attraj.reports.layout import View, block, inline
from attraj.verbs.show import Reading

UNKNOWN = "unknown"
_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_BOLD, _DIM, _MARK = "1", "2", "33"
_WARNING = "Shown as recorded and unredacted: it may hold secrets, personal data, and instructions to whoever reads it."
_SHOWN = 20  # findings of one place that are listed


def head(reading: Reading, view: View, *, is_brief: bool = False) -> Iterator[str]:
    """What stands above the steps; `is_brief` leaves it at the name, the warning, and whether findings were sought."""
    facts = reading.story.facts
    place = document_name(reading.path, reading.index)
    yield view.paint(place, _BOLD) + f" ({facts.format}{' ' + facts.version if facts.version else ''})"
    yield from wrap(_WARNING, max(view.width, 40))
    lines: list[tuple[str, str]] = []
    if not is_brief:
        lines += [*_title(reading, view), *_numbers(facts, view)]
    if not is_brief or reading.report is None:
        lines.append(("findings", _counts(reading)))
        yield ""
    for label, value in lines:
        yield from wrap(value, max(view.width, 40), initial_indent=f"  {label:<13}", subsequent_indent=" " * 15)
    if is_brief:
        return
    for remark in reading.story.remarks:
        yield from wrap(remark, max(view.width, 40), initial_indent="  note: ", subsequent_indent="        ")
    task = reading.story.task
    if task is not None:
        yield ""
        yield view.paint("Task", _BOLD)
        yield from _passage(task, view)


def body(reading: Reading, steps: Iterable[Step], view: View, *, is_whole: bool = False) -> Iterator[str]:
    """The steps. `is_whole` draws all of each: measures, further members, whole findings."""
    for step in steps:
        yield ""
        yield from _step(reading, step, view, is_whole)


def tail(reading: Reading, view: View, told: set[str]) -> Iterator[str]:
    """Records that are no steps, then the findings that stand at no step.

    Args:
        told: Places of the steps that were drawn.
    """
    for record in reading.story.records:
        told.add(record.pointer)
        yield ""
        yield from _step(reading, record, view, is_whole=False)
    if reading.report is None:
        return
    left = [f for f in reading.report.findings if not _is_told(f, told)]
    if left:
        yield ""
        yield view.paint("Findings at no step", _BOLD)
        yield from _findings(left, view, is_whole=view.is_full)


def _is_told(finding: Finding, told: set[str]) -> bool:
    place = finding.location.pointer
    while place:
        if place in told:
            return True
        place = place.rpartition("/")[0]
    return False


# --- the head ----------------------------------------------------------------------------------------------------


def _title(reading: Reading, view: View) -> Iterator[tuple[str, str]]:
    facts = reading.story.facts
    agent = UNKNOWN if facts.agent is None else inline(facts.agent, view)
    version = f"version {UNKNOWN}" if facts.agent_version is None else f"version {inline(facts.agent_version, view)}"
    yield "agent", UNKNOWN if facts.agent is None else f"{agent}, {version}"
    yield "model", ", ".join(inline(model, view) for model in facts.models) or UNKNOWN
    for label, value in reading.story.title:
        yield label, inline(value, view)


def _numbers(facts: Facts, view: View) -> Iterator[tuple[str, str]]:
    yield "steps", counted(facts.steps)
    yield "calls", counted(facts.calls)
    if facts.subagents:
        yield "subagents", counted(facts.subagents)
    if facts.attempts is not None:
        yield "attempts", counted(facts.attempts)
    yield "tokens", tokens(facts.tokens)
    yield "cost", UNKNOWN if facts.cost_usd is None else f"{facts.cost_usd} USD (computed by: {facts.cost_origin})"
    if facts.is_segment:
        yield "", "the totals may be those of other segments too"
    for key, value in facts.rewards:
        amount = "no number" if value is None else str(value)
        yield "reward", f"{inline(key, view)} = {amount}" + (" (not valid)" if facts.reward_valid is False else "")
    if not facts.rewards:
        yield "reward", UNKNOWN
    yield "outcome", "; ".join(f"{status}, by {who}".replace("_", " ") for who, status in facts.outcomes) or UNKNOWN
    yield "ended", facts.termination or UNKNOWN


def counted(number: int | None) -> str:
    return UNKNOWN if number is None else f"{number:,}"


def tokens(found: Tokens) -> str:
    """The tokens in words, with where they come from."""
    if not found.basis:
        return UNKNOWN
    parts = [f"{counted(found.input)} input", f"{counted(found.output)} output"]
    if found.cached is not None:
        parts.append(f"{found.cached:,} of the input cached")
    return f"{', '.join(parts)} ({found.basis}; counted by: {found.origin})"


def _counts(reading: Reading) -> str:
    if reading.report is None:
        return "not looked for: the document is read piece by piece; attraj validate looks"
    severities = Counter(finding.severity for finding in reading.report.findings)
    counts = [
        f"{severities[severity]:,} {severity}{'s' if severities[severity] > 1 else ''}"
        for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
        if severities[severity]
    ]
    return ", ".join(counts) or "none"


# --- a step ------------------------------------------------------------------------------------------------------


def _step(reading: Reading, step: Step, view: View, is_whole: bool) -> Iterator[str]:
    title = step.title or f"Step {step.number}"
    role = "" if step.title and step.role == UNKNOWN else f"  {step.role}"
    when = f"  {inline(step.time, view)}" if step.time is not None else ""
    yield view.paint(f"{title}{role}", _BOLD) + when
    if step.marks:
        marks = wrap("; ".join(step.marks), max(view.width, 40), initial_indent="  * ", subsequent_indent="    ")
        yield from (view.paint(line, _MARK) for line in marks)
    if step.title:
        yield from _measures(step, view)
    for passage in step.passages:
        yield from _passage(passage, view)
    for number, call in enumerate(step.calls, 1):
        yield from _call(call, number, view)
    for result in step.results:
        yield from _result(result, bool(step.calls), view)
    if is_whole and not step.title:
        yield from _measures(step, view)
    if is_whole and step.rest:
        from attraj.formats.story import as_text

        yield "  further members:"
        yield from block(as_text(dict(step.rest)), view)
    yield from _findings(reading.findings_at(step), view, is_whole)


def _measures(step: Step, view: View) -> Iterator[str]:
    for label, value in step.measures:
        yield f"  {label}: {inline(value, view, 2000)}"


def _passage(passage: Passage, view: View) -> Iterator[str]:
    if not passage.text:
        yield f"  [{passage.label or 'empty'}]"
        return
    if passage.label:
        yield f"  {passage.label}:"
    yield from block(passage.text, view)


def _call(call: Call, number: int, view: View) -> Iterator[str]:
    yield f"  call {number}:" + ("" if call.name is None else f" {view.paint(inline(call.name, view), _BOLD)}")
    if call.arguments is None:
        yield "  [no arguments recorded]"
    for passage in call.arguments or ():
        yield from _passage(passage, view)
    for mark in call.marks:
        yield view.paint(f"  * {mark}", _MARK)


def _result(result: Result, has_calls: bool, view: View) -> Iterator[str]:
    if result.answers is not None:
        title = f"result of call {result.answers + 1}"
    else:
        title = "result, not linked to a call" if has_calls else "result"
    yield f"  {title}:"
    for mark in result.marks:
        yield view.paint(f"  * {mark}", _MARK)
    if not result.passages:
        yield "  [no content recorded]"
    for passage in result.passages:
        yield from _passage(passage, view)


def _findings(findings: Iterable[Finding], view: View, is_whole: bool) -> Iterator[str]:
    listed = list(findings)
    for finding in listed if is_whole else listed[:_SHOWN]:
        word = view.paint(str(finding.severity), _COLOURS[finding.severity])
        place = escaped(finding.location.pointer) or "(whole document)"
        yield f"  ! {word} {finding.code} {finding.slug}  {view.paint(place, _DIM)}"
        yield from wrap(finding.message, max(view.width, 40), initial_indent="    ", subsequent_indent="    ")
        if finding.hint and is_whole:
            yield from wrap(
                finding.hint, max(view.width, 40), initial_indent="    hint: ", subsequent_indent="          "
            )
    if not is_whole and len(listed) > _SHOWN:
        yield f"  ! and {len(listed) - _SHOWN:,} more findings here"

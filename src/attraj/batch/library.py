"""`attraj.validate_paths`: what `attraj validate` looks at, as one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.findings import Report
from attraj.verbs.validate import DEFAULT_REQUEST, Request


def validate_paths(
    paths: Iterable[str | os.PathLike[str]],
    request: Request = DEFAULT_REQUEST,
    *,
    exclude: Sequence[str] = (),
    jobs: int = 1,
) -> Report:
    """Check files of one or several documents, Harbor and SWE-agent folders, and whole trees.

        report = attraj.validate_paths(["job/", "more.jsonl"])
        for document in report.documents:
            for finding in document.findings:
                print(document.path, document.index, finding.code, finding.location.pointer, finding.message)
        sys.exit(report.exit_code())

    Args:
        paths: Files and folders; "-" is standard input. A path that cannot be read becomes a report that says so.
        request: What to ask of each document.
        exclude: Patterns (`*`, `?`) for the names or paths that walks leave out.
        jobs: The most processes to use; 1 starts none. A script that gives more guards its own start by
            `if __name__ == "__main__"`, as `multiprocessing` asks.

    Returns:
        The reports in the order of the command line: of each document, and of each folder that has a format.
    """
    items = discover([os.fspath(path) for path in paths], exclude)
    return Report("validate", tuple(report for _, report in run(items, request, jobs)))

"""The page of each rule: one Markdown file a family, in a fixed layout, read by `attraj explain` and run by the tests.

    ## AT301 cycle

    One sentence that states the fault as a fact about the document.

    **What it checks.** …            **Why it matters.** …  (who is misled, and how)

    **Bad**                          **Good**
    ```json bad                      ```json good
    {"edges": […]}                   {"edges": […]}
    ```                              ```

    **How to fix.** …                **Source.** Agent Trajectory v0.1 §3.3

A JSON fragment that is an object is a merge patch (RFC 7396) on the smallest valid document of the format, an array is
a JSON Patch (RFC 6902) on it; the words after `bad` or `good` say more: `on=full` takes the full example instead,
`now=…` and the like pass an option, `seal=FORM` puts in the right digest, `at=POINTER` names the place that an example
is about which changes nothing. A `text` fragment is the whole document, with Python escapes. People are shown what a
patch makes of its document (`attraj.verbs.examples`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Fragment:
    """One example of a page.

    Attributes:
        language: "json" or "text".
        role: "bad", "good" or "old" (the earlier document of a pair).
        options: Words of the form key=value that follow the role.
        body: The text of the example.
        fence: The whole as it stands on the page, with its fences.
    """

    language: str
    role: str
    options: dict[str, str]
    body: str
    fence: str


@dataclass(frozen=True, slots=True)
class Page:
    """What is written about one rule."""

    code: str
    slug: str
    body: str

    def fragments(self) -> Iterator[Fragment]:
        """The executable examples, in the order of the page."""
        for match in _FENCE.finditer(self.body):
            words = match["info"].split()
            if len(words) >= 2 and words[1] in ("bad", "good", "old"):
                options = dict(word.split("=", 1) for word in words[2:] if "=" in word)
                yield Fragment(words[0], words[1], options, match["body"], match[0] + "\n")

    def section(self, title: str) -> str:
        """The text after "**Title.**", up to the next bold heading; "" when the page has none."""
        match = re.search(rf"\*\*{re.escape(title)}\.?\*\*\s*(.*?)(?=\n\*\*[A-Z]|\Z)", self.body, re.S)
        return match[1].strip() if match else ""


_HEADING = re.compile(r"^## (?P<code>[A-Z]+[-A-Z_0-9]*) (?P<slug>[a-z0-9-]+)[ \t]*$", re.M)
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```[ \t]*$", re.M | re.S)


def parse(text: str) -> list[Page]:
    """The pages of one Markdown file, in its order."""
    headings = list(_HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return [
        Page(heading["code"], heading["slug"], text[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    ]


def pages_of(package: str) -> list[Page]:
    """The pages in the folder `pages` of a package, by code."""
    folder = files(package).joinpath("pages")
    found = [
        page
        for entry in folder.iterdir()
        if entry.name.endswith(".md")
        for page in parse(entry.read_text(encoding="utf-8"))
    ]
    return sorted(found, key=lambda page: page.code)

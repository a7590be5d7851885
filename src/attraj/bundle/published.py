"""The native documents as pydantic models, made from the one table of members and types when they are first asked for.

For programs that want typed attributes. attraj itself reads the raw tree: a model cannot tell a member that is not
there from one that is null unless `model_fields_set` is asked. Validation errors of pydantic repeat the input: do not
log them where the content of a document must not go.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from attraj.bundle.jsonschema import ALIASES, CLOSED, TIME_PATTERN, allows_marker, needed
from attraj.bundle.markers import MARKER_KEY, STATUSES
from attraj.bundle.shape import OBJECTS, Member

if TYPE_CHECKING:
    from pydantic import BaseModel


def model(name: str) -> type[BaseModel]:
    """The model of a kind of object of the table: model("bundle"), model("node") …

    It takes the JSON tree (`model("bundle").model_validate(tree)`) or its text, strictly: no value is converted.
    Unknown members are kept. A member whose name Python cannot use has an underscore behind it (`from_`, `class_`).

    Raises:
        KeyError: The table has no such object.
    """
    return _model(name)


@cache
def _model(name: str) -> type[BaseModel]:
    from pydantic import ConfigDict, create_model  # 100 ms at start: only for those who ask for a model

    required = needed(name)
    fields: dict[str, Any] = {
        _python_name(member): (_type(name, member, row), _field(member, row, is_required=member in required))
        for member, row in OBJECTS[name].items()
    }
    config = ConfigDict(extra="allow", frozen=True, protected_namespaces=())
    title = "".join(word.capitalize() for word in name.split("_"))
    made: type[BaseModel] = create_model(title, __config__=config, __module__=__name__, **fields)
    return made


@cache
def _marker() -> type[BaseModel]:
    from pydantic import ConfigDict, Field, StrictStr, create_model

    body: type[BaseModel] = create_model(
        "MarkerBody",
        __config__=ConfigDict(extra="allow", frozen=True),
        __module__=__name__,
        status=(_literal(tuple(sorted(STATUSES))), ...),
        class_=(StrictStr, Field(default=None, alias="class")),
        reason=(StrictStr, None),
        was=(StrictStr, None),
        alias=(StrictStr, None),
    )
    made: type[BaseModel] = create_model(
        "Marker",
        __config__=ConfigDict(extra="forbid", frozen=True),
        __module__=__name__,
        at=(body, Field(alias=MARKER_KEY)),
    )
    return made


def _python_name(member: str) -> str:
    import keyword

    return f"{member}_" if keyword.iskeyword(member) else member


def _field(member: str, row: Member, *, is_required: bool) -> Any:
    from pydantic import Field

    alias = member if _python_name(member) != member else None
    # An absent member is None as an attribute; null in the document is another matter, and refused by the type.
    return Field(default=... if is_required else None, alias=alias, description=row.says)


def _type(kind: str, name: str, row: Member) -> Any:
    from typing import Union

    words = row.words + ALIASES.get((kind, name), ()) if (kind, name) in CLOSED else ()
    if kind == "rights" and row.kind == "right":
        return _use()
    has_markers = allows_marker(kind, row)
    choices = [choice for part in row.kind.split("|") for choice in _choices(part, row.of, words, has_markers)]
    if Any in choices:
        return Any
    if has_markers:
        choices.append(_marker())
    return Union[tuple(dict.fromkeys(choices))]  # noqa: UP007  (made of a sequence, not written out)


def _choices(part: str, of: str, words: tuple[str, ...], has_markers: bool) -> list[Any]:
    from pydantic import StrictStr

    if part == "any":
        return [Any]
    if part == "object":
        described = next((kind for kind in of.split("|") if kind in OBJECTS), "")
        return [_model(described) if described else dict[str, Any]]
    if part == "list":
        return [list[_element(of, words, has_markers)] if of else list[Any]]  # type: ignore[misc]
    if part == "texts":
        return [StrictStr, list[_element(of or "text", words, has_markers)]]  # type: ignore[misc]
    if part == "word" and words:
        return [_literal(words)]
    return [_scalar(part)]


def _element(of: str, words: tuple[str, ...], has_markers: bool) -> Any:
    from typing import Union

    choices: list[Any] = []
    for part in of.split("|"):
        choices.extend([_model(part)] if part in OBJECTS else _choices(part, "", words, has_markers))
    if has_markers:
        choices.append(_marker())
    return Union[tuple(dict.fromkeys(choices))]  # noqa: UP007


@cache
def _scalar(part: str) -> Any:
    from typing import Annotated

    from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

    return {
        "id": Annotated[str, Field(strict=True, min_length=1)],
        "text": StrictStr,
        "word": StrictStr,
        "time": Annotated[str, Field(strict=True, pattern=TIME_PATTERN)],
        "int": StrictInt,
        "number": StrictInt | StrictFloat,
        "bool": StrictBool,
        "right": StrictBool | StrictStr,
    }[part]


def _use() -> Any:
    from typing import Literal

    from pydantic import StrictBool

    return StrictBool | Literal["unknown"]  # Literal[True] would take the number 1


def _literal(words: tuple[str, ...]) -> Any:
    from typing import Literal

    return Literal[words]

"""AT831, AT835, AT837, and what else is asked of an Episode or a Dataset manifest taken alone (§4.7, §12.1).

Both are documents of their own, not Bundles: the formats `episode` and `dataset` run `check`. What needs the Bundle
that one was made from (AT832, AT833, AT834) stands with the checks of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from attraj.bundle.checks import masks, rights, runner
from attraj.bundle.checks.check import Asked, Check, Json, error, on_bundle
from attraj.bundle.checks.envelope import AT103, AT104
from attraj.bundle.checks.identity import AT201
from attraj.bundle.checks.masks import AT825, AT826, AT827
from attraj.bundle.checks.rights import AT802, AT804, AT807, AT808, Source
from attraj.bundle.checks.shape import AT101, AT102, AT108, AT109, AT110, AT116, record_shape
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.bundle.shape import OBJECTS
from attraj.bundle.vocabulary import MASK_AVAILABILITIES, MASK_ROLES, SPEC_VERSIONS
from attraj.findings import Finding, Related, Rule, Stratum
from attraj.pointer import join

AT831 = error("AT831", "no-episode-rule", Stratum.MEANING)
AT835 = error("AT835", "incomplete-dataset", Stratum.SHAPE)
AT837 = error("AT837", "row-without-origin", Stratum.MEANING)

EPISODE, DATASET = "episode", "dataset"

# Checks of the Bundle, by their first rule, that ask nothing that only a Bundle has.
SHARED = frozenset({"AT005", "AT006", "AT007", "AT008", "AT112", "AT702", "AT707", "AT708", "AT713"}) | frozenset(
    {"AT801", "AT803", "AT807", "AT809", "AT810", "AT931", "AT934"}
)

FIELDS = ("state_view", "policy", "action_target", "admission", "state_delta")
FIELD_LISTS = ("environment_outputs", "metadata")


def check(kind: str, tree: Json, raw: bytes, asked: Asked) -> list[Finding]:
    """Every finding about one Episode or Dataset manifest, in no particular order.

    Args:
        kind: "episode" or "dataset".
        tree: The document, never modified.
        raw: Its bytes; b"" when they are not at hand.
        asked: Level, time, purpose.
    """
    document = Bundle(tree, raw)  # the checks that are shared read members by name, whatever the document is
    found: list[Finding] = []
    for each in checks(kind):
        if each.stratum <= asked.level and runner.may_apply(each, raw):
            found.extend(each.function(document, asked))
    return found


@cache
def checks(kind: str) -> tuple[Check, ...]:
    """The checks of one kind of document: the shared ones, then its own."""
    own = _EPISODE_CHECKS if kind == EPISODE else _DATASET_CHECKS
    shared = SHARED if kind == EPISODE else SHARED - {"AT807"}  # a manifest compares with its members as well
    return (*(each for each in runner.checks() if each.rules[0].code in shared and not each.collection), *own)


def rules(kind: str) -> list[Rule]:
    """Every rule that `check` may report of this kind of document, by code."""
    return sorted({rule for each in checks(kind) for rule in each.rules}, key=lambda rule: rule.code)


# --- shape -------------------------------------------------------------------------------------------------------

SHAPE_RULES = (AT101, AT102, AT103, AT104, AT108, AT109, AT110, AT116)


@on_bundle(*SHAPE_RULES)
def episode_shape(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    yield from _shape(document.tree, EPISODE)
    yield from _identified(document.items("transitions"), "transitions", "transition_id")


@on_bundle(*SHAPE_RULES)
def dataset_shape(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    yield from _shape(document.tree, DATASET)
    yield from _identified(document.items("members"), "members", "id")


def _shape(tree: Json, kind: str) -> Iterator[Finding]:
    version, identity = f"{kind}_version", f"{kind}_id"
    yield from _version(tree, version)
    for name, member in OBJECTS[kind].items():
        if member.required and name not in tree and name not in (version, identity):
            yield AT101.at("", f"required member `{name}` is missing")
    if identity not in tree:
        yield AT108.at("", f"identifier `{identity}` is missing")
    yield from record_shape(kind).faults({name: value for name, value in tree.items() if name != version})


def _version(tree: Json, name: str) -> Iterator[Finding]:
    hint = f'attraj reads version "{SPEC_VERSIONS[-1]}"'
    if name not in tree:
        yield AT103.at("", f"`{name}` is missing", hint=hint)
    elif type(tree[name]) is not str:
        yield AT103.at(join(name), "the version must be a string", hint=hint)
    elif tree[name] not in SPEC_VERSIONS:
        yield AT104.at(join(name), "this version of the form is not supported", hint=hint)


def _identified(records: list[Any], collection: str, identity: str) -> Iterator[Finding]:
    for position, record in enumerate(records):
        if type(record) is dict and identity not in record:
            yield AT108.at(join(collection, position), f"identifier `{identity}` is missing")


@on_bundle(AT201)
def unique_transitions(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    yield from _repeated(document.items("transitions"), "transitions", "transition_id", lambda record: "")


@on_bundle(AT201)
def unique_members(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    yield from _repeated(document.items("members"), "members", "id", lambda record: str(record.get("kind")))


def _repeated(records: list[Any], collection: str, identity: str, space: Callable[[Json], str]) -> Iterator[Finding]:
    first: dict[tuple[str, str], int] = {}
    for position, record in enumerate(records):
        if type(record) is dict and type(record.get(identity)) is str:
            key = (space(record), record[identity])
            if key in first:
                related = [Related(join(collection, first[key], identity), "is the first one with it")]
                yield AT201.at(join(collection, position, identity), "the identifier is used twice", related=related)
            first.setdefault(key, position)


# --- Episodes ----------------------------------------------------------------------------------------------------


@on_bundle(AT831)
def named_rules(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    """The rules of selection and termination are explicit; the reference's word for the end counts as one."""
    for name in ("selection", "termination"):
        stated = document.tree.get(name)
        if type(stated) is dict:
            stated = stated.get("rule", "")
        if stated == "" or name not in document.tree:
            yield AT831.at(
                join(name) if name in document.tree else "",
                f"the Episode does not say by which rule its {name} was made",
                hint="name the rule and its parameters, filters by outcome included",
            )


@on_bundle(AT837)
def origins(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    """From each transition a reference leads back to the node and the trajectory that it was made from."""
    tree = document.tree
    named = tree.get("source_trajectory_id", "") != ""
    sources = [each for each in document.items("sources") if type(each) is dict and each.get("trajectory_id", "") != ""]
    if not named and not sources:
        yield AT837.at(
            "",
            "the Episode does not name the trajectory that it was made from",
            hint="name it in `source_trajectory_id`, several in `sources`",
        )
    is_ambiguous = not named and len(sources) > 1
    for position, transition in enumerate(document.items("transitions")):
        if type(transition) is not dict:
            continue
        if transition.get("source_node_id", "") == "":
            yield AT837.at(join("transitions", position), "the transition does not name the node that it was made from")
        elif is_ambiguous and transition.get("source_trajectory_id", "") == "":
            yield AT837.at(
                join("transitions", position), "the transition does not say which of the sources its node stands in"
            )


@on_bundle(AT825, AT826, AT827)
def field_masks(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Each field declares role, loss and availability, and takes loss only where it may."""
    for at, field in fields(document):
        if _is_plainly_excluded(field):
            continue
        pointer = join(*at)
        yield from masks.entry_faults(field, pointer, needs=("role", "loss", "availability"))
        yield from masks.role_faults(field, pointer)
        if masks.takes_loss(field):
            is_whole = not masks.has_marker(field.get("value"))
            yield from masks.loss_faults(field, pointer, is_whole=is_whole, needs_permission=False)


@on_bundle(AT804)
def training_granted(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    """An Episode to train on needs a literal grant; one for replay or evaluation does not, while it takes no loss."""
    value = document.member("rights").get("training")
    if value is not False and value != rights.UNKNOWN:
        return
    if document.tree.get("purpose", "training") == "training" or any(map(masks.takes_loss, _all_fields(document))):
        yield AT804.at(
            "/rights/training",
            "the Episode is for training, and training is not granted",
            hint="state another purpose and take no loss, or ask the holder of the rights",
        )


def fields(document: Bundle) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Keys and object of every field of every transition."""
    for position, transition in enumerate(document.items("transitions")):
        if type(transition) is not dict:
            continue
        for name in FIELDS:
            field = transition.get(name)
            if type(field) is dict and not is_marker(field):
                yield ("transitions", position, name), field
        for name in FIELD_LISTS:
            several = transition.get(name)
            for number, field in enumerate(several if type(several) is list else ()):
                if type(field) is dict and not is_marker(field):
                    yield ("transitions", position, name, number), field


def _all_fields(document: Bundle) -> Iterator[Json]:
    for _, field in fields(document):
        yield field


def _is_plainly_excluded(field: Json) -> bool:
    return (
        field.get("loss") == "excluded"
        and field.get("role") in MASK_ROLES
        and field.get("availability") in MASK_AVAILABILITIES
        and "visible" not in field
        and "permitted" not in field
    )


# --- Dataset manifests -------------------------------------------------------------------------------------------


@on_bundle(AT835)
def stated(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Version, stated use, rights, labels and transform: what makes a collection a dataset (spec: decisions 23)."""
    for name in ("version", "stated_use", "rights", "labels", "transform"):
        if document.tree.get(name, "") == "":
            yield AT835.at(
                join(name) if name in document.tree else "",
                f"the dataset does not state `{name}`",
                hint="labels: [] says that there are none" if name == "labels" else "",
            )


@on_bundle(AT802)
def member_rights(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    for source in _member_sources(document):
        for use in rights.MAY_BE_STATED:
            # Other JSON types are told by the shape check.
            if type(source.rights.get(use)) is str and not rights.is_right(source.rights[use]):
                yield AT802.at(source.pointer + join(use), 'a right is true, false or "unknown", and nothing else')


@on_bundle(AT807, AT808)
def against_members(document: Bundle, _asked: Asked) -> Iterator[Finding]:
    """No right is wider than that of any member or source whose rights stand in the manifest."""
    sources = [*_member_sources(document), *rights.derivation_sources(document.tree)]
    yield from rights.wider_than(document.member("rights"), sources)


def _member_sources(document: Bundle) -> list[Source]:
    return [
        Source(join("members", position, "rights"), member["rights"])
        for position, member in enumerate(document.items("members"))
        if type(member) is dict and type(member.get("rights")) is dict
    ]


_EPISODE_CHECKS = (episode_shape, unique_transitions, named_rules, origins, field_masks, training_granted)
_DATASET_CHECKS = (dataset_shape, unique_members, stated, member_rights, against_members)

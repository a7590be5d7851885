"""`--map-out`: what each placeholder stands for, for the owner alone, encrypted before a byte of it is written.

The file is one of age (age-encryption.org/v1): `age -d -i key.txt map.age` reads it, without attraj.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from attraj.cli._io import write_private
from attraj.errors import AttrajError
from attraj.jsonio.write import dumps
from attraj.redaction.mapping import value_map
from attraj.redaction.run import Done


class MapOut:
    """Where the map goes, and to whom. Everything that can be wrong with both is said before anything is read.

    Args:
        path: The file.
        keys: Public keys: of age ("age1…"), or of SSH.
        folder: Of the outputs, in which the map must not be; "" for none.

    Raises:
        AttrajError: No key is given, one is none, or the extra is not installed.
    """

    def __init__(self, path: str, keys: Sequence[str], folder: str) -> None:
        if not keys:
            raise AttrajError("a map of values is written encrypted only", hint="--map-key age1… says for whom")
        if folder and os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
            raise AttrajError("the map of values would be published with the output", hint="put it elsewhere")
        self._path = path
        self._recipients = [_recipient(key) for key in keys]

    def write(self, done: Sequence[Done], *, is_replaced: bool) -> None:
        """Encrypt the map of these scopes, and write it."""
        import pyrage

        sealed = pyrage.encrypt(dumps(value_map(done), indent=True) + b"\n", self._recipients)
        write_private(self._path, sealed, overwrite=is_replaced)


def _recipient(key: str) -> Any:
    if key.upper().startswith("AGE-SECRET-KEY-"):
        raise AttrajError(
            "a key for the map is a private one", hint="give the public one, and keep this one to yourself"
        )
    try:
        import pyrage  # only who asks for a map needs it
    except ImportError as missing:
        raise AttrajError("maps of values need the extra `map`", hint="pip install 'attraj[map]'") from missing
    kind = pyrage.ssh if key.startswith("ssh-") else pyrage.x25519
    try:
        return kind.Recipient.from_str(key)
    except pyrage.RecipientError:
        raise AttrajError("a key for the map is no public key of age or SSH", hint="age-keygen makes one") from None

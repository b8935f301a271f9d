"""The process that opens USD files for `sandbox`: it answers requests on its standard input until that ends.

Requests are `{"do": "dependencies", "folder", "layer"}` (which other files a layer names) and `{"do": "read",
"folder", "layer", "fps"}` (everything the composed stage holds, see `extract`). Paths are relative to the folder,
which holds copies of the files this process is meant to see.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from pathlib import Path
from typing import Any, BinaryIO

from kinema.errors import FormatError, one_line
from kinema.formats.usd.packing import pack, unpack
from kinema.formats.usd.sandbox import LENGTH

MEMORY = 3 * 1024**3  # bytes of addresses; usd-core itself takes about one of them
LONGEST_MESSAGE = 300


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep what the library prints out of the answers
    _limit_memory()
    from kinema.formats.usd import extract  # noqa: F401  what takes time, before the time of a file counts

    _send(answers, {"ready": True})
    while len(head := sys.stdin.buffer.read(LENGTH.size)) == LENGTH.size:
        request = unpack(sys.stdin.buffer.read(LENGTH.unpack(head)[0]))
        reply: dict[str, Any] = {}
        try:
            reply = answer(request)
        finally:
            # A bug ends this process; the answer carries its traceback.
            _send(answers, {"number": request["number"], **(reply or {"bug": traceback.format_exc()})})


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request; `refused` and `node` say what is wrong with a file."""
    from kinema.formats.usd.extract import dependencies, extract, open_stage
    from kinema.formats.usd.openusd import Tf

    folder = Path(request["folder"])
    try:
        if request["do"] == "dependencies":
            return {"paths": dependencies(folder / request["layer"])}
        return extract(open_stage(folder / request["layer"]), folder, request["fps"])
    except FormatError as error:
        return {"refused": error.message, "node": error.node}
    except Tf.ErrorException as error:
        return {"refused": f"cannot be read: {said(error)}"}
    except UnicodeDecodeError:
        return {"refused": "holds a name or text that is not UTF-8"}
    except TypeError as error:
        if "to_python" not in str(error):
            raise
        return {"refused": "holds a value of a type that USD does not have"}
    except MemoryError:
        return {"refused": "asks for more memory than a file may"}


def said(error: Exception) -> str:
    """The message of usd-core, without places in its source and in our temporary folder."""
    try:
        whole = str(error)
    except UnicodeDecodeError:  # it quotes the file
        return "it is damaged, at a place that is not UTF-8 text"
    texts = re.findall(r"in file \S+ : '(.*?)'(?=\s*(?:\n|$))", whole, re.DOTALL) or [whole]
    words = []
    for word in texts[0].split():
        marked = word.strip("'\"@<>()[],:")
        words.append(word.replace(marked, os.path.basename(marked)) if marked.startswith("/") else word)
    text = one_line(" ".join(words)) or type(error).__name__
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return  # no such limits on Windows
    given = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MEMORY if given == resource.RLIM_INFINITY else min(MEMORY, given)  # the parent may have set one
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _send(stream: BinaryIO, tree: dict[str, Any]) -> None:
    message = pack(tree)
    stream.write(LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


if __name__ == "__main__":
    main()

"""Decoding does nothing of what the data names."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import TZPATH

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench
from portproof.checks.registry import check
from portproof.probes.audit import Event, audited
from portproof.running.outcome import expect
from portproof.strategies.plans.near_misses import NEAR_MISSES

#: What is imported, opened or called if decoding does what data tells it.
_CANARY = "canary_of_decoding"
_PROCESSES = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "subprocess.Popen", "pickle.find_class")
_targets = st.sampled_from([f"{_CANARY}.sing", f"{_CANARY}:sing", _CANARY, f"{_CANARY}.Bird", f"{_CANARY}/sing"])


def _pickled() -> str:
    """A pickle that calls the canary."""
    return b64encode(f"c{_CANARY}\nsing\n(tR.".encode()).decode()


def _payloads(target: str, file: Path) -> list[str]:
    text, path = json.dumps(target), json.dumps(str(file))
    module, name = json.dumps(_CANARY), json.dumps("sing")
    return [
        f"[{text}]",
        f"[{text},{{}}]",
        f'["l",[{text},"x"]]',
        f'["obj",{text},{{}}]',
        f'["class",{module},{name}]',
        f'["call",{text},["l"]]',
        f'["import",{module}]',
        f'["file",{path}]',
        f'["pickle","{_pickled()}"]',
        f'["b","{_pickled()}"]',
        f'{{"__class__":{text}}}',
        f'{{"$type":{text}}}',
        f'{{"py/object":{text}}}',
        f'{{"__module__":{module},"__qualname__":{name}}}',
        f'{{"__reduce__":["l",{text},["t"]]}}',
        json.dumps(f"!!python/object/apply:{target} []"),
        json.dumps(f"__import__('{_CANARY}').sing()"),
        path,
        f'["dt","2026-07-02T03:04:05.000006","+02:00",{text}]',
        f'["dt","2026-07-02T03:04:05.000006","+02:00",{json.dumps(f"../../../../..{file}")}]',
        f'["dt","2026-07-02T03:04:05.000006","+02:00",{path}]',
        f'["re",{text},32]',
        f'["arr",{text},""]',
        f'["ParamRef",{text}]',
        f'["NodeRef",{text},"first",{path},null]',
    ]


@check("ENC-DECODE-INERT", target=_targets)
async def decoding_imports_opens_and_calls_nothing_that_the_data_names(bench: EncodingBench, target: str) -> None:
    for value in (value for group in NEAR_MISSES for value in group):
        bench.read_or_refused(bench.encode(value))
    with _canary() as file:
        for payload in _payloads(target, file):
            with audited() as events:
                bench.read_or_refused(payload.encode())
            seen = [f"{name} {details}" for name, details in events if _is_of_the_data((name, details), file)]
            expect(not seen, "decoding did something that the data names", data=payload, seen=seen)
            expect(_CANARY not in sys.modules, "decoding imported a module that the data names", data=payload)


@contextlib.contextmanager
def _canary() -> Iterator[Path]:
    """A module on the search path, and beside it a file, which is given."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / f"{_CANARY}.py").write_text("def sing():\n    return 1\n\n\nclass Bird:\n    pass\n")
        file = place / f"{_CANARY}.zone"
        file.write_bytes(b"TZif")
        sys.path.insert(0, folder)
        try:
            yield file
        finally:
            sys.path.remove(folder)
            sys.modules.pop(_CANARY, None)


def _is_of_the_data(event: Event, file: Path) -> bool:
    """Whether this starts something, or has to do with the canary. Looking for a zone of its name does not count."""
    name, details = event
    told = str(details)
    if name in _PROCESSES:
        return True
    if _CANARY not in told:
        return False
    looks_up = (name == "open" and str(details[0]).startswith(tuple(TZPATH))) or "tzdata" in told
    return name in ("import", "open", "compile", "exec", "os.listdir") and not (looks_up and str(file) not in told)

"""Small programs that show what a code runner does with them, in each language that checks can speak."""

from __future__ import annotations

import json
import shlex
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

__all__ = ["ALL_SNIPPETS", "Bash", "JavaScript", "Python", "Snippets", "snippets_in"]


class Snippets(ABC):
    """The programs of one language. Texts and paths that they are given stand in them as literals."""

    #: What the language is called, by runners of different makes.
    names: tuple[str, ...]

    @abstractmethod
    def emit(self, out: str = "", err: str = "") -> str:
        """Write exactly these texts to the two streams."""

    @abstractmethod
    def repeat(self, text: str, times: int, *, err: int = 0) -> str:
        """Write the text that many times to standard output, and `err` times to standard error."""

    @abstractmethod
    def count(self, lines: int) -> str:
        """Write that many lines to standard output, each its number from 0."""

    @abstractmethod
    def bytes_out(self, data: bytes) -> str:
        """Write bytes to descriptor 1."""

    @abstractmethod
    def leave(self, status: int) -> str:
        """End with this exit status."""

    @abstractmethod
    def fail(self) -> str:
        """End as code ends that fails: by an uncaught error."""

    @abstractmethod
    def broken(self) -> str:
        """Be no program of this language."""

    @abstractmethod
    def die(self) -> str:
        """Kill one's own process."""

    @abstractmethod
    def sleep(self, seconds: float) -> str:
        """Do nothing for a while."""

    @abstractmethod
    def beat(self, path: Path) -> str:
        """Append to a file for ever, some fifty times a second."""

    @abstractmethod
    def child(self, path: Path) -> str:
        """Start a process that sleeps for a minute and inherits the pipes, write its id to the file, wait for it."""

    @abstractmethod
    def write(self, path: Path, text: str) -> str:
        """Write a file."""

    @abstractmethod
    def pid(self, path: Path, seconds: float) -> str:
        """Write one's process id to the file, then sleep."""

    @abstractmethod
    def variable(self, name: str) -> str:
        """Print an environment variable with `=` in front; nothing when it is not set."""

    @abstractmethod
    def variables(self) -> str:
        """Print the whole environment, a `NAME=value` after the other, each ended by NUL."""

    @abstractmethod
    def hex_of(self, paths: Sequence[str]) -> str:
        """Print the content of each file on a line, in hexadecimal digits."""

    @abstractmethod
    def stdin(self) -> str:
        """Read standard input to its end and print it in brackets."""

    @abstractmethod
    def keep(self, name: str, value: str) -> str:
        """Set a variable of the interpreter."""

    @abstractmethod
    def kept(self, name: str) -> str:
        """Print a variable of the interpreter, `absent` where there is none."""

    @abstractmethod
    def output_file(self, variable: str, name: str, size: int) -> str:
        """Write a file of `x` into the folder that the environment variable names."""

    @abstractmethod
    def odd_starts(self, text: str) -> list[str]:
        """Programs that begin with a dash, a comment, a blank line, and print the text."""


class Python(Snippets):
    """Python 3. No program ends in a value, for a live interpreter may show it."""

    names = ("python", "python3", "py")

    def emit(self, out: str = "", err: str = "") -> str:
        return (
            f"import sys\nsys.stdout.write({out!a})\nsys.stdout.flush()\nsys.stderr.write({err!a})\nsys.stderr.flush()"
        )

    def repeat(self, text: str, times: int, *, err: int = 0) -> str:
        return f"import sys\nprint({text!a} * {times}, end='')\nprint({text!a} * {err}, end='', file=sys.stderr)"

    def count(self, lines: int) -> str:
        return f"print(''.join(f'{{i}}\\n' for i in range({lines})), end='')"

    def bytes_out(self, data: bytes) -> str:
        return f"import os\nwritten = os.write(1, {data!r})"

    def leave(self, status: int) -> str:
        return f"import sys\nsys.exit({status})"

    def fail(self) -> str:
        return "raise ValueError('on purpose')"

    def broken(self) -> str:
        return "def ) ("

    def die(self) -> str:
        return "import os, signal, time\nos.kill(os.getpid(), signal.SIGKILL)\ntime.sleep(60)"

    def sleep(self, seconds: float) -> str:
        return f"import time\ntime.sleep({seconds})"

    def beat(self, path: Path) -> str:
        return f"import time\nwhile True:\n    open({str(path)!r}, 'a').write('x')\n    time.sleep(0.02)"

    def child(self, path: Path) -> str:
        start = "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
        return f"{start}with open({str(path)!r}, 'w') as f:\n    f.write(str(child.pid))\nchild.wait()"

    def write(self, path: Path, text: str) -> str:
        return f"with open({str(path)!r}, 'w') as f:\n    f.write({text!a})"

    def pid(self, path: Path, seconds: float) -> str:
        told = f"with open({str(path)!r}, 'w') as f:\n    f.write(str(os.getpid()))"
        return f"import os, time\n{told}\ntime.sleep({seconds})"

    def variable(self, name: str) -> str:
        return f"import os\nprint('=' + os.environ[{name!r}] if {name!r} in os.environ else '', end='')"

    def variables(self) -> str:
        return "import os\nprint(''.join(f'{k}={v}\\0' for k, v in os.environ.items()), end='')"

    def hex_of(self, paths: Sequence[str]) -> str:
        listed = ", ".join(ascii(path) for path in paths)
        return f"for path in [{listed}]:\n    with open(path, 'rb') as f:\n        print(f.read().hex())"

    def stdin(self) -> str:
        return "import sys\nprint(f'[{sys.stdin.read()}]')"

    def keep(self, name: str, value: str) -> str:
        return f"{name} = {value!a}"

    def kept(self, name: str) -> str:
        return f"print(globals().get({name!r}, 'absent'), end='')"

    def output_file(self, variable: str, name: str, size: int) -> str:
        place = f"os.path.join(os.environ[{variable!r}], {name!r})"
        return f"import os\nwith open({place}, 'wb') as f:\n    f.write(b'x' * {size})"

    def odd_starts(self, text: str) -> list[str]:
        said = f"print({text!a}, end='')"
        return [
            f"-1; {said}",
            f"# a comment\n{said}",
            f"\n\n{said}",
            f"--1; {said}",
            f"'quoted \"twice\" \\\\ $HOME `x`'; {said}",
        ]


class JavaScript(Snippets):
    """Node.js."""

    names = ("javascript", "node", "nodejs", "js")

    def emit(self, out: str = "", err: str = "") -> str:
        return f"process.stdout.write({json.dumps(out)});\nprocess.stderr.write({json.dumps(err)});"

    def repeat(self, text: str, times: int, *, err: int = 0) -> str:
        said = json.dumps(text)
        return f"process.stdout.write({said}.repeat({times}));\nprocess.stderr.write({said}.repeat({err}));"

    def count(self, lines: int) -> str:
        return f"process.stdout.write(Array.from({{length: {lines}}}, (_, i) => i + '\\n').join(''));"

    def bytes_out(self, data: bytes) -> str:
        return f"process.stdout.write(Buffer.from('{data.hex()}', 'hex'));"

    def leave(self, status: int) -> str:
        return f"process.exit({status});"

    def fail(self) -> str:
        return "throw new Error('on purpose');"

    def broken(self) -> str:
        return "function ) ("

    def die(self) -> str:
        return "process.kill(process.pid, 'SIGKILL');\nsetTimeout(() => {}, 60000);"

    def sleep(self, seconds: float) -> str:
        return f"setTimeout(() => {{}}, {seconds * 1000});"

    def beat(self, path: Path) -> str:
        return f"const fs = require('fs');\nsetInterval(() => fs.appendFileSync({json.dumps(str(path))}, 'x'), 20);"

    def child(self, path: Path) -> str:
        start = "const c = require('child_process').spawn('sleep', ['60'], {stdio: 'inherit'});\n"
        return f"{start}require('fs').writeFileSync({json.dumps(str(path))}, String(c.pid));"

    def write(self, path: Path, text: str) -> str:
        return f"require('fs').writeFileSync({json.dumps(str(path))}, {json.dumps(text)});"

    def pid(self, path: Path, seconds: float) -> str:
        return f"require('fs').writeFileSync({json.dumps(str(path))}, String(process.pid));\n{self.sleep(seconds)}"

    def variable(self, name: str) -> str:
        place = f"process.env[{json.dumps(name)}]"
        return f"if ({place} !== undefined) process.stdout.write('=' + {place});"

    def variables(self) -> str:
        return "for (const [k, v] of Object.entries(process.env)) process.stdout.write(`${k}=${v}\\0`);"

    def hex_of(self, paths: Sequence[str]) -> str:
        return f"for (const p of {json.dumps(list(paths))}) console.log(require('fs').readFileSync(p).toString('hex'));"

    def stdin(self) -> str:
        return "process.stdout.write('[' + require('fs').readFileSync(0, 'utf8') + ']\\n');"

    def keep(self, name: str, value: str) -> str:
        return f"var {name} = {json.dumps(value)};"

    def kept(self, name: str) -> str:
        return f"process.stdout.write(typeof {name} === 'undefined' ? 'absent' : {name});"

    def output_file(self, variable: str, name: str, size: int) -> str:
        place = f"require('path').join(process.env[{json.dumps(variable)}], {json.dumps(name)})"
        return f"require('fs').writeFileSync({place}, 'x'.repeat({size}));"

    def odd_starts(self, text: str) -> list[str]:
        said = f"process.stdout.write({json.dumps(text)})"
        return [f"-1; {said}", f"// a comment\n{said}", f"\n\n{said}", f"'quoted \"twice\" \\\\ $HOME `x`'; {said}"]


class Bash(Snippets):
    """Bash."""

    names = ("bash", "sh", "shell")

    def emit(self, out: str = "", err: str = "") -> str:
        return f"printf '%s' {shlex.quote(out)}\nprintf '%s' {shlex.quote(err)} >&2"

    def repeat(self, text: str, times: int, *, err: int = 0) -> str:
        said = f"yes {shlex.quote(text)} | head -n"
        return f"{said} {times} | tr -d '\\n'\n{said} {err} | tr -d '\\n' >&2"

    def count(self, lines: int) -> str:
        return f"seq 0 {lines - 1}"

    def bytes_out(self, data: bytes) -> str:
        return "printf '" + "".join(f"\\x{byte:02x}" for byte in data) + "'"

    def leave(self, status: int) -> str:
        return f"exit {status}"

    def fail(self) -> str:
        return "false\nexit $?"

    def broken(self) -> str:
        return "if ) then ("

    def die(self) -> str:
        return "kill -9 $$\nsleep 60"

    def sleep(self, seconds: float) -> str:
        return f"sleep {seconds}"

    def beat(self, path: Path) -> str:
        return f"while true; do printf x >> {shlex.quote(str(path))}; sleep 0.02; done"

    def child(self, path: Path) -> str:
        return f"sleep 60 &\nprintf %s $! > {shlex.quote(str(path))}\nwait"

    def write(self, path: Path, text: str) -> str:
        return f"printf '%s' {shlex.quote(text)} > {shlex.quote(str(path))}"

    def pid(self, path: Path, seconds: float) -> str:
        return f"printf %s $$ > {shlex.quote(str(path))}\nsleep {seconds}"

    def variable(self, name: str) -> str:
        return f'if [ -n "${{{name}+x}}" ]; then printf \'=%s\' "${name}"; fi'

    def variables(self) -> str:
        return "env -0"

    def hex_of(self, paths: Sequence[str]) -> str:
        return "\n".join(f"od -An -v -tx1 {shlex.quote(path)} | tr -d ' \\n'; echo" for path in paths)

    def stdin(self) -> str:
        return "printf '[%s]\\n' \"$(cat)\""

    def keep(self, name: str, value: str) -> str:
        return f"{name}={shlex.quote(value)}"

    def kept(self, name: str) -> str:
        return f'printf %s "${{{name}-absent}}"'

    def output_file(self, variable: str, name: str, size: int) -> str:
        return f'head -c {size} /dev/zero | tr "\\0" x > "${variable}"/{shlex.quote(name)}'

    def odd_starts(self, text: str) -> list[str]:
        said = f"printf '%s' {shlex.quote(text)}"
        return [f"# a comment\n{said}", f"\n\n{said}", f": 'quoted \"twice\" $HOME `x`'; {said}"]


#: Every language that checks speak.
ALL_SNIPPETS: tuple[Snippets, ...] = (Python(), JavaScript(), Bash())


def snippets_in(language: str | None) -> Snippets | None:
    """The programs in a language, Python's where none is named; None for a language that checks do not speak."""
    wanted = (language or "python").lower()
    return next((snippets for snippets in ALL_SNIPPETS if wanted in snippets.names), None)

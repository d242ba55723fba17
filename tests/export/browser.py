"""A page in a real Chromium, driven through the DevTools protocol on a pair of pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.waiting import until

OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-first-run",
    "--disable-background-networking",
    "--window-size=1000,700",
    "--remote-debugging-pipe",
]


class Page:
    """One open page: messages are JSON texts that end in a zero byte (Chromium's --remote-debugging-pipe)."""

    def __init__(self, into: int, out: int) -> None:
        self._into, self._out = into, out
        self._rest = b""
        self._count = 0
        self._session: dict[str, str] = {}
        self._events: list[dict[str, Any]] = []

    def open(self, address: str) -> None:
        target = self.call("Target.createTarget", url=address)["targetId"]
        self._session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters, **self._session}
        os.write(self._into, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if "id" not in answer:
                self._events.append(answer)
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]

    def value(self, script: str) -> Any:
        """What an expression in the page's script evaluates to."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def troubles(self, path: Path) -> list[str]:
        """Go to another file; the errors on the browser's console until it is loaded."""
        for domain in ("Runtime", "Log", "Page"):
            self.call(f"{domain}.enable")
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        self.wait(f"document.readyState == 'complete' && location.href == {json.dumps(path.as_uri())}")
        self.value("new Promise(done => requestAnimationFrame(done))")
        found = []
        for event in self._events:
            what = event.get("params", {})
            entry = what.get("entry", {})
            wrong = what.get("type") == "error" or entry.get("level") == "error"
            if event.get("method") == "Runtime.exceptionThrown" or wrong:
                found.append(f"{path.name}: {entry.get('text') or what}")
        return found

    def wait(self, script: str, seconds: float = 60.0) -> None:
        """Return when the expression is true; AssertionError after that many seconds."""
        until(lambda: self.value(script), seconds)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def _read(self, seconds: float = 60.0) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._out], [], [], seconds)
            assert ready, f"Chromium said nothing for {seconds:g} s"
            chunk = os.read(self._out, 1 << 20)
            assert chunk, "Chromium ended"
            self._rest += chunk
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


@contextmanager
def opened(path: Path, profile: Path, *options: str) -> Iterator[Page]:
    """The page of a file, in a browser with further options that ends with the block."""
    chromium = shutil.which("chromium")
    assert chromium
    # Chromium reads commands from its descriptor 3 and writes answers to 4.
    read_commands, into = os.pipe()
    out, write_answers = os.pipe()
    redirected = f'exec "$@" 3<&{read_commands} 4>&{write_answers}'
    process = subprocess.Popen(
        ["bash", "-c", redirected, "chromium", chromium, *OPTIONS, *options, f"--user-data-dir={profile}"],
        pass_fds=[read_commands, write_answers],
        stderr=subprocess.DEVNULL,
    )
    os.close(read_commands)
    os.close(write_answers)
    try:
        page = Page(into, out)
        page.open(path.as_uri())
        yield page
    finally:
        process.kill()
        process.wait()
        os.close(into)
        os.close(out)

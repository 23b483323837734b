"""A headless Chromium with one page, driven by the DevTools protocol through a pair of pipes."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds for one answer


class Failure(Exception):
    pass


class Chromium:
    """Use it with `with`: it ends with its block, and so does its profile."""

    def __init__(self):
        self._numbers = itertools.count(1)
        self._unread = b""
        self.events = []

    def __enter__(self):
        self._profile = tempfile.mkdtemp()
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        arguments = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                     "--hide-scrollbars", f"--user-data-dir={self._profile}", "about:blank"]
        # Chromium reads from 3 and writes to 4.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{commands} 4>&{answers}; exec "$@"', "bash", *arguments], pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        shutil.rmtree(self._profile, ignore_errors=True)

    def send(self, method, **parameters):
        """The result of a command; events that come meanwhile are kept."""
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            message = self._receive(until)
            if message.get("id") == number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def _receive(self, until):
        while b"\0" not in self._unread:
            readable, _, _ = select.select([self._answers], [], [], max(until - time.monotonic(), 0))
            part = os.read(self._answers, 1 << 20) if readable else b""
            if not part:
                raise Failure("Chromium does not answer")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def run(self, script):
        """What an expression comes to, awaited."""
        result = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failure(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE
        while not self.run(condition):
            if time.monotonic() > until:
                raise Failure(f"it never came to be that {condition}")
            time.sleep(0.05)

    def open(self, url):
        self.send("Page.navigate", url=url)

    def press(self, key, text=""):
        code = {"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, " ": 32, "Enter": 13}.get(key, 0)
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        """Types into what has the focus."""
        for character in text:
            self.press(character, character)

    def appear(self, width, height=900, scheme="light"):
        """Gives the page a width, in CSS pixels, and a colour scheme."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        """The whole page, not only what is seen of it."""
        image = self.send("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(image))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Opens pages of heddle in a browser (headless Chromium, through WebDriver) and says what is there.

usage: browse.py PAGE.html...

For every page: complaints of the browser, requests for other files (there must be none), then what keys and clicks do.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--window-size=1400,1000"]
ARROW_DOWN, ARROW_UP, END, HOME = "\ue015", "\ue013", "\ue010", "\ue011"


class Browser:
    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.profile = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = self.start()

    def start(self):
        options = {"args": ARGUMENTS + [f"--user-data-dir={self.profile}"], "binary": shutil.which("chromium")}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        for _ in range(200):
            try:
                return self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            except (ConnectionError, urllib.error.URLError):
                time.sleep(0.1)
        sys.exit("no browser")

    def call(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def command(self, path, body):
        return self.call("POST", f"/session/{self.session}{path}", body)

    def script(self, source, *arguments):
        return self.command("/execute/sync", {"script": source, "args": list(arguments)})

    def press(self, key):
        self.command("/actions", {"actions": [{"type": "key", "id": "keyboard",
                                               "actions": [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def complaints(self):
        return [entry["message"] for entry in self.command("/se/log", {"type": "browser"})]

    def end(self):
        try:
            self.call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.kill()
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)


NOW = """const row = document.querySelector("a.row.now"), line = document.querySelector(".line.now");
const seen = element => { const box = element.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; };
return row && [row.querySelector(".step").textContent, row.querySelector(".what").textContent.trim(), line && line.querySelector("i").textContent,
               seen(row), !line || seen(line), document.querySelector(".watch").textContent];"""


def say_now(browser, what):
    print(f"  {what}:", json.dumps(browser.script(NOW), ensure_ascii=False))


def look_at(browser, page):
    print(os.path.basename(page))
    browser.command("/url", {"url": "file://" + os.path.abspath(page)})
    print("  complaints:", browser.complaints())
    print("  fetched:", browser.script("return performance.getEntriesByType('resource').map(entry => entry.name)"))
    print("  title:", browser.script("return document.title"))
    print("  made by the program:", browser.script(
        "return [document.querySelectorAll('img, iframe, object, embed, form').length, document.scripts.length, typeof injected]"))
    print("  links to nothing:", browser.script(
        "return Array.from(document.querySelectorAll('a[href^=\"#\"]')).filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length"))
    if not browser.script("return document.querySelectorAll('a.row').length"):
        return
    print("  marks beside their rows:", browser.script("""
        return Array.from(document.querySelectorAll(".diagram a")).every(mark => {
          const row = document.getElementById(mark.getAttribute("href").slice(1)).getBoundingClientRect();
          const box = mark.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
          return middle > row.top && middle < row.bottom; })"""))
    for key, name in ((ARROW_DOWN, "down"), ("j", "j"), (ARROW_UP, "up"), (END, "end"), ("k", "k"), (HOME, "home")):
        browser.press(key)
        say_now(browser, name)
    browser.script("document.querySelector('a.row.marked').click()")
    say_now(browser, "click on the first marked one")


def main():
    browser = Browser()
    try:
        for page in sys.argv[1:]:
            look_at(browser, page)
    finally:
        browser.end()


main()

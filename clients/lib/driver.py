"""Runs a client of Python through the cells, as driver.mjs does for JavaScript: a driver calls `run` with what its
client can do, and with `end` if something has to be stopped. A stream is a generator, which is closed to leave it."""

import json
import os
import sys
import traceback

model = os.environ["MODEL"]
png = os.environ["PNG"]
data_url = "data:image/png;base64," + png

weather = {
    "name": "get_weather",
    "description": "The weather in a city",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}
screenshot = {
    "name": "take_screenshot",
    "description": "A screenshot as PNG",
    "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
}
schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def temperature_in(city):
    return f"{city} {21 if city == 'Paris' else 24}"


def _collect(pieces):
    got = [piece for piece in pieces if piece]
    return {"text": "".join(got), "pieces": len(got)}


def _leave(stream):
    pieces = stream("Please count slowly.")
    for piece in pieces:
        if piece:
            break
    pieces.close()
    return "left"


_works = {
    "chat": ("chat", lambda work: work("Say good morning.")),
    "funds": ("chat", lambda work: work("Say good morning.")),
    "overflow": ("chat", lambda work: work("word " * 80_000)),
    "stream": ("stream", lambda work: _collect(work("Say good morning."))),
    "cut": ("stream", lambda work: _collect(work("Please break off."))),
    "abort": ("stream", _leave),
    "tools": ("tools", lambda work: work("What is the weather in Paris and Rome?")),
    "image": ("image", lambda work: work("What is this?")),
    "tool_image": ("tool_image", lambda work: work("Take a screenshot.")),
    "structured": ("structured", lambda work: work("Who is it?")),
    "reasoning": ("reasoning", lambda work: work("Please think first.")),
}


def run(end=lambda: None, **client):
    for cell in os.environ["CELLS"].split(","):
        ability, work = _works[cell]
        if ability not in client:
            _say({"cell": cell, "none": True})
            continue
        _say({"begin": cell})
        sys.stdin.readline()
        try:
            _say({"cell": cell, "value": work(client[ability])})
        except Exception as error:
            traceback.print_exc()
            status = getattr(error, "status_code", None)
            _say({"cell": cell, "error": {"name": type(error).__name__, "message": str(error)[:1000], "status": status}})
    sys.stdout.flush()
    end()
    os._exit(0)


def _say(fact):
    sys.stdout.write("@@ " + json.dumps(fact) + "\n")
    sys.stdout.flush()

# client: llm (Python)
# pypi: llm
import os
import pathlib

from driver import model, png, run, schema, temperature_in

recipe = """
# recipe:begin yaml
# ~/.config/io.datasette.llm/extra-openai-models.yaml
- model_id: zastava
  model_name: MODEL
  api_base: http://127.0.0.1:8080/v1
  api_key_name: zastava
  supports_tools: true
  supports_schema: true
  vision: true
# recipe:end
"""
place = pathlib.Path(os.environ["HOME"]) / ".config/io.datasette.llm"
place.mkdir(parents=True, exist_ok=True)
(place / "extra-openai-models.yaml").write_text(recipe.replace("MODEL", model))

import base64
import json
import llm

own = llm.get_model("zastava")
own.key = os.environ["ZASTAVA_KEY"]


def get_weather(city: str) -> str:
    """The weather in a city"""
    return temperature_in(city)


def stream(prompt):
    yield from own.prompt(prompt, stream=True)


picture = llm.Attachment(content=base64.b64decode(png), type="image/png")
run(
    chat=lambda prompt: own.prompt(prompt, stream=False).text(),
    stream=stream,
    tools=lambda prompt: own.chain(prompt, tools=[get_weather], stream=False).text(),
    image=lambda prompt: own.prompt(prompt, attachments=[picture], stream=False).text(),
    structured=lambda prompt: json.loads(own.prompt(prompt, schema=schema, stream=False).text()),
)

# client: autogen (Python)
# pypi: autogen-ext[openai] autogen-agentchat
import asyncio
import base64
import json

from driver import model, png, run, temperature_in

# recipe:begin python
import os
from autogen_ext.models.openai import OpenAIChatCompletionClient

abilities = ["vision", "function_calling", "json_output", "structured_output"]
chat = lambda model: OpenAIChatCompletionClient(
    model=model,
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["ZASTAVA_KEY"],
    model_info={"family": "unknown", **dict.fromkeys(abilities, True)},
)
# recipe:end
from autogen_agentchat.agents import AssistantAgent
from autogen_core import Image
from autogen_core.models import UserMessage
from pydantic import BaseModel

own = chat(model)
loop = asyncio.new_event_loop()


class Person(BaseModel):
    name: str
    age: int


def ask(prompt, *pictures, **settings):
    message = UserMessage(content=[prompt, *pictures] if pictures else prompt, source="user")
    return loop.run_until_complete(own.create([message], **settings)).content


def stream(prompt):
    source = own.create_stream([UserMessage(content=prompt, source="user")])
    try:
        while isinstance(piece := loop.run_until_complete(anext(source)), str):
            yield piece
    finally:
        loop.run_until_complete(source.aclose())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(asyncio.sleep(0.5))


async def get_weather(city: str) -> str:
    """The weather in a city"""
    return temperature_in(city)


def tools(prompt):
    agent = AssistantAgent("helper", own, tools=[get_weather], max_tool_iterations=5)
    return loop.run_until_complete(agent.run(task=prompt)).messages[-1].content


def image(prompt):
    """The client writes the picture anew, which gives it another size."""
    picture = Image.from_base64(png)
    sizes = [len(base64.b64decode(text)) for text in (picture.to_base64(), png)]
    return ask(prompt, picture).replace(f"{sizes[0]} bytes", f"{sizes[1]} bytes")


run(
    chat=ask,
    stream=stream,
    tools=tools,
    image=image,
    structured=lambda prompt: json.loads(ask(prompt, json_output=Person)),
    reasoning=lambda prompt: ask(prompt, extra_create_args={"reasoning_effort": "low"}),
)

"""What Pydantic AI can do, the same with each of its models."""

import base64

from driver import png, temperature_in
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent

picture = BinaryContent(base64.b64decode(png), media_type="image/png")


class Person(BaseModel):
    name: str
    age: int


def get_weather(city: str) -> str:
    """The weather in a city"""
    return temperature_in(city)


def take_screenshot() -> BinaryContent:
    """A screenshot as PNG"""
    return picture


def abilities(model):
    def ask(prompt, **more):
        return Agent(model, **more).run_sync(prompt).output

    def stream(prompt):
        with Agent(model).run_stream_sync(prompt) as result:
            yield from result.stream_text(delta=True, debounce_by=None)

    def reasoning(prompt):
        result = Agent(model).run_sync(prompt, model_settings={"thinking": "low"})
        parts = [part for message in result.all_messages() for part in message.parts]
        text = "".join(part.content for part in parts if part.part_kind == "thinking")
        return {"text": result.output, "reasoning": text}

    return {
        "chat": ask,
        "stream": stream,
        "tools": lambda prompt: ask(prompt, tools=[get_weather]),
        "tool_image": lambda prompt: ask(prompt, tools=[take_screenshot]),
        "image": lambda prompt: ask([prompt, picture]),
        "structured": lambda prompt: ask(prompt, output_type=Person).model_dump(),
        "reasoning": reasoning,
    }

# client: haystack-ai (Python)
# pypi: haystack-ai
import json
import queue
import threading

from driver import model, png, run, temperature_in

# recipe:begin python
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.utils import Secret

chat = lambda model: OpenAIChatGenerator(
    model=model, api_base_url="http://127.0.0.1:8080/v1", api_key=Secret.from_env_var("ZASTAVA_KEY")
)
# recipe:end
from haystack.components.agents import Agent
from haystack.dataclasses import ChatMessage, ImageContent
from haystack.tools import create_tool_from_function
from pydantic import BaseModel

own = chat(model)
picture = ImageContent(base64_image=png, mime_type="image/png")


class Person(BaseModel):
    name: str
    age: int


def get_weather(city: str) -> str:
    """The weather in a city"""
    return temperature_in(city)


def ask(*parts, **settings):
    message = ChatMessage.from_user(content_parts=list(parts))
    return own.run([message], generation_kwargs=settings)["replies"][0].text


class Left(Exception):
    pass


def stream(prompt):
    """Its callback as a generator: leaving is an error in the callback."""
    pieces, is_left = queue.Queue(), threading.Event()

    def callback(chunk):
        if is_left.is_set():
            raise Left
        pieces.put(chunk.content)

    def work():
        try:
            own.run([ChatMessage.from_user(prompt)], streaming_callback=callback)
            pieces.put(None)
        except Exception as error:
            pieces.put(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        while (piece := pieces.get()) is not None:
            if isinstance(piece, Exception):
                raise piece
            yield piece
    finally:
        is_left.set()
        thread.join()


def tools(prompt):
    agent = Agent(chat_generator=own, tools=[create_tool_from_function(get_weather)])
    return agent.run(messages=[ChatMessage.from_user(prompt)])["last_message"].text


run(
    chat=ask,
    stream=stream,
    tools=tools,
    image=lambda prompt: ask(prompt, picture),
    structured=lambda prompt: json.loads(ask(prompt, response_format=Person)),
    reasoning=lambda prompt: ask(prompt, reasoning_effort="low"),
)

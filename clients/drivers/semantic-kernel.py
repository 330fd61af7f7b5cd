# client: semantic-kernel (Python)
# pypi: semantic-kernel
import asyncio
import json

from driver import data_url, model, run, temperature_in

# recipe:begin python
import os
from openai import AsyncOpenAI
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion

client = AsyncOpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
chat = lambda model: OpenAIChatCompletion(ai_model_id=model, async_client=client)
# recipe:end
from pydantic import BaseModel
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.open_ai import OpenAIChatPromptExecutionSettings as Settings
from semantic_kernel.contents import ChatHistory, ChatMessageContent, ImageContent, TextContent
from semantic_kernel.functions import kernel_function

own = chat(model)
loop = asyncio.new_event_loop()


class Person(BaseModel):
    name: str
    age: int


class Weather:
    @kernel_function(description="The weather in a city")
    def get_weather(self, city: str) -> str:
        return temperature_in(city)


def history(prompt, *more):
    chat_history = ChatHistory()
    chat_history.add_message(ChatMessageContent(role="user", items=[TextContent(text=prompt), *more]))
    return chat_history


def ask(prompt, *more, kernel=None, **settings):
    about = {} if kernel is None else {"kernel": kernel}
    work = own.get_chat_message_content(history(prompt, *more), Settings(**settings), **about)
    return str(loop.run_until_complete(work))


def stream(prompt):
    source = own.get_streaming_chat_message_content(history(prompt), Settings())
    try:
        while True:
            try:
                piece = loop.run_until_complete(anext(source))
            except StopAsyncIteration:
                return
            yield "" if piece is None else str(piece)
    finally:
        loop.run_until_complete(source.aclose())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(asyncio.sleep(0.5))


def tools(prompt):
    kernel = Kernel()
    kernel.add_plugin(Weather(), "weather")
    return ask(prompt, kernel=kernel, function_choice_behavior=FunctionChoiceBehavior.Auto())


run(
    chat=ask,
    stream=stream,
    tools=tools,
    image=lambda prompt: ask(prompt, ImageContent(data_uri=data_url)),
    structured=lambda prompt: json.loads(ask(prompt, response_format=Person)),
    reasoning=lambda prompt: ask(prompt, reasoning_effort="low"),
)

# client: openai-agents (Python)
# pypi: openai-agents
from driver import data_url, model, run, temperature_in

# recipe:begin python
import os
from agents import Agent, OpenAIProvider, RunConfig, Runner

provider = OpenAIProvider(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
config = RunConfig(model_provider=provider, tracing_disabled=True)
# recipe:end
import asyncio
from agents import ModelSettings, ToolOutputImage, function_tool
from openai.types.shared import Reasoning
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


@function_tool
def get_weather(city: str) -> str:
    return temperature_in(city)


@function_tool
def take_screenshot() -> ToolOutputImage:
    return ToolOutputImage(image_url=data_url)


# Everything runs on one loop, which the client binds itself to.
loop = asyncio.new_event_loop()


def ask(prompt, **more):
    agent = Agent(name="helper", instructions="Help.", model=model, **more)
    return loop.run_until_complete(Runner.run(agent, prompt, run_config=config)).final_output


def stream(prompt):
    async def pieces():
        agent = Agent(name="helper", instructions="Help.", model=model)
        result = Runner.run_streamed(agent, prompt, run_config=config)
        try:
            async for event in result.stream_events():
                if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                    yield event.data.delta
        finally:
            result.cancel()

    source = pieces()
    try:
        while True:
            try:
                yield loop.run_until_complete(anext(source))
            except StopAsyncIteration:
                return
    finally:
        loop.run_until_complete(source.aclose())
        loop.run_until_complete(asyncio.sleep(0.5))


picture = {"type": "input_image", "image_url": data_url, "detail": "auto"}
with_reasoning = ModelSettings(reasoning=Reasoning(effort="low", summary="auto"))
run(
    chat=ask,
    stream=stream,
    tools=lambda prompt: ask(prompt, tools=[get_weather]),
    tool_image=lambda prompt: ask(prompt, tools=[take_screenshot]),
    image=lambda prompt: ask([{"role": "user", "content": [{"type": "input_text", "text": prompt}, picture]}]),
    structured=lambda prompt: ask(prompt, output_type=Person).model_dump(),
    reasoning=lambda prompt: ask(prompt, model_settings=with_reasoning),
)

# client: crewai (Python)
# pypi: crewai
# client's abort: leaving its stream waits for the end of the answer, since closing joins the thread that reads it
from driver import data_url, model, run, temperature_in

# recipe:begin python
import os
from crewai import LLM

llm = lambda model: LLM(
    model=model,
    custom_openai=True,
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["ZASTAVA_KEY"],
)
# recipe:end
# Otherwise it sends telemetry.
os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["OTEL_SDK_DISABLED"] = "true"
from crewai import Agent
from crewai.tools import tool
from pydantic import BaseModel

own = llm(model)


class Person(BaseModel):
    name: str
    age: int


@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather in a city"""
    return temperature_in(city)


def ask(*parts, **settings):
    texts = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return own.call([{"role": "user", "content": texts}], **settings)


def tools(prompt):
    helper = Agent(role="helper", goal="Help.", backstory="A helper.", llm=own, tools=[get_weather])
    return helper.kickoff(prompt).raw


def stream(prompt):
    with own.stream_events(prompt) as frames:
        for frame in frames.llm:
            yield frame.content


run(
    chat=own.call,
    stream=stream,
    tools=tools,
    image=lambda prompt: ask(prompt, {"type": "image_url", "image_url": {"url": data_url}}),
    structured=lambda prompt: own.call(prompt, response_model=Person).model_dump(),
)

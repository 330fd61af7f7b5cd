# client: smolagents (Python)
# pypi: smolagents[openai]
import base64
import io

from driver import model, png, run, temperature_in

# recipe:begin python
import os
from smolagents import OpenAIModel

chat = lambda model: OpenAIModel(
    model_id=model, api_base="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"]
)
# recipe:end
from PIL import Image
from smolagents import ChatMessage, ToolCallingAgent, tool

own = chat(model)
original = base64.b64decode(png)
picture = Image.open(io.BytesIO(original))


def user(prompt, *more):
    return [ChatMessage(role="user", content=[{"type": "text", "text": prompt}, *more])]


def stream(prompt):
    for delta in own.generate_stream(user(prompt)):
        yield delta.content


def image(prompt):
    """The client writes the picture anew, which gives it another size."""
    sent = io.BytesIO()
    picture.save(sent, format="PNG")
    answer = own.generate(user(prompt, {"type": "image", "image": picture})).content
    return answer.replace(f"{len(sent.getvalue())} bytes", f"{len(original)} bytes")


@tool
def get_weather(city: str) -> str:
    """The weather in a city

    Args:
        city: the city
    """
    return temperature_in(city)


run(
    chat=lambda prompt: own.generate(user(prompt)).content,
    stream=stream,
    tools=lambda prompt: ToolCallingAgent(tools=[get_weather], model=own, verbosity_level=0).run(prompt),
    image=image,
)

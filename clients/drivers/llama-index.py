# client: llama-index-llms-openai-like (Python)
# pypi: llama-index-llms-openai-like
from driver import data_url, model, png, run, temperature_in

# recipe:begin python
import os
from llama_index.llms.openai_like import OpenAILike

llm = lambda model: OpenAILike(
    model=model,
    api_base="http://127.0.0.1:8080/v1",
    api_key=os.environ["ZASTAVA_KEY"],
    is_chat_model=True,
    is_function_calling_model=True,
)
# recipe:end
import base64
from llama_index.core.llms import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from pydantic import BaseModel

own = llm(model)


class Person(BaseModel):
    name: str
    age: int


def stream(prompt):
    for chunk in own.stream_chat([ChatMessage(prompt)]):
        yield chunk.delta


def get_weather(city: str) -> str:
    """The weather in a city"""
    return temperature_in(city)


def tools(prompt):
    messages = [ChatMessage(prompt)]
    tool = FunctionTool.from_defaults(get_weather)
    while True:
        answer = own.chat_with_tools([tool], chat_history=messages)
        calls = own.get_tool_calls_from_response(answer, error_on_no_tool_call=False)
        if not calls:
            return answer.message.content
        messages.append(answer.message)
        for call in calls:
            result = tool(**call.tool_kwargs).content
            about = {"tool_call_id": call.tool_id, "name": call.tool_name}
            messages.append(ChatMessage(role="tool", content=result, additional_kwargs=about))


def image(prompt):
    blocks = [TextBlock(text=prompt), ImageBlock(image=base64.b64decode(png), image_mimetype="image/png")]
    return own.chat([ChatMessage(role="user", blocks=blocks)]).message.content


run(
    chat=lambda prompt: own.chat([ChatMessage(prompt)]).message.content,
    stream=stream,
    tools=tools,
    image=image,
    structured=lambda prompt: own.as_structured_llm(Person).complete(prompt).raw.model_dump(),
)

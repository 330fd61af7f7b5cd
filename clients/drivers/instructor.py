# client: instructor (Python)
# pypi: instructor
from driver import model, run

# recipe:begin python
import os
import instructor
from openai import OpenAI

zastava = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
client = instructor.from_openai(zastava)
# recipe:end
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


def ask(prompt, form):
    messages = [{"role": "user", "content": prompt}]
    return client.chat.completions.create(model=model, messages=messages, response_model=form, max_retries=0)


run(
    chat=lambda prompt: ask(prompt, None).choices[0].message.content,
    structured=lambda prompt: ask(prompt, Person).model_dump(),
)

# client: langchain-openai (Python)
# pypi: langchain-openai
from driver import model, run
from langchain_abilities import abilities

# recipe:begin python
import os
from langchain_openai import ChatOpenAI

zastava = {"base_url": "http://127.0.0.1:8080/v1", "api_key": os.environ["ZASTAVA_KEY"]}
chat = lambda model: ChatOpenAI(model=model, **zastava)
# recipe:end

run(**abilities(chat(model), ChatOpenAI(model=model, reasoning_effort="low", **zastava)))

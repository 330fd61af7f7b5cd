# client: langchain-anthropic (Python)
# pypi: langchain-anthropic
from driver import model, run
from langchain_abilities import abilities

# recipe:begin python
import os
from langchain_anthropic import ChatAnthropic

zastava = {"base_url": "http://127.0.0.1:8080", "api_key": os.environ["ZASTAVA_KEY"]}
chat = lambda model: ChatAnthropic(model=model, max_tokens=4000, **zastava)
# recipe:end

thinking = {"type": "enabled", "budget_tokens": 2000}
run(**abilities(chat(model), ChatAnthropic(model=model, max_tokens=4000, thinking=thinking, **zastava)))

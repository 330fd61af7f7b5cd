# client: pydantic-ai (Python), chat completions
# pypi: pydantic-ai
from driver import model, run
from pydantic_ai_abilities import abilities

# recipe:begin python
import os
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
chat = lambda model: OpenAIChatModel(model, provider=provider)
# recipe:end

run(**abilities(chat(model)))

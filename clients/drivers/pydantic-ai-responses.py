# client: pydantic-ai (Python), responses
# pypi: pydantic-ai
import os
from driver import model, run
from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai_abilities import abilities

provider = OpenAIProvider(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
run(**abilities(OpenAIResponsesModel(model, provider=provider)))

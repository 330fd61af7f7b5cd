// client: pi
// kind: agent
// npm: @earendil-works/pi-coding-agent@latest node@24
import { model, recipe, run, settings, task } from './agent.mjs';

const config = `
// recipe:begin json
{
  "providers": {
    "zastava": {
      "baseUrl": "http://127.0.0.1:8080/v1",
      "api": "openai-completions",
      "apiKey": "$ZASTAVA_KEY",
      "models": [{ "id": "mini", "input": ["text", "image"] }]
    }
  }
}
// recipe:end
`;
settings('.pi/agent/models.json', recipe(config).replace('"mini"', `"${model}"`));
run('pi', ['--provider', 'zastava', '--model', model, '--offline', '--no-session', '-p', task]);

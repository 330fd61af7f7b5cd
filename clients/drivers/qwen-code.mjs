// client: Qwen Code
// kind: agent
// npm: @qwen-code/qwen-code@latest
import { model, recipe, run, settings, task } from './agent.mjs';

const lines = `
# recipe:begin sh
export OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=$ZASTAVA_KEY
qwen --auth-type openai --model mini
# recipe:end
`;
const [, address] = /OPENAI_BASE_URL=(\S+)/.exec(lines);
const own = `
// recipe:begin json
{ "model": { "generationConfig": { "modalities": { "image": true } } } }
// recipe:end
`;
const mcp = `
// recipe:begin json
{
  "mcpServers": {
    "zastava": {
      "httpUrl": "http://127.0.0.1:8080/mcp",
      "headers": { "Authorization": "Bearer $ZASTAVA_KEY" }
    }
  }
}
// recipe:end
`;
const read = (text) => JSON.parse(recipe(text));
const quiet = { telemetry: { enabled: false }, privacy: { usageStatisticsEnabled: false } };
settings('.qwen/settings.json', JSON.stringify({ ...read(own), ...read(mcp), ...quiet }));
run('qwen', ['--auth-type', 'openai', '--model', model, '--yolo', task], {
  OPENAI_BASE_URL: address,
  OPENAI_API_KEY: process.env.ZASTAVA_KEY,
});

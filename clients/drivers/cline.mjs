// client: Cline
// kind: agent
// npm: cline@latest
import { spawnSync } from 'node:child_process';
import { home, model, recipe, run, settings, task } from './agent.mjs';

const line = `
# recipe:begin sh
cline auth --provider openai --apikey $ZASTAVA_KEY --modelid mini --baseurl http://127.0.0.1:8080/v1
# recipe:end
`;
const [, address] = /--baseurl (\S+)/.exec(line);
const auth = [
  'auth',
  '--provider',
  'openai',
  '--apikey',
  process.env.ZASTAVA_KEY,
  '--modelid',
  model,
];
spawnSync(`${home}/node_modules/.bin/cline`, [...auth, '--baseurl', address], { stdio: 'inherit' });
const mcp = `
// recipe:begin json
{
  "mcpServers": {
    "zastava": {
      "type": "streamableHttp",
      "url": "http://127.0.0.1:8080/mcp",
      "headers": { "Authorization": "Bearer zk_…" }
    }
  }
}
// recipe:end
`;
settings(
  '.cline/data/settings/cline_mcp_settings.json',
  recipe(mcp).replace('zk_…', process.env.ZASTAVA_KEY),
);
run('cline', ['--json', task]);

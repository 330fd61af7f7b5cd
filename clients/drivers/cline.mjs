// client: Cline
// kind: agent
// npm: cline@latest
import { spawnSync } from 'node:child_process';
import { home, model, run, task } from './agent.mjs';

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
run('cline', ['--json', task]);

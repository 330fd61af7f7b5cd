// client: Prism
// kind: document
// npm: @stoplight/prism-cli@latest
import { spawn } from 'node:child_process';
import { address, finish, writeDocument } from './document.mjs';

const PORT = '4010';
const START_MS = 60_000;

const document = await writeDocument();
const options = ['proxy', 'openapi.json', address, '--port', PORT, '--host', '127.0.0.1'];
const prism = spawn('node_modules/.bin/prism', options, { stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((resolve, reject) => {
  prism.stdout.on('data', (text) => String(text).includes('listening') && resolve());
  setTimeout(() => reject(new Error('Prism did not start')), START_MS).unref();
});

/** Each operation that a user may call is asked well, without a body, and without a credential. */
const key = { authorization: `Bearer ${process.env.ZASTAVA_KEY}` };
const violations = [];
let count = 0;
for (const [path, { post, get }] of Object.entries(document.paths)) {
  if (!/^\/(ai|account|v1)\//.test(path) || path === '/account/export/') continue;
  const example = post?.requestBody?.content?.['application/json']?.example;
  for (const headers of [key, {}]) {
    if (get) await ask('GET', path.replace('{model}', 'gpt-5.1'), headers);
    if (example)
      await ask('POST', path, headers, { ...example, ...(example.model && { model: 'gpt-5.1' }) });
  }
}
prism.kill();
const found = violations.map(({ path, status, text }) => `${path} ${status}: ${text}`);
finish({ ok: found.length === 0, said: found.join('; ') || `${count} answers fit the document` });

async function ask(method, path, headers, body) {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  count++;
  const said = response.headers.get('sl-violations');
  // Prism tells what it misses in a request, too: that there is no credential.
  const ofAnswer = JSON.parse(said ?? '[]').filter(({ location }) => location[0] === 'response');
  if (ofAnswer.length > 0) {
    const text = ofAnswer
      .map(({ message, location }) => `${location.join('.')} ${message}`)
      .join(', ');
    violations.push({ path, status: response.status, text });
  }
  await response.arrayBuffer();
}

/**
 * Bodies that the reference page fills in, each of the fields that one needs. On a fresh server they work as they
 * are wherever that is possible, one after the other: the room of the first is that of all the others. Texts
 * that only the reader knows, such as a password, say what they are.
 */

const ROOM = 'my-first-room-000000000000000000';
const SANDBOX_TEXT = 1;
const message = { room_id: ROOM, ai: SANDBOX_TEXT, message: 'Hello' };
const page = { url: 'https://example.com/' };
/** The admin of the first start, and somebody whom the admin adds. */
const [admin, other] = [{ login: 'admin' }, { login: 'alice' }];
const newPassword = 'at least 8 characters';

const examples: Readonly<Record<string, object>> = {
  '/auth/login/': { ...admin, password: 'the printed password' },
  '/ai/room/': { room_id: ROOM },
  '/ai/send/': message,
  '/ai/estimate/': message,
  '/ai/history/': { room_id: ROOM },
  '/ai/room/delete/': { room_id: ROOM },
  '/trust/check/': page,
  '/trust/bulk/': { urls: [page.url] },
  '/trust/history/': page,
  '/account/password/': { current_password: 'the printed password', new_password: newPassword },
  '/admin/users/add/': other,
  '/admin/users/show/': other,
  '/admin/users/credit/': { ...other, amount: '100', reason: 'paid by invoice 1' },
  '/admin/users/limit/': { ...other, limit: '10' },
  '/admin/users/limits/': { ...other, requests_per_minute: 60 },
  '/admin/users/password/': { ...other, password: newPassword },
  '/admin/users/block/': other,
  '/admin/users/unblock/': other,
  '/admin/users/erase/': other,
  '/admin/users/export/': other,
  '/admin/attempts/': { ...admin, message_id: 1 },
  '/admin/keys/': other,
  '/admin/keys/create/': { ...other, name: 'laptop' },
  '/admin/keys/revoke/': { id: 'the id of a key' },
  '/admin/trust/seeds/add/': { kind: 'trusted', domains: ['example.com'] },
  '/admin/reconcile/': {
    csv: 'id,date,model,prompt_tokens,completion_tokens\ngen-1,2026-11-01,gpt-5-mini,7,3\n',
  },
  '/admin/trust/import/': {
    vertices: 'https://example.com/vertices.txt.gz',
    edges: 'https://example.com/edges.txt.gz',
    release: 'example',
  },
  '/admin/trust/crawl/': { domains: ['example.com'], pages: 10 },
  '/admin/trust/jobs/stop/': { id: 'the id of a job' },
  '/admin/trust/releases/use/': { release: 'example' },
  '/admin/trust/releases/remove/': { release: 'example' },
  '/admin/catalogue/apply/': { yaml: 'models: []', dry_run: true },
  '/admin/catalogue/import/': {
    list: { openai: { id: 'openai', models: { 'gpt-5-mini': { cost: { input: 1, output: 2 } } } } },
    usd_rate: '92.5',
  },
};

/** The example of an operation's body; empty where nothing is needed. */
export function exampleOf(path: string): object {
  return examples[path] ?? {};
}

/** Every route of the product, documented or older. */
import { readDocument, requestSchema, type Document } from '../../support/openapi.ts';
import { wavOf } from '../../support/audio.ts';
import { sampleOf } from './sample.ts';
import type { Modality } from './ways.ts';

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** A valid body, field by field; undefined for routes that take none. */
  body?: Readonly<Record<string, unknown>>;
  /** Fields and files of a form instead of JSON. A text in `file` or `image` is a file's. */
  multipart?: Readonly<Record<string, string>>;
  /** Form fields instead of JSON, or a query where there is no body. */
  form?: Readonly<Record<string, string>>;
  access: 'public' | 'user' | 'operator' | 'admin' | 'cookie';
}

/** The ids for valid bodies: of things that exist. */
export interface Known {
  roomId: string;
  login: string;
  imageId: string;
  keyId: string;
  /** The id of a stored response. */
  responseId: string;
  /** Ids of models; those of the sandbox by default. */
  models?: Readonly<Record<Modality, number>>;
  /** The catalogue file that the models are from; absent by default. */
  catalogue?: string;
}

const sandbox = { text: 'sandbox/sandbox-text', image: 'sandbox/sandbox-image' };

/** The name of the requested model. */
function modelFor({ models }: Known, modality: Modality): string {
  if (models) return String(models[modality]);
  return modality === 'image' ? sandbox.image : sandbox.text;
}

type Bodies = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A file of 20 ms, byte by byte. */
const wavText = Buffer.from(wavOf(0.02)).toString('latin1');

const say = (text: string) => [{ role: 'user', content: text }];

function bodies(known: Known): Bodies {
  const { roomId, login, keyId, responseId, models, catalogue: yaml = 'models: []' } = known;
  const send = {
    room_id: roomId,
    ai: models?.text ?? 1,
    message: 'Hello',
    system_prompt: '',
    chat_depth: 2,
    context_before: 1,
    max_output_tokens: 20,
    temperature: 1,
    seed: 7,
    stream: false,
    detached: false,
  };
  const model = modelFor(known, 'text');
  const drawing = modelFor(known, 'image');
  const keyLimits = {
    id: keyId,
    requests_per_minute: 1,
    tokens_per_minute: 1,
    rubles_per_day: 1,
    rubles_per_month: 1,
    rubles_total: 1,
    models: [1],
    tags: ['a'],
    expires_at: 4_000_000_000,
  };
  return {
    '/auth/login/': { login, password: 'a wrong password', code: '123456' },
    '/auth/session/': { login, password: 'a wrong password', code: '123456' },
    '/auth/register/show/': { code: '6EUQ-NE3Y-SLXG-7AW4-87MJ-M23C-456F-K9KJ' },
    '/auth/register/': {
      login: 'newcomer',
      password: 'short',
      code: '6EUQ-NE3Y-SLXG-7AW4-87MJ-M23C-456F-K9KJ',
    },
    '/auth/session/confirm/': { password: 'a wrong password' },
    '/ai/room/': { room_id: roomId },
    '/ai/send/': send,
    '/ai/stop/': { room_id: roomId, id: 1 },
    '/ai/estimate/': send,
    '/ai/history/': { room_id: roomId, include_failed: true, limit: 2, before: '3' },
    '/ai/rooms/': { limit: 2, before: roomId },
    '/ai/search/': { query: 'Hello', limit: 2, before: 9 },
    '/ai/room/rename/': { room_id: roomId, title: 'Renamed' },
    '/ai/room/delete/': { room_id: roomId },
    '/trust/check/': { url: 'example.com', history: 1 },
    '/trust/bulk/': { urls: ['example.com', 'example.org'], history: 0 },
    '/trust/history/': { url: 'example.com' },
    '/trust/last/': { url: 'example.com' },
    '/account/password/': { current_password: 'a wrong one', new_password: 'short' },
    '/account/keys/': {
      name: 'laptop',
      expires_at: 4_000_000_000,
      tags: ['a'],
      rubles_total: 1,
      revoke: keyId,
    },
    '/account/keys/limit/': keyLimits,
    '/account/keys/rotate/': { id: keyId, old_until: 0 },
    '/account/usage/': { from: '2026-01-01', to: '2026-12-31' },
    '/account/usage/keys/': { from: '2026-01-01', to: '2026-12-31', model_id: 1 },
    '/account/usage/rooms/': { limit: 2 },
    '/account/transactions/': { limit: 2, before: 5, from: '2026-01-01', to: '2026-12-31' },
    '/account/sessions/end/': { id: 'no such session' },
    '/admin/users/': {
      limit: 2,
      offset: 1,
      after: 1,
      search: 'u',
      is_blocked: false,
      is_admin: false,
      is_negative: false,
      order: 'balance',
      descending: true,
    },
    '/admin/users/transactions/': { login, limit: 2, before: 5 },
    '/admin/users/usage/': { login, from: '2026-01-01', to: '2026-12-31' },
    '/admin/report/': {
      from: '2026-01-01',
      to: '2026-12-31',
      by: ['user'],
      login,
      model_id: 1,
      provider: 'sandbox',
      limit: 2,
      offset: 1,
    },
    '/admin/audit/': {
      user: login,
      by: login,
      origin: 'http',
      action: 'user_added',
      from: '2026-01-01',
      to: '2026-12-31',
      limit: 2,
      before: 5,
    },
    '/admin/usage/': {
      from: '2026-01-01',
      to: '2026-12-31',
      by: ['day', 'user'],
      login,
      model_id: 1,
      provider: 'sandbox',
      limit: 2,
      offset: 1,
    },
    '/admin/users/add/': {
      login,
      password: 'short',
      is_admin: false,
      credit: 1,
      trust_allowance: 1,
    },
    '/admin/users/show/': { login },
    '/admin/users/credit/': { login, amount: 1, reason: 'test' },
    '/admin/users/refund/': { login, message_id: 1, amount: 0.01, reason: 'test' },
    '/admin/refunds/': { model_id: 1, from: 0, to: 1, percent: 50, reason: 'test', dry_run: true },
    '/admin/users/limit/': { login, limit: 1 },
    '/admin/users/password/': { login, password: 'short' },
    '/admin/users/block/': { login },
    '/admin/users/unblock/': { login },
    '/admin/users/erase/': { login },
    '/admin/users/role/': { login, role: 'operator' },
    '/admin/users/export/': { login },
    '/admin/keys/': { login },
    '/admin/keys/create/': { login, name: 'phone', expires_at: 4_000_000_000 },
    '/admin/keys/limit/': keyLimits,
    '/admin/keys/rotate/': { id: keyId, old_until: 0 },
    '/admin/keys/revoke/': { id: keyId },
    '/account/redeem/': { code: 'R9RA-FXWZ-4FA2-G5P9-RUYS-ZU4D-VGQP-H2FX' },
    '/admin/invitations/': { limit: 2, before: 5 },
    '/admin/invitations/create/': {
      uses: 2,
      credit: 1,
      requests_per_minute: 5,
      tokens_per_minute: 5,
      rubles_per_day: 5,
      models: [1],
      note: 'x',
      expires_at: 4_000_000_000,
    },
    '/admin/invitations/show/': { id: 1, limit: 2 },
    '/admin/invitations/revoke/': { id: 1 },
    '/admin/vouchers/': { limit: 2, before: 5 },
    '/admin/vouchers/create/': { count: 2, amount: 1, note: 'x', expires_at: 4_000_000_000 },
    '/admin/vouchers/show/': { id: 1, limit: 2, after: 1 },
    '/admin/vouchers/revoke/': { id: 1, number: 1 },
    '/admin/catalogue/apply/': { yaml, dry_run: true, revision: 1 },
    '/admin/catalogue/price/': {
      id: 1,
      price: { cost_input_tokens_rub: 1 },
      dry_run: true,
      revision: 1,
    },
    '/admin/catalogue/versions/': { id: 1, limit: 2, before: 5 },
    '/admin/catalogue/import/': {
      list: { 'gpt-x': { litellm_provider: 'openai', mode: 'chat' } },
      usd_rate: '92.5',
      markup: 20,
      providers: [],
      map: {},
      add: [],
      allow_free: false,
      apply: false,
    },
    '/admin/reconcile/': {
      csv: 'id,date,model,prompt_tokens,completion_tokens\nx,2026-01-01,gpt-x,7,3\n',
      columns: 'id=id',
      providers: [],
      models: {},
      from: '2026-01-01',
      to: '2026-01-31',
    },
    // Nothing answers at this address, and these jobs call no other.
    '/admin/trust/import/': {
      vertices: 'http://127.0.0.1:1/v',
      edges: 'http://127.0.0.1:1/e',
      release: 'none',
      memory_mib: 64,
    },
    '/admin/trust/crawl/': { domains: ['example.com'], pages: 1 },
    '/v1/chat/completions': {
      model,
      messages: say('Hello'),
      max_tokens: 20,
      temperature: 1,
      seed: 7,
      stream: false,
      stream_options: { include_usage: true },
      tools: [],
      stop: ['x'],
      n: 1,
      user: 'x',
    },
    '/v1/responses': {
      model,
      input: [...say('Hello'), { type: 'item_reference', id: responseId.replace('resp_', 'msg_') }],
      previous_response_id: responseId,
      max_output_tokens: 20,
      stream: false,
      store: true,
      truncation: 'auto',
      include: ['reasoning.encrypted_content'],
      metadata: { a: 'b' },
      tools: [{ type: 'function', name: 'f', parameters: {}, strict: false }],
    },
    '/v1/responses/compact': { model, input: say('Hello'), previous_response_id: responseId },
    '/v1/audio/speech': {
      model: modelFor(known, 'speech'),
      input: 'Hello',
      voice: 'alloy',
      speed: 1,
      response_format: 'mp3',
    },
    '/v1/completions': {
      model: modelFor(known, 'completion'),
      prompt: 'Hello',
      max_tokens: 20,
      n: 1,
      stream: false,
      user: 'x',
    },
    '/v1/images/generations': {
      model: drawing,
      prompt: 'a gate',
      n: 1,
      size: 'auto',
    },
    '/v1/images/edits': {
      model: drawing,
      prompt: 'a gate',
      images: [{ image_url: 'data:image/png;base64,iVBORw0KGgo=' }],
      size: 'auto',
    },
    '/v1/embeddings': {
      model: modelFor(known, 'embedding'),
      input: ['Hello'],
      dimensions: 3,
      encoding_format: 'float',
    },
    '/v1/messages': { model, max_tokens: 20, messages: say('Hello'), system: 'x', stream: false },
    '/v1/messages/count_tokens': { model, messages: say('Hello') },
  };
}

/** Routes whose requests are not JSON. */
function others(known: Known): Route[] {
  const { imageId, login, responseId } = known;
  const form = { login, pass: 'a wrong password', auto: '1' };
  const query = { url: 'example.com', tp: '3', h: '1' };
  const get = (path: string, access: Route['access'] = 'public'): Route => ({
    method: 'GET',
    path,
    access,
  });
  return [
    ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/start.js'].map((path) =>
      get(path),
    ),
    get(`/images/${imageId}`),
    {
      method: 'POST',
      path: '/mcp',
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'last_trust_check', arguments: { url: 'example.com', language: 'ru' } },
      },
      access: 'user',
    },
    get(`/v1/responses/${responseId}`, 'user'),
    get(`/v1/responses/${responseId}/input_items`, 'user'),
    { method: 'POST', path: `/v1/responses/${responseId}/cancel`, body: {}, access: 'user' },
    { method: 'DELETE', path: `/v1/responses/${responseId}`, access: 'user' },
    {
      method: 'POST',
      path: '/v1/audio/transcriptions',
      multipart: {
        file: wavText,
        model: modelFor(known, 'transcription'),
        language: 'en',
        response_format: 'srt',
        temperature: '0.5',
        'timestamp_granularities[]': 'word',
        stream: 'false',
      },
      access: 'user',
    },
    {
      method: 'POST',
      path: '/v1/images/edits',
      multipart: { 'image[]': 'PNG', prompt: 'a gate', model: modelFor(known, 'image'), n: '1' },
      access: 'user',
    },
    get('/v1/models', 'user'),
    get(`/v1/models/${modelFor(known, 'text')}`, 'user'),
    { method: 'POST', path: '/login.php', form, access: 'public' },
    { method: 'POST', path: '/', form, access: 'public' },
    get('/login.php', 'public'),
    get('/logout.php', 'public'),
    { method: 'GET', path: '/trast.php', form: query, access: 'cookie' },
  ];
}

/** Every route. A documented one without a body above gets one made from its schema. */
export function routesOf(document: Document, known: Known): Route[] {
  const all = bodies(known);
  const extra = others(known);
  const isExtra = (path: string) =>
    extra.some((route) => route.path.startsWith(path.replace(/\{.*$/, '')));
  const documented = Object.keys(document.paths).filter((path) => !(path in all) && !isExtra(path));
  const made = documented.map((path): [string, Record<string, unknown>] => {
    const sample = sampleOf(requestSchema(document, path), known);
    return [path, sample as Record<string, unknown>];
  });
  const posts = [...Object.entries(all), ...made].map(([path, body]): Route => {
    return { method: 'POST', path, body, access: accessTo(document, path) };
  });
  return [...posts, ...extra];
}

/** By the scopes of the API keys that may call it. */
function accessTo({ paths }: Document, path: string): Route['access'] {
  const scopes = paths[path]?.['post']?.['x-scopes'];
  if (!scopes) return 'public';
  if (scopes.includes('full') || scopes.includes('chat')) return 'user';
  return scopes.includes('operator') ? 'operator' : 'admin';
}

/** True for routes of operators and admins. */
export function isAdministrative({ access }: Pick<Route, 'access'>): boolean {
  return access === 'operator' || access === 'admin';
}

/** The sites of the bodies above resolve to an address where nothing answers, so they cause no waits. */
export const nobodyThere: Readonly<Record<string, string>> = {
  ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
  ZASTAVA_FETCH_RESOLVE: ['example.com', 'example.org']
    .flatMap((host) => [`${host}:80=127.0.0.1:1`, `${host}:443=127.0.0.1:1`])
    .join(','),
};

export async function documentOf(get: (path: string) => Promise<Response>): Promise<Document> {
  return readDocument(await get('/openapi.json'));
}

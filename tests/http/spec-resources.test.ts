/**
 * AI Model Gateway API 2.0.0, "Resources and their fields": one test for every row of every table, on the answers of a
 * real dialogue. The tests are named after the rows.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { PASSWORD } from '../support/gateway.ts';
import { sharedWorld, type ModelLine } from '../support/world.ts';

type Json = Record<string, unknown>;
type Row = [field: string, type: string, check: (value: unknown, whole: Json) => void];

const isText = (text: string) => (value: unknown) => expect(value).toBe(text);
const isInteger = (value: unknown): void => expect(Number.isSafeInteger(value)).toBe(true);
const isNumber = (value: unknown): void => expect(Number.isFinite(value)).toBe(true);
const isDigits = (value: unknown): void => expect(value).toMatch(/^[0-9]+$/);
const isRoomId = (value: unknown): void => expect(value).toMatch(/^[0-9a-f]{32}$/);

/** An amount has at most six decimals. */
const isRubles = (value: unknown): void => {
  isNumber(value);
  expect(Number(Number(value).toFixed(6))).toBe(value as number);
};

const models: ModelLine[] = [
  {
    id: 101,
    model: 'vendor/text-1',
    description: 'Text',
    description_full: 'A model for tests,\nover two lines',
    model_alias: 'mini',
  },
  { id: 103, model: 'vendor/image-1', type: 'IMAGE', is_chat_mode_allowed: 0 },
];

const modelRows: Row[] = [
  ['id', 'an integer', (value) => expect(value).toBe(101)],
  ['code', 'a string, the provider code', isText('scripted')],
  ['model', 'a string', isText('vendor/text-1')],
  ['description', 'a string', isText('Text')],
  ['description_full', 'a string', isText('A model for tests,\nover two lines')],
  ['model_alias', 'a string or null', isText('mini')],
  ['type', 'TEXT or IMAGE', isText('TEXT')],
  ['max_input_tokens', 'an integer', (value) => expect(value).toBe(4_000)],
  ['max_output_tokens', 'an integer', (value) => expect(value).toBe(1_000)],
  ['min_temperature', 'a number', (value) => expect(value).toBe(0)],
  ['max_temperature', 'a number', (value) => expect(value).toBe(2)],
  ['is_chat_mode_allowed', 'an integer flag', (value) => expect(value).toBe(1)],
  ['cost_input_tokens_rub', 'a number', (value) => expect(value).toBe(133.333333)],
  ['cost_output_tokens_rub', 'a number', (value) => expect(value).toBe(266.666667)],
  ['cost_input_fix_rub', 'a number', (value) => expect(value).toBe(0.001)],
  ['cost_output_fix_rub', 'a number', (value) => expect(value).toBe(0.002)],
];

/** The Model wherever it is embedded has the very same fields. */
const isModel = (value: unknown): void => {
  const model = value as Json;
  for (const [field, , check] of modelRows) check(model[field], model);
};

const sendRows: Row[] = [
  ['room_id', 'a string of 32 characters', isRoomId],
  ['id', 'an integer', isInteger],
  ['request', 'a string, the request text', isText('Вопрос')],
  ['response', "a string, the model's answer", isText('echo: Вопрос')],
  ['cost_request', 'a number', isRubles],
  ['cost_response', 'a number', isRubles],
  ['ai', 'a Model object', isModel],
];

const itemRows: Row[] = [
  ['message_id', 'a string, digits as text', isDigits],
  ['message_id_reply', 'a string', (value) => expect(value).toMatch(/^chatcmpl-/)],
  ['system_prompt', 'a string', isText('Отвечай кратко')],
  ['request', 'a string', isText('Вопрос')],
  ['response', 'a string', isText('echo: Вопрос')],
  ['ai', 'a Model object', isModel],
  ['response_at', 'a string, digits as text', isDigits],
  ['created_at', 'a string, digits as text', isDigits],
  ['usage_prompt_tokens', 'a string, digits as text', isDigits],
  ['usage_completion_tokens', 'a string, digits as text', isDigits],
  [
    'usage_total_tokens',
    'a string, digits as text',
    (value, item) => {
      isDigits(value);
      const { usage_prompt_tokens: prompt, usage_completion_tokens: completion } = item;
      expect(Number(value)).toBe(Number(prompt) + Number(completion));
    },
  ],
];

for (const dialect of dialects) {
  describe(`${dialect}: specification, resources`, () => {
    const world = sharedWorld(dialect, { models });
    /** The answers of the dialogue, whole. */
    const got = { login: {}, room: {}, settings: {}, send: {}, image: {}, history: {} } as Record<
      'login' | 'room' | 'settings' | 'send' | 'image' | 'history',
      Json
    >;
    const dataOf = (name: keyof typeof got): Json => got[name]['data'] as Json;

    beforeAll(async () => {
      const { gateway } = world();
      const { login } = await gateway.addUser({ credit: 10 });
      const post = async (path: string, body: object, token?: string) =>
        (await gateway.post(path, body, { token })).body as unknown as Json;
      got.login = await post('/auth/login/', { login, password: PASSWORD });
      const token = String(dataOf('login')['token']);
      got.room = await post('/ai/room/', {}, token);
      const { room_id } = dataOf('room');
      got.settings = await post('/ai/settings/', {}, token);
      const send = { room_id, ai: 101, message: 'Вопрос', system_prompt: 'Отвечай кратко' };
      got.send = await post('/ai/send/', send, token);
      got.history = await post('/ai/history/', { room_id }, token);
      got.image = await post('/ai/send/', { room_id, ai: 103, message: 'Рисунок' }, token);
    });

    function rows(resource: string, table: Row[], of: () => Json): void {
      for (const [field, type, check] of table) {
        test(`${resource}.${field} is ${type}`, () => {
          const whole = of();
          expect(whole).toHaveProperty([field]);
          check(whole[field], whole);
        });
      }
    }

    for (const operation of ['login', 'room', 'settings', 'send', 'history'] as const) {
      rows(
        `Response envelope (${operation})`,
        [
          ['status', 'a string, ok on success', isText('ok')],
          ['data', 'an object', (value) => expect(value).toBeObject()],
        ],
        () => got[operation],
      );
    }

    rows(
      'Token result',
      [
        ['token', 'a string, a JWT', (value) => expect(value).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)],
        ['expired_at', 'an integer', isInteger],
      ],
      () => dataOf('login'),
    );

    rows('Room', [['room_id', 'a string of exactly 32 characters', isRoomId]], () =>
      dataOf('room'),
    );

    const listed = (): Json[] => dataOf('settings')['ai'] as Json[];
    rows('Model', modelRows, () => listed().find(({ id }) => id === 101) ?? {});

    test('Model.model_alias is null if the model has none', () => {
      expect(listed().find(({ id }) => id === 103)).toHaveProperty('model_alias', null);
    });

    test('Model.type is IMAGE for image generation', () => {
      expect(listed().find(({ id }) => id === 103)).toHaveProperty('type', 'IMAGE');
    });

    test('Model.is_chat_mode_allowed is 0 if history cannot be used', () => {
      expect(listed().find(({ id }) => id === 103)).toHaveProperty('is_chat_mode_allowed', 0);
    });

    rows('Send result', sendRows, () => dataOf('send'));

    test('Send result.response is the address of the image for an IMAGE model', () => {
      expect(dataOf('image')['response']).toMatch(/^http:\/\/.+\/images\/[0-9a-f]{48}\.png$/);
    });

    test('Send result.room_id is the room of the request', () => {
      expect(dataOf('send')['room_id']).toBe(dataOf('room')['room_id'] as string);
    });

    rows(
      'History result',
      [
        ['room_id', 'a string', (value) => expect(value).toBe(dataOf('room')['room_id'] as string)],
        ['data', 'an array of history items', (value) => expect(value).toBeArrayOfSize(1)],
      ],
      () => dataOf('history'),
    );

    const item = (): Json => (dataOf('history')['data'] as Json[])[0] ?? {};
    rows('History item', itemRows, item);

    test('History item.message_id is the id of the send', () => {
      expect(item()['message_id']).toBe(String(dataOf('send')['id']));
    });
  });
}

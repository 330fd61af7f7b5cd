/** Parts of reading a body: counting before parsing, the budget of bytes, and the thread for large bodies. */
import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { constants, getPriority, platform } from 'node:os';
import fc from 'fast-check';
import { z } from 'zod';
import { BodyBudget } from '../../src/http/body/budget.ts';
import { parseLargeBody } from '../../src/http/body/check.ts';
import { JSON_DEPTH_MAX, scanJson } from '../../src/http/body/scan.ts';
import { BodyThread } from '../../src/http/body/thread.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { decodePassed, standInFor, withPassedTexts } from '../../src/lib/passed-texts.ts';
import { STEP } from '../../src/lib/yield-cores.ts';
import { failure } from '../support/failure.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The values inside the fields that are not numbers, counted after parsing. */
function valuesIn(value: unknown, depth = 0): number {
  const own = depth > 1 && typeof value !== 'number' ? 1 : 0;
  if (typeof value !== 'object' || value === null) return own;
  const members: unknown[] = Object.values(value);
  return members.reduce<number>((sum, member) => sum + valuesIn(member, depth + 1), own);
}

describe('the check of a body', () => {
  const item = z.object({ text: z.string() });
  const schema = z.object({ list: z.union([z.string(), z.array(item)]), name: z.string() });

  test('names the first wrong items of a long list by their positions, and takes a right one', () => {
    const right = Array.from({ length: 5_000 }, () => ({ text: 'a' }));
    expect(parseLargeBody(schema, { list: right, name: 'n' })).toEqual({ list: right, name: 'n' });
    const wrong = right.map((one, at) => (at < 2_500 ? one : { text: 1 }));
    expect(() => parseLargeBody(schema, { list: wrong, name: 'n' })).toThrow(
      /^list\.2500.*; list\.2549[^;]*; and more$/s,
    );
  });

  test('names a single wrong item of a long list, and other fields', () => {
    const list: unknown[] = Array.from({ length: 3_000 }, () => ({ text: 'a' }));
    list[2_999] = {};
    expect(() => parseLargeBody(schema, { list })).toThrow(/list\.2999.*name: is required/);
  });
});

describe('the scan of a body', () => {
  test('counts what the parser finds, whatever the texts contain', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^["\\:{}[\],]{0,200}$/),
      fc.constant('x'.repeat(200)),
    );
    const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 });
    fc.assert(
      fc.property(json, texts, fc.constantFrom(0, 1), (value, text, indent) => {
        const body = { value, [text]: [text, { [text]: text }, null, true, -1.5e9] };
        const bytes = bytesOf(JSON.stringify(body, null, indent));
        expect(scanJson(bytes)).toBe(valuesIn(JSON.parse(JSON.stringify(body))));
      }),
    );
  });

  test('ends for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          expect(scanJson(bytes)).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect(error).toMatchObject({ code: 'payload_too_large' });
        }
      }),
    );
    for (const text of ['"', '"\\', `"${'\\'.repeat(131)}`, '[', '']) {
      expect(scanJson(bytesOf(text))).toBe(0);
    }
    const deep = '['.repeat(JSON_DEPTH_MAX + 1);
    expect(() => scanJson(bytesOf(deep))).toThrow(DomainError);
  });
});

describe('the budget of bodies', () => {
  const overloaded = { code: 'overloaded', retryAfterSeconds: 1 };
  const errorOf = (work: () => void): unknown => {
    try {
      work();
      return undefined;
    } catch (error) {
      return error;
    }
  };

  test('gives a user a quarter and an address a half, and takes bytes back', () => {
    const budget = new BodyBudget(1_000);
    const first = budget.reserve(1, 'a');
    first.add(200);
    const beside = budget.reserve(1, 'a');
    beside.add(50);
    expect(errorOf(() => first.add(1))).toMatchObject(overloaded);
    expect(errorOf(() => budget.reserve(1, 'b').add(1))).toMatchObject(overloaded);
    const second = budget.reserve(2, 'a');
    second.add(250);
    expect(errorOf(() => budget.reserve(3, 'a').add(1))).toMatchObject(overloaded);
    budget.reserve(3, 'c').add(250);
    budget.reserve(4, 'd').add(250);
    expect(budget.bytes).toBe(1_000);
    expect(errorOf(() => budget.reserve(5, 'e').add(1))).toMatchObject(overloaded);
    first.release();
    first.release();
    expect(budget.bytes).toBe(800);
    budget.reserve(1, 'a').add(200);
  });

  test('takes any single body of a user and an address, but no second one beside it', () => {
    const budget = new BodyBudget(1_000);
    const large = budget.reserve(1, 'a');
    large.add(600);
    large.add(300);
    expect(errorOf(() => large.add(101))).toMatchObject(overloaded);
    expect(errorOf(() => budget.reserve(1, 'b').add(1))).toMatchObject(overloaded);
    expect(errorOf(() => budget.reserve(2, 'a').add(1))).toMatchObject(overloaded);
    budget.reserve(2, 'b').add(100);
    large.release();
    budget.reserve(1, 'b').add(250);
  });

  test('counts a large text five times, but at most as three quarters of its size', () => {
    const MIB = 1024 * 1024;
    const budget = new BodyBudget(256 * MIB);
    const text = budget.reserve(1, 'a');
    text.add(31 * MIB);
    text.weigh(31 * MIB);
    expect(budget.bytes).toBe(151 * MIB);
    const other = budget.reserve(2, 'b');
    other.add(31 * MIB);
    expect(errorOf(() => other.weigh(31 * MIB))).toMatchObject(overloaded);
    expect(budget.bytes).toBe(182 * MIB);
    other.weigh(2 * MIB);
    expect(budget.bytes).toBe(186 * MIB);
    for (const reservation of [text, other]) reservation.release();
    const short = budget.reserve(1, 'a');
    short.add(MIB);
    short.weigh(MIB);
    expect(budget.bytes).toBe(MIB);
    short.release();
    const small = new BodyBudget(64 * MIB);
    const most = small.reserve(1, 'a');
    most.add(31 * MIB);
    most.weigh(31 * MIB);
    expect(small.bytes).toBe(48 * MIB);
  });

  test('never counts below zero or above its size', () => {
    const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(400), fc.boolean()));
    fc.assert(
      fc.property(steps, (all) => {
        const budget = new BodyBudget(1_000);
        const open: { release: () => void }[] = [];
        for (const [user, address, bytes, releases] of all) {
          const reservation = budget.reserve(user, String(address));
          if (errorOf(() => reservation.add(bytes)) === undefined) open.push(reservation);
          if (releases) open.shift()?.release();
          expect(budget.bytes).toBeLessThanOrEqual(1_000);
        }
        for (const reservation of open) reservation.release();
        expect(budget.bytes).toBe(0);
      }),
    );
  });
});

describe('the thread of bodies', () => {
  // One for all tests: each thread loads the schemas of all operations.
  const thread = new BodyThread(Infinity);
  const request = (text: string, endpoint?: string) => {
    return { bytes: bytesOf(text), endpoint, wantsDigest: true };
  };

  test("parses a body, checks it against the endpoint's schema, and hashes it", async () => {
    const body = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"new":1}';
    const parsed = await thread.parse(request(body, '/v1/chat/completions'), 1);
    expect(parsed.value).not.toHaveProperty('new');
    expect(parsed.value).toMatchObject({ model: 'm' });
    expect(parsed.digest).toBe(new Bun.CryptoHasher('sha256').update(body).digest('hex'));
    const plain = await thread.parse(request('{"new":[1]}'), 1);
    expect(plain.value).toEqual({ new: [1] });
  });

  const image = `data:image/png;base64,${'iVBORw0KGgo/'.repeat(20_000)}`;
  const chat = (parts: object[]) =>
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: parts }] });
  const shown = (url: string) => ({ type: 'image_url', image_url: { url } });

  test('leaves images as the bytes of the body, also with escaped slashes', async () => {
    const plain = chat([shown(image), { type: 'text', text: 'Hi' }, shown(`${image}=`)]);
    for (const body of [plain, plain.replaceAll('/', String.raw`\/`)]) {
      const { value, passed, digest } = await thread.parse(
        request(body, '/v1/chat/completions'),
        1,
      );
      const text = JSON.stringify(value);
      expect(text.length).toBeLessThan(1_000);
      expect(passed?.bytes).toHaveLength(Buffer.byteLength(body));
      expect(digest).toBe(new Bun.CryptoHasher('sha256').update(body).digest('hex'));
      const whole = passed && Buffer.concat(withPassedTexts(passed, text)).toString();
      expect(Bun.deepEquals(JSON.parse(whole ?? ''), JSON.parse(plain))).toBe(true);
      expect(passed && decodePassed(passed, `a ${standInFor(passed.mark, 0)}`)).toBe(
        `a ${image.slice(image.indexOf(',') + 1)}`,
      );
    }
  });

  test('decodes what looks like an image but is not one', async () => {
    const base64 = image.slice(image.indexOf(',') + 1);
    const bodies = [
      chat([{ type: 'text', text: base64 }]),
      chat([shown(image), { type: 'text', text: image }]),
      JSON.stringify({
        ...(JSON.parse(chat([shown(image)])) as object),
        tools: [{ type: 'function', function: { name: 'f', parameters: { [base64]: image } } }],
      }),
      chat([shown(`${image}ж`)]),
      chat([shown(`${image}\n`)]),
    ];
    for (const body of bodies) {
      const parsed = await thread.parse(request(body, '/v1/chat/completions'), 1);
      expect(parsed.passed).toBeUndefined();
      expect(parsed.value).toMatchObject(JSON.parse(body) as object);
    }
    const counted = chat([shown(image)]);
    const native = await thread.parse(request(counted), 1);
    expect(native).toMatchObject({ value: JSON.parse(counted) as object });
  });

  test('passes on errors of the body, and continues', async () => {
    const wrong = failure(thread.parse(request('{"model":1}', '/v1/chat/completions'), 1));
    const cut = failure(thread.parse(request('{'), 1));
    const fine = thread.parse(request('{}'), 1);
    expect(await wrong).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'model' }, {}],
    });
    expect(await cut).toMatchObject({ code: 'invalid_json' });
    expect((await fine).value).toEqual({});
  });

  test('parses a large body once there is room for the values of its text', async () => {
    const text = 'a word '.repeat(160_000);
    const weighed: number[] = [];
    const weigh = (textBytes: number) => void weighed.push(textBytes);
    const body = chat([{ type: 'text', text }, shown(image)]);
    const { value } = await thread.parse(request(body, '/v1/chat/completions'), 1, weigh);
    expect(value).toMatchObject({ messages: [{ content: [{ text }, {}] }] });
    await thread.parse(request(JSON.stringify({ text })), 1, weigh);
    await thread.parse(request(JSON.stringify({ text: 'short' })), 1, weigh);
    await thread.parse(request(chat([shown(image)]), '/v1/chat/completions'), 1, weigh);
    const base64 = image.length - image.indexOf(',') - 1;
    expect(weighed).toEqual([body.length - base64, text.length + '{"text":""}'.length]);
  });

  test('drops a large body for which there is no room, and continues', async () => {
    const full = () => {
      throw new DomainError('overloaded', 'there is no room');
    };
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    const refused = failure(thread.parse(request(large), 1, full));
    const fine = thread.parse(request(large), 1);
    expect(await refused).toMatchObject({ code: 'overloaded' });
    expect((await fine).value).toEqual(JSON.parse(large) as Record<string, unknown>);
  });

  test.if(platform() === 'linux')('leaves the cores to the thread that serves', async () => {
    await thread.parse(request('{}'), 1);
    const own = getPriority();
    const tasks = await readdir('/proc/self/task');
    const nice = tasks.map((task) => getPriority(Number(task)));
    expect(getPriority()).toBe(own);
    expect(nice).toContain(Math.min(constants.priority.PRIORITY_LOW, own + STEP));
  });

  test('leaves the serving thread to others before the next body', async () => {
    const order: string[] = [];
    const first = async () => {
      await thread.parse(request('{}'), 1);
      setTimeout(() => order.push('others'), 400);
      Bun.sleepSync(100);
    };
    const second = async () => {
      await thread.parse(request('{}'), 2);
      order.push('second');
    };
    await Promise.all([first(), second()]);
    expect(order).toEqual(['others', 'second']);
  });

  test('lets users take turns', async () => {
    const order: number[] = [];
    const users = [1, 1, 1, 2, 3];
    await Promise.all(
      users.map((user) => thread.parse(request('{}'), user).then(() => order.push(user))),
    );
    expect(order).toEqual([1, 1, 2, 3, 1]);
  });
});

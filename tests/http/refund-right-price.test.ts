/** A refund down to a right price: each message then costs what it would have cost at that price. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { exactCost } from '../support/rational.ts';
import type { AnswerScript } from '../support/scripted-provider.ts';
import {
  expectBooksHold,
  micro,
  sharedWorld,
  type Chatter,
  type ModelLine,
  type World,
} from '../support/world.ts';

const PATH = '/admin/refunds/';
const REASON = 'wrong price';

/** Ten times too high, in rubles. */
const wrong = {
  cost_input_tokens_rub: 1333.33333,
  cost_output_tokens_rub: 2666.66667,
  cost_input_fix_rub: 0.01,
  cost_output_fix_rub: 0.02,
};
const right = {
  cost_input_tokens_rub: 133.333333,
  cost_output_tokens_rub: 266.666667,
  cost_cached_input_tokens_rub: 13.333333,
  cost_input_fix_rub: 0.001,
  cost_output_fix_rub: 0.002,
};
const always = [{ utc: '00:00-24:00', percent: 150 }];

const TEXT = 201;
const HOURS = 202;
const IMAGE = 203;
const models: ModelLine[] = [
  { id: TEXT, ...wrong },
  { id: HOURS, model: 'peak', cost_hours: always, ...wrong },
  { id: IMAGE, model: 'image', type: 'IMAGE', is_chat_mode_allowed: 0, ...wrong },
];

const usage = { prompt_tokens: 7, completion_tokens: 3 };
const cached = { ...usage, prompt_tokens_details: { cached_tokens: 5 } };
/** Answers of each kind that is charged. */
const answers: { script: AnswerScript; ai: number }[] = [
  { ai: TEXT, script: { usage } },
  { ai: TEXT, script: { usage: cached } },
  { ai: TEXT, script: { text: '', usage } },
  { ai: TEXT, script: { text: '', usage, finishReason: 'content_filter' } },
  { ai: TEXT, script: { usage: { prompt_tokens: 8, completion_tokens: 999 } } },
  { ai: HOURS, script: { usage } },
  { ai: IMAGE, script: { usage } },
];

interface Refunded {
  messages: number;
  charge: number;
  amount: number;
  complete: boolean;
}

/** It costs more than was held at either price, so its charge is the hold. */
const aboveHold = { usage: { prompt_tokens: 7, completion_tokens: 1_000_000 } };

/**
 * Sends each, with or without success.
 * @returns what each was charged
 */
async function sendAll({ provider }: World, user: Chatter): Promise<number[]> {
  const before = (await user.charges()).length;
  for (const { script, ai } of answers) {
    await provider.script(script);
    await user.trySend({ ai, max_output_tokens: 1_000 });
  }
  return (await user.charges()).slice(before);
}

for (const dialect of dialects) {
  describe(`${dialect}: a refund down to a right price`, () => {
    const world = sharedWorld(dialect, { models });

    test('leaves the cost of the same answers at that price, once, and no charge that the hold had lowered', async () => {
      const { gateway, provider, user } = world();
      const { catalogue } = gateway.core;
      const admin = await user({ isAdmin: true });
      const anna = await user({ credit: 1_000 });
      const old = catalogue.get(TEXT)?.versionId;
      const charged = await sendAll(world(), anna);
      expect(charged).toHaveLength(answers.length);
      await provider.script(aboveHold);
      await anna.send({ ai: TEXT, max_output_tokens: 10 });
      for (const id of [TEXT, HOURS, IMAGE]) await catalogue.setPrice(id, right);
      const due = await sendAll(world(), anna);
      expect(BigInt(due[0] ?? 0)).toBe(
        exactCost(1_000, 7, 133_333_333) + exactCost(2_000, 3, 266_666_667),
      );
      const period = { from: 0, to: 4e9, reason: REASON, login: anna.login };
      const refund = (ai: number, body: object = {}) =>
        gateway.data<Refunded>(
          PATH,
          { ...period, model_id: ai, price_version: catalogue.get(ai)?.versionId, ...body },
          admin,
        );
      // The whole charge of this message was refunded before.
      const back = { login: anna.login, message_id: 1, reason: 'a complaint' };
      await gateway.data<object>('/admin/users/refund/', back, admin);
      const balance = async () => (await anna.funds()).balance;
      const before = await balance();
      const amountOf = (ai: number) =>
        answers
          .map((one, at) => (one.ai === ai && at > 0 ? (charged[at] ?? 0) - (due[at] ?? 0) : 0))
          .reduce((sum, amount) => sum + amount, 0);
      expect(micro((await refund(TEXT, { dry_run: true })).amount)).toBe(amountOf(TEXT));
      expect(await balance()).toBe(before);
      for (const ai of [TEXT, HOURS, IMAGE]) {
        expect(amountOf(ai)).toBeGreaterThan(0);
        expect(micro((await refund(ai)).amount)).toBe(amountOf(ai));
        expect(await refund(ai)).toMatchObject({ messages: 0, amount: 0 });
      }
      const sum = [TEXT, HOURS, IMAGE].reduce((all, ai) => all + amountOf(ai), 0);
      expect(await balance()).toBe(before + sum);
      // A price above the charged one refunds nothing and charges nothing.
      expect(await refund(TEXT, { price_version: old })).toMatchObject({ messages: 0 });
      await expectBooksHold(gateway);
    });

    test('counts the fixed charge of an answer whose texts are erased', async () => {
      const { gateway, user } = world();
      const { catalogue } = gateway.core;
      const admin = await user({ isAdmin: true });
      const vera = await user({ credit: 1_000 });
      await catalogue.setPrice(TEXT, wrong);
      await vera.send({ ai: TEXT });
      await catalogue.setPrice(TEXT, right);
      const version = catalogue.get(TEXT)?.versionId;
      const request = { from: 0, to: 4e9, reason: REASON, login: vera.login, model_id: TEXT };
      const due = () =>
        gateway.data<Refunded>(PATH, { ...request, price_version: version, dry_run: true }, admin);
      const before = await due();
      expect(before.messages).toBe(1);
      await gateway.data<object>('/ai/room/delete/', { room_id: vera.room }, vera);
      expect(await due()).toEqual(before);
    });

    test('names a version of the model that has a price, and no share', async () => {
      const { gateway, user } = world();
      const { catalogue } = gateway.core;
      const admin = await user({ isAdmin: true });
      const [text, image] = [TEXT, IMAGE].map((id) => catalogue.get(id)?.versionId);
      await catalogue.setPrice(TEXT, null);
      const unpriced = catalogue.get(TEXT)?.versionId;
      const good = { model_id: TEXT, from: 0, to: 4e9, reason: REASON, price_version: text };
      const error = async (body: object) =>
        (await gateway.post(PATH, { ...good, ...body }, admin)).body.error;
      expect((await error({ percent: 50 }))?.details?.[0]?.path).toBe('percent');
      for (const version of [image, unpriced]) {
        const refusal = await error({ price_version: version });
        expect(refusal?.details?.[0]?.path).toBe('price_version');
      }
      expect(await error({ price_version: 999_999 })).toMatchObject({ code: 'not_found' });
    });
  });
}

/** Which of several models with the same name an endpoint uses. */
import { describe, expect, test } from 'bun:test';
import { sharedWorld } from '../support/world.ts';

const TEXT = 101;
const IMAGE = 103;
const image = { type: 'IMAGE', is_chat_mode_allowed: 0, cost_output_fix_rub: 0.5 };
const world = sharedWorld('sqlite', {
  models: [
    { id: TEXT, model: 'both' },
    { id: IMAGE, model: 'both', ...image },
    { id: 104, model: 'sketch' },
    { id: 105, model: 'drawing', model_alias: 'sketch', ...image },
  ],
});

// The last name is the alias of one model, and the bare name of the other.
describe.each(['scripted/both', 'both', 'sketch'])(
  'a text and an image model called %s',
  (model) => {
    test('are resolved by the endpoint', async () => {
      const { gateway, user } = world();
      const { token, ...alice } = await user();
      const messages = [{ role: 'user', content: 'Hi' }];
      const chat = { model, messages };
      expect((await gateway.post('/v1/chat/completions', chat, { token })).status).toBe(200);
      const message = { ...chat, max_tokens: 9 };
      expect((await gateway.post('/v1/messages', message, { token })).status).toBe(200);
      const drawing = { model, prompt: 'a gate' };
      expect((await gateway.post('/v1/images/generations', drawing, { token })).status).toBe(200);
      expect(await alice.charges()).toHaveLength(3);
    });
  },
);

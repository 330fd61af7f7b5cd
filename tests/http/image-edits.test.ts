/** Images that are changed: sent as files or addresses, held and charged like generated ones. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { fileOf, postForm, type Fields } from '../support/forms.ts';
import { expectFree, expectRefused } from '../support/media.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { expectBooksHold, IMAGE_MODEL, sharedWorld, standardModels } from '../support/world.ts';

const PATH = '/v1/images/edits';

for (const dialect of dialects) {
  describe(`image edits on ${dialect}`, () => {
    const world = sharedWorld(dialect, {
      models: [
        ...standardModels,
        { ...standardModels[1], id: 110, provider: 'yandex' },
        { ...standardModels[1], id: 111, model: 'gpt-image-1', model_alias: 'gpt-image-1' },
      ],
      providers: ({ baseUrl }) => ({
        yandex: { kind: 'yandex', base_url: baseUrl, api_key: 'k', options: { folder: 'f' } },
      }),
    });
    const png = (name = 'gate.png') => fileOf(tinyPng, name, 'image/png');
    const base = { model: String(IMAGE_MODEL), prompt: 'Paint it red' };
    const edit = (token: string, more: Fields = {}, headers: Record<string, string> = {}) =>
      postForm(
        world().gateway,
        PATH,
        { ...base, image: png(), ...more },
        { authorization: `Bearer ${token}`, ...headers },
      );
    const editByJson = (token: string, more: object) =>
      world().gateway.fetch(PATH, {
        method: 'POST',
        body: JSON.stringify({ ...base, ...more }),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      });

    test('are answered with the address of the new image, for the price of a generated one', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const usage = { input_tokens: 300, output_tokens: 40, total_tokens: 340 };
      await provider.script({ usage });
      const more = { mask: png('mask.png'), size: '1024x1024', n: 1, input_fidelity: 'high' };
      const answer = await edit(alice.token, more);
      await provider.script('good');
      expect(answer.status).toBe(200);
      const { data, usage: counted } = (await answer.json()) as {
        data: { url: string }[];
        usage: { cost: number };
      };
      const stored = await gateway.fetch(new URL(data[0]?.url ?? '').pathname);
      expect(Buffer.from(await stored.arrayBuffer())).toEqual(tinyPng);
      expect(counted).toMatchObject(usage);
      // 0.01 + 300 × 133.333333 / 1,000,000, and 0.5 + 40 × 266.666667 / 1,000,000.
      expect(await alice.charges()).toEqual([50_000 + 510_667]);
      const call = provider.calls.at(-1);
      expect(call?.path).toBe(PATH);
      expect(call?.body).toMatchObject({
        model: 'scripted-image',
        prompt: 'Paint it red',
        n: '1',
        size: '1024x1024',
        response_format: 'b64_json',
        input_fidelity: 'high',
        image: expect.stringContaining('gate.png image/png') as string,
        mask: expect.stringContaining('mask.png image/png') as string,
      });
      await expectBooksHold(gateway);
    });

    test('several images are sent in the field for several', async () => {
      const { provider, user } = world();
      const alice = await user();
      const image = [png('one.png'), png('two.png')];
      const more = { image, model: 'gpt-image-1', response_format: 'b64_json' };
      const answer = await edit(alice.token, more);
      const { data } = (await answer.json()) as { data: { b64_json: string }[] };
      expect(data).toEqual([{ b64_json: tinyPng.toString('base64') }]);
      const sent = provider.calls.at(-1)?.body;
      expect(sent?.['image[]']).toHaveLength(2);
      // This model refuses the field.
      expect(sent).not.toHaveProperty('response_format');
    });

    test('JSON with data: URLs is sent as files, too', async () => {
      const { provider, user } = world();
      const alice = await user();
      const image_url = `data:image/png;base64,${tinyPng.toString('base64')}`;
      const answer = await editByJson(alice.token, {
        images: [{ image_url }],
        mask: { image_url },
      });
      expect(answer.status).toBe(200);
      expect(provider.calls.at(-1)?.body).toMatchObject({
        image: expect.stringContaining('image.png image/png') as string,
        mask: expect.stringContaining('image.png image/png') as string,
      });
    });

    test('an address in the private network is not fetched, and nothing is charged', async () => {
      const { provider, user } = world();
      const alice = await user();
      const before = provider.calls.length;
      const answer = await editByJson(alice.token, {
        images: [{ image_url: 'https://10.0.0.7/a.png' }],
      });
      const { error } = (await answer.json()) as { error: { param: string; message: string } };
      expect([answer.status, error.param]).toEqual([400, 'image']);
      expect(error.message).toContain('could not be fetched');
      expect(provider.calls).toHaveLength(before);
      expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 });
    });

    test('hold the whole input of the model, since the tokens of images are not known', async () => {
      // 0.51 + 4,000 × 133.333333 / 1,000,000 + 1,000 × 266.666667 / 1,000,000, each part rounded.
      const held = 510_000 + 533_333 + 266_667;
      const poor = await world().user({ credit: (held - 1) / 1_000_000 });
      expect((await edit(poor.token)).status).toBe(402);
      const rich = await world().user({ credit: held / 1_000_000 });
      expect((await edit(rich.token)).status).toBe(200);
    });

    test('are in the history with their prompt, and without the images', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await edit(alice.token, { image: [png(), png()] });
      const room_id = await gateway.core.rooms.apiRoom(alice.userId);
      const { data } = await gateway.data<{ data: { request: string; state: string }[] }>(
        '/ai/history/',
        { room_id },
        alice,
      );
      expect(data.at(-1)).toMatchObject({
        request: 'Paint it red\n[image]\n[image]',
        state: 'done',
      });
    });

    test('a repeat under the same key has the same image, for one charge', async () => {
      const alice = await world().user();
      const headers = { 'idempotency-key': 'k' };
      const first: unknown = await (await edit(alice.token, {}, headers)).json();
      const second: unknown = await (await edit(alice.token, {}, headers)).json();
      expect(second).toEqual(first);
      expect(await alice.charges()).toHaveLength(1);
    });

    test('cost nothing if the provider fails, or answers without an image', async () => {
      await expectFree(world(), ['500', 'cut_body', { body: { data: [] } }], edit);
    });

    test.each([
      ['model', { model: '101' }],
      ['image', { model: '110' }],
      ['image', { image: undefined }],
      ['image', { image: 'a text' }],
      ['image', { image: fileOf(new Uint8Array(), 'a.png', 'image/png') }],
      ['prompt', { prompt: '' }],
      ['n', { n: 2 }],
      ['background', { background: 'transparent' }],
      ['mask', { mask: 'a text' }],
    ])('%s is refused by name: %j', async (param, more) => {
      const alice = await world().user();
      const answer = await edit(alice.token, more);
      await expectRefused(alice, answer, param);
    });

    test('an uploaded file of JSON is refused by name', async () => {
      const alice = await world().user();
      const answer = await editByJson(alice.token, { images: [{ file_id: 'file-1' }] });
      await expectRefused(alice, answer, 'images.0.image_url');
    });
  });
}

/** The models of an Ollama in the catalogue: they are added, retired and added again; a file takes precedence. */
import { describe, expect, test } from 'bun:test';
import { presets } from '../../src/catalogue/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/lib/log.ts';
import { OllamaFinder } from '../../src/ollama.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import { OllamaDouble } from '../support/ollama-double.ts';
import { openCatalogue } from './fixtures.ts';

/** What a server with these settings uses to find an Ollama; nothing else in these tests looks for one. */
function finderOf(
  { core: { catalogue } }: Gateway,
  { host }: OllamaDouble,
  choice: string,
): OllamaFinder {
  const { ollama } = readConfig({ OLLAMA_HOST: host, ZASTAVA_OLLAMA: choice });
  if (!ollama) throw new Error('it is off');
  return new OllamaFinder({ settings: ollama, catalogue, log: silentLog });
}

const modelsOf = ({ core }: Gateway) =>
  core.catalogue.list().filter(({ provider }) => provider === 'ollama');
const namesOf = (gateway: Gateway) => modelsOf(gateway).map(({ model }) => model);

const all = ['gemma3:4b', 'llama3.2:latest', 'nomic-embed-text:latest'];
const ownFile = `
providers: { ollama: { kind: openai, base_url: 'http://127.0.0.1:9/v1' } }
models:
  - { id: 150, provider: ollama, model: mine, type: TEXT, max_input_tokens: 1000, max_output_tokens: 500 }
`;

for (const dialect of dialects) {
  describe(`${dialect}: the models of an Ollama`, () => {
    test('are listed for admins, with the limits that Ollama reports', async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      await finderOf(gateway, ollama, 'on').look();
      expect(namesOf(gateway)).toEqual(all);
      const [gemma, llama, nomic] = modelsOf(gateway).map(({ view }) => view);
      expect(gemma).toMatchObject({
        code: 'ollama',
        max_input_tokens: 16_384,
        max_output_tokens: 16_384,
        priced: false,
        description_full: 'Runs in Ollama; 4.3B, Q4_K_M; vision',
      });
      expect(llama).toMatchObject({ max_input_tokens: 2_048, max_output_tokens: 2_048 });
      expect(nomic).toMatchObject({ max_input_tokens: 2_048, is_chat_mode_allowed: 0 });

      const admin = await gateway.addUser({ isAdmin: true });
      const user = await gateway.addUser({ credit: 10 });
      const send = { room_id: await gateway.room(admin.token), ai: llama?.id, message: 'Hello' };
      const answer = await gateway.data<object>('/ai/send/', send, admin);
      expect(answer).toMatchObject({ response: 'Hello from the machine itself.' });
      expect(ollama.calls).toContain('POST /v1/chat/completions');
      const other = { ...send, room_id: await gateway.room(user.token) };
      expect(await gateway.code('/ai/send/', other, user)).toBe('model_not_found');
    });

    test('are free for everybody only while the setting says so', async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      await finderOf(gateway, ollama, 'free').look();
      const [gemma] = modelsOf(gateway);
      expect(gemma?.view).toMatchObject({ priced: true, cost_input_tokens_rub: 0 });
      const user = await gateway.addUser();
      const send = { room_id: await gateway.room(user.token), ai: gemma?.id, message: 'Hello' };
      expect(await gateway.data<object>('/ai/send/', send, user)).toMatchObject({
        response: 'Hello from the machine itself.',
      });
      await finderOf(gateway, ollama, 'on').look();
      expect(modelsOf(gateway).map(({ price }) => price)).toEqual([null, null, null]);
      expect(await gateway.code('/ai/send/', send, user)).toBe('model_not_found');
    });

    test('are retired when Ollama is gone at a start, return under their ids, and stay in the history', async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      const finder = finderOf(gateway, ollama, 'on');
      await finder.look();
      const before = modelsOf(gateway);
      const admin = await gateway.addUser({ isAdmin: true });
      const room = await gateway.room(admin.token);
      const send = { room_id: room, ai: before[1]?.id, message: 'Hello' };
      await gateway.data<object>('/ai/send/', send, admin);

      ollama.remove('gemma3:4b');
      await finder.look();
      expect(namesOf(gateway)).toEqual(all.slice(1));
      ollama.bringBack('gemma3:4b');
      ollama.away = true;
      await finder.look();
      // While the server runs, only an answer changes anything: calls fail like those to any provider.
      expect(namesOf(gateway)).toEqual(all.slice(1));
      expect(await gateway.code('/ai/send/', send, admin)).toBe('provider_unavailable');

      await finderOf(gateway, ollama, 'on').look();
      expect(namesOf(gateway)).toEqual([]);
      const history = await gateway.data<{ data: { ai: { model: string } }[] }>(
        '/ai/history/',
        { room_id: room },
        admin,
      );
      expect(history.data.map(({ ai }) => ai.model)).toEqual(['llama3.2:latest']);
      ollama.away = false;
      await finder.look();
      expect(modelsOf(gateway)).toEqual(before);
    });

    test('are replaced by a file that defines the provider, and stay beside any other file', async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      const { catalogue } = gateway.core;
      const finder = finderOf(gateway, ollama, 'on');
      await finder.look();
      const before = modelsOf(gateway);
      await catalogue.apply('models: []');
      expect(modelsOf(gateway)).toEqual(before);
      await catalogue.apply(ownFile);
      await finder.look();
      expect(namesOf(gateway)).toEqual(['mine']);
      await catalogue.apply('models: []');
      expect(namesOf(gateway)).toEqual([]);
      await finder.look();
      expect(modelsOf(gateway)).toEqual(before);
    });

    test('keep an imported price', async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      const { catalogue } = gateway.core;
      const finder = finderOf(gateway, ollama, 'on');
      await finder.look();
      const prices = { litellm_provider: 'openai', mode: 'chat', max_input_tokens: 4096 };
      const costs = { input_cost_per_token: 1e-7, output_cost_per_token: 2e-7 };
      await catalogue.importPrices(
        JSON.stringify({ 'llama3.2:latest': { ...prices, ...costs, max_output_tokens: 4096 } }),
        {
          usdRate: '100',
          markup: '0',
          providers: ['ollama'],
          map: ['ollama=openai'],
          add: [],
          allowFree: false,
          longContext: 'refuse',
        },
      );
      await finder.look();
      await finderOf(gateway, ollama, 'on').look();
      const llama = modelsOf(gateway).find(({ model }) => model === 'llama3.2:latest');
      expect(llama?.view).toMatchObject({ priced: true, cost_input_tokens_rub: 10 });
      const user = await gateway.addUser({ credit: 10 });
      const send = { room_id: await gateway.room(user.token), ai: llama?.id, message: 'Hello' };
      const { cost_request: cost } = await gateway.data<{ cost_request: number }>(
        '/ai/send/',
        send,
        user,
      );
      expect(cost).toBe(0.00026);
    });

    test("stay across restarts and for commands, until a server's setting removes them", async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      await finderOf(gateway, ollama, 'on').look();
      const { db } = gateway.core;
      const count = async (parts: object) =>
        (await openCatalogue(db, parts)).list().filter(({ provider }) => provider === 'ollama')
          .length;
      expect(await count({ presets: undefined })).toBe(3);
      expect(await count({ presets, found: ['ollama'] })).toBe(3);
      expect(await count({ presets, found: [] })).toBe(0);
    });

    test('are written once: finding the same models changes nothing', async () => {
      await using gateway = await openGateway(dialect);
      await using ollama = OllamaDouble.start();
      const { catalogue } = gateway.core;
      const finder = finderOf(gateway, ollama, 'on');
      await finder.look();
      const { revision } = catalogue.show();
      await finder.look();
      await finderOf(gateway, ollama, 'on').look();
      await catalogue.refresh();
      expect(catalogue.show().revision).toBe(revision);
      await finder.stop();
      ollama.remove('gemma3:4b');
      await finder.look();
      expect(namesOf(gateway)).toEqual(all);
    });
  });
}

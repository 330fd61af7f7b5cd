/** Files on the administration's screens: catalogues, price lists, exports, and hostile texts in them. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { logIn as tokenOf, openInstallation, printedPassword } from '../cli/installation.ts';
import { withPage } from '../support/chromium.ts';
import { steadyToday } from '../support/clock.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import { openWorld } from '../support/world.ts';
import { logIn, violations, watched } from './support/browser.ts';

const file = (price: number) => `models:
  - id: 500
    provider: sandbox
    model: sandbox-text
    description: Priced
    type: TEXT
    max_input_tokens: 1000
    max_output_tokens: 100
    cost_input_tokens_rub: ${price}
    cost_output_tokens_rub: 25
`;

async function open(page: Page, gateway: Gateway, screen: string): Promise<void> {
  const address = gateway.listen();
  const boss = await gateway.addUser({ isAdmin: true });
  await logIn(page, address, boss.login);
  await page.goto(`${address}/app/${screen}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const csvFile = (text: string) => ({
  name: 'usage.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

test('a catalogue file is refused with its lines, shown as differences, and applied once seen', async () => {
  await using gateway = await openGateway('sqlite');
  await withPage(async (page) => {
    const problems = watched(page);
    await open(page, gateway, 'admin/models');
    const { catalogue } = gateway.core;
    const yaml = page.getByLabel('The file, as YAML');
    const showChanges = page.getByRole('button', { name: 'Show what would change' });
    await yaml.fill(file(12.5).replace('TEXT', 'TEXTS'));
    await showChanges.click();
    await page.getByRole('alert').getByText('line 6: must be TEXT or IMAGE').waitFor();
    await yaml.fill(file(12.5));
    await showChanges.click();
    await page.getByRole('rowheader', { name: 'model 500 sandbox/sandbox-text' }).waitFor();
    expect(catalogue.get(500)).toBeUndefined();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('cell', { name: '₽12.50' }).waitFor();

    await page.getByRole('button', { name: 'Take the file in effect' }).click();
    // The hint about the differences disappears when the text changes.
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByText('The catalogue is like this already.').waitFor();
    expect(await yaml.inputValue()).toContain('cost_input_tokens_rub: 12.5');
    await yaml.fill(file(13));
    await showChanges.click();
    await page.getByRole('cell', { name: '12.5', exact: true }).waitFor();
    // Another admin is faster.
    await catalogue.apply(file(14));
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('the catalogue has changed in the meantime').waitFor();
    expect(catalogue.get(500)?.price?.inputTokens).toBe(14_000_000);
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });
});

test("one model's price is set after its change was shown, and has its date", async () => {
  await using gateway = await openGateway('sqlite', { catalogue: file(10) });
  await withPage(async (page) => {
    await open(page, gateway, 'admin/models');
    await page.getByRole('row', { name: '500' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'sandbox/sandbox-text' }).waitFor();
    await page.getByLabel('Input, 1M tokens', { exact: true }).fill('10,75');
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByRole('cell', { name: '10.75' }).waitFor();
    expect(gateway.core.catalogue.get(500)?.price?.inputTokens).toBe(10_000_000);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('region', { name: 'Versions' }).getByText('10.75').waitFor();
    expect(gateway.core.catalogue.get(500)?.price).toMatchObject({
      inputTokens: 10_750_000,
      outputTokens: 25_000_000,
    });
    expect(await violations(page)).toEqual([]);
  });
});

test('a price list is shown as rows that change or are refused, and applied', async () => {
  const catalogue = `
providers:
  openai: { kind: openai, api_key: key }
models:
  - { id: 101, provider: openai, model: plain, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100,
      cost_input_tokens_rub: 1, cost_output_tokens_rub: 1 }
  - { id: 102, provider: openai, model: free, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100,
      cost_input_tokens_rub: 1, cost_output_tokens_rub: 1 }
`;
  const model = (input: number, output: number) => ({
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: input,
    output_cost_per_token: output,
  });
  const list = { plain: model(5e-7, 1e-6), free: model(0, 0) };
  await using gateway = await openGateway('sqlite', { catalogue });
  await withPage(async (page) => {
    await open(page, gateway, 'admin/models');
    await page.getByLabel('Price list, JSON').setInputFiles({
      name: 'api.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(list)),
    });
    await page.getByLabel('Rubles for a dollar').fill('100');
    await page.getByLabel('Markup, %').fill('10');
    await page.getByRole('button', { name: 'Show the new prices' }).click();
    const rows = page.getByRole('group', { name: 'Import a price list' });
    await rows.getByRole('cell', { name: 'changes', exact: true }).waitFor();
    await rows.getByRole('cell', { name: 'refused', exact: true }).waitFor();
    expect(gateway.core.catalogue.get(101)?.price?.inputTokens).toBe(1_000_000);
    await rows.getByRole('button', { name: 'Apply' }).click();
    await page.locator('p.good', { hasText: 'The prices are applied.' }).waitFor();
    expect(gateway.core.catalogue.get(101)?.price?.inputTokens).toBe(55_000_000);
    expect(gateway.core.catalogue.get(102)?.price?.inputTokens).toBe(1_000_000);
  });
});

test('an export is compared with the books, and saved as CSV without formulas', async () => {
  const today = await steadyToday();
  await using world = await openWorld('sqlite');
  const { gateway } = world;
  const alice = await world.user();
  const sent = await alice.send();
  const [message] = await gateway.core.db.query<{ id: string; prompt: number; output: number }>(
    `SELECT provider_message_id AS id, prompt_tokens AS prompt, completion_tokens AS output
     FROM messages WHERE id = $1`,
    [sent.id],
  );
  const hostile = '=HYPERLINK("http://127.0.0.1:1")';
  const csv = [
    'id,date,model,prompt_tokens,completion_tokens',
    `${message?.id},${today},scripted-text,${message?.prompt},${message?.output}`,
    `"${hostile.replaceAll('"', '""')}",${today},<img src=x onerror=window.hacked=1>,1,2`,
    `broken,${today},scripted-text,many,2`,
  ].join('\n');
  await withPage(async (page) => {
    await open(page, gateway, 'admin/reconcile');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Choose a file first.').waitFor();
    await page.getByLabel('Usage export, CSV').setInputFiles(csvFile(csv));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Compared by the ids of answers' }).waitFor();
    const fact = (name: string) =>
      page.locator('.facts > div', { has: page.getByText(name, { exact: true }) }).locator('dd');
    expect(await fact('Matched').textContent()).toBe('1');
    expect(await fact('Only there').textContent()).toBe('1');
    expect(await fact('Unreadable lines').textContent()).toBe('1');
    await page.getByRole('cell', { name: hostile }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = await Bun.file(await (await download).path()).bytes();
    expect([...saved.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(saved);
    expect(text).toContain(`"'${hostile.replaceAll('"', '""')}"`);
  });
});

test('hostile logins, model names and reasons run nothing, load nothing, and break no layout', async () => {
  const names = [
    '<img src=x onerror=window.hacked=1>',
    '\u202Eevil\u202C<script>window.hacked = 1</script>',
    'x'.repeat(200),
  ];
  const models = names.map((model, index) => ({
    id: 200 + index,
    provider: 'sandbox',
    model,
    type: 'TEXT',
    max_input_tokens: 1000,
    max_output_tokens: 100,
  }));
  await using gateway = await openGateway('sqlite', { catalogue: JSON.stringify({ models }) });
  const logins = ['ن'.repeat(64), `a${'\u0301'.repeat(40)}`, 'w'.repeat(64)];
  for (const login of logins) {
    const { userId } = await gateway.addUser({ login: login.normalize('NFC'), credit: 1 });
    for (const reason of names) {
      await gateway.core.ledger.credit(userId, 1, { reason, madeBy: 'test' });
    }
  }
  await withPage(async (page) => {
    const problems = watched(page);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setViewportSize({ width: 360, height: 640 });
    await open(page, gateway, 'admin/users');
    const address = new URL(page.url()).origin;
    const screens = [
      'admin/users',
      'admin/models',
      'admin/models/200',
      ...logins.map((login) => `admin/users/${encodeURIComponent(login.normalize('NFC'))}`),
    ];
    for (const screen of screens) {
      await page.goto(`${address}/app/${screen}`);
      await page.getByRole('region').first().waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect({ screen, width }).toEqual({ screen, width: 360 });
    }
    // The operator's file is returned as text.
    await page.goto(`${address}/app/admin/models`);
    await page.getByLabel('The file, as YAML').fill(`models: ["${names[0]}"]`);
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });
});

test('a job on the link graph shows its progress, and is stopped; domains are added and removed', async () => {
  await using installation = await openInstallation('sqlite');
  const started = Promise.withResolvers<void>();
  const endless = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue('0\tru.alpha\t1\n');
            started.resolve();
          },
        }),
      ),
  });
  const { url, out } = await installation.serve({ ZASTAVA_FETCH_ALLOW: '127.0.0.1' });
  const password = printedPassword(out());
  expect(await tokenOf(url, 'admin', password)).toMatch(/^ey/);
  try {
    await withPage(async (page) => {
      await page.goto(`${url}/app/admin/trust`);
      await page.locator('[name=login]').fill('admin');
      await page.locator('[name=password]').fill(password);
      await page.locator('button[type=submit]').click();
      await page.getByRole('heading', { name: 'Link graph' }).waitFor();
      await page.getByText('Import a domain graph').click();
      const address = `http://127.0.0.1:${endless.port}/endless`;
      await page.getByLabel('Address of the vertices').fill(address);
      await page.getByLabel('Address of the edges').fill(address);
      await page.locator('details[open]').getByRole('button', { name: 'Start' }).click();
      await page.getByRole('progressbar').waitFor();
      await started.promise;
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Stop: import' }).click();
      await page.getByRole('cell', { name: 'stopped' }).waitFor();

      await page.getByLabel('Domains, one a line').fill('example.com\nno site\n');
      await page.getByLabel('Source', { exact: true }).fill('My list');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Added: 1.').waitFor();
      await page.getByRole('alert').getByText('2: no site').waitFor();
      await page
        .getByRole('cell', { name: /^My list, \d{4}-\d\d-\d\d$/ })
        .first()
        .waitFor();
      await page.getByText(/^trusted: My list, .*: 1$/).waitFor();
      await page.getByRole('button', { name: 'Remove: example.com' }).click();
      await page.getByText('The lists are empty.').waitFor();
    });
  } finally {
    await endless.stop(true);
  }
});

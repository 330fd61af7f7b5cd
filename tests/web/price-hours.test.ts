/** Prices that change with the hour, wherever the page shows a price. */
import { expect, test } from 'bun:test';
import { withPage } from '../support/chromium.ts';
import { openGateway } from '../support/gateway.ts';
import { logIn, violations } from './support/browser.ts';

const catalogue = `models:
  - id: 500
    provider: sandbox
    model: sandbox-text
    description: By the hour
    type: TEXT
    max_input_tokens: 1000
    max_output_tokens: 100
    cost_input_tokens_rub: 10
    cost_output_tokens_rub: 25
    cost_hours:
      - { utc: '01:00-04:00', days: [mon, fri], percent: 200 }
      - { utc: '22:00-24:00', percent: 50 }
`;
const english = 'Mon, Fri 01:00–04:00 UTC: 200% of the price; 22:00–24:00 UTC: 50% of the price';
const russian = 'пн, пт 01:00–04:00 UTC: 200\u00a0% от цены; 22:00–24:00 UTC: 50\u00a0% от цены';

test('the hours stand beside the price in the chat, the list of models and the model', async () => {
  await using gateway = await openGateway('sqlite', { catalogue });
  const address = gateway.listen();
  const boss = await gateway.addUser({ isAdmin: true });
  await withPage(async (page) => {
    await logIn(page, address, boss.login);
    for (const [language, words] of [
      ['en', english],
      ['ru', russian],
    ] as const) {
      await page.evaluate(`localStorage.setItem('zastava-language', '${language}')`);
      await page.goto(`${address}/app/chat`);
      await page.locator('select:has(optgroup)').selectOption('500');
      await page.locator('.model-facts', { hasText: words }).waitFor();
      await page.goto(`${address}/app/admin/models`);
      await page.locator('tr', { hasText: 'sandbox-text' }).getByText(words).waitFor();
      await page.goto(`${address}/app/admin/models/500`);
      await page.locator('.notice', { hasText: words }).waitFor();
      expect(await violations(page)).toEqual([]);
    }
  });
});

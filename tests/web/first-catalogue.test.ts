/** From a fresh server to a priced model of one's own, on the page alone. */
import { expect, test } from 'bun:test';
import { openInstallation, printedPassword } from '../cli/installation.ts';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { violations, watched } from './support/browser.ts';

test.each(dialects)(
  '%s: an admin takes the example of a catalogue, applies it, and changes its price',
  async (dialect) => {
    await using installation = await openInstallation(dialect);
    const { url, out } = await installation.serve();
    await withPage(async (page) => {
      const problems = watched(page);
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.goto(`${url}/app/admin/models`);
      await page.locator('[name=login]').fill('admin');
      await page.locator('[name=password]').fill(printedPassword(out()));
      await page.locator('button[type=submit]').click();

      await page.getByRole('link', { name: 'sandbox-text' }).click();
      await page.getByText('Prices of Zastava’s own models can’t be changed').waitFor();
      expect(await page.getByRole('textbox').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Apply a catalogue file' }).click();

      await press('Example');
      // The server sends it. The page sends nothing while the field is empty.
      await page.locator('textarea:valid').waitFor();
      await press('Show what would change');
      await page.getByRole('rowheader', { name: 'model 101 openai/gpt-5-mini' }).waitFor();
      await page.getByText("OPENAI_API_KEY is not set in this server's environment").waitFor();
      expect(await violations(page)).toEqual([]);
      await press('Apply');
      await page.getByRole('row', { name: '101' }).getByText('₽25.00').waitFor();
      await page.getByRole('button', { name: 'Take the file in effect' }).waitFor();
      expect(await page.getByRole('button', { name: 'Example' }).count()).toBe(0);

      await page.getByRole('link', { name: 'gpt-5-mini' }).click();
      await page.getByLabel('Input, 1M tokens', { exact: true }).fill('30.5');
      await press('Show what would change');
      await page.getByRole('cell', { name: '30.5' }).waitFor();
      await press('Apply');
      await page.getByRole('region', { name: 'Versions' }).getByText('30.5').waitFor();
      expect(problems).toEqual([]);
    });
  },
);

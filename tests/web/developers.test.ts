/** The screen "For developers": its lines can be pasted and work, and contain no key. */
import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { logIn, violations, watched } from './support/browser.ts';

const root = resolve(import.meta.dir, '../..');

test.each(dialects)(
  '%s: the lines for curl, OpenAI and Anthropic work as shown',
  async (dialect) => {
    await using gateway = await openGateway(dialect);
    const user = await gateway.addUser({ credit: 10 });
    const { key } = await gateway.data<{ key: string }>('/account/keys/', { name: 'new' }, user);
    const address = gateway.listen();
    const shown = await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, user.login);
      await page.getByRole('link', { name: 'For developers' }).click();
      await page.getByText(`${address}/v1`, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Copy: curl' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      const texts = await page.locator('pre').allTextContents();
      await page.getByRole('link', { name: 'Account → API keys' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(problems).toEqual([]);
      return texts;
    });
    const [curl = '', ...programs] = shown;
    expect(programs).toHaveLength(2);
    const commands = [
      ['sh', '-c', curl],
      ...programs.map((text) => [process.execPath, '-e', text]),
    ];
    for (const command of commands) {
      const env = { ...process.env, ZASTAVA_KEY: key };
      const child = Bun.spawn(command, { cwd: root, env, stderr: 'pipe' });
      const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect({ error, code: await child.exited, out }).toMatchObject({ code: 0 });
      expect(out).toContain('You wrote: “Hello”.');
    }
  },
);

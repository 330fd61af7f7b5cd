/** The last check of a site, shown again without a check. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { donorsOf } from '../trust/check/links.ts';
import { openTrustWorld } from '../trust/check/world.ts';

interface Shown {
  xt: number;
  remaining: number;
  reasons: string[];
  reason_codes: { code: string; value: number | null }[];
}
interface Last {
  domain: string;
  history: object[];
  record: Shown | null;
}

const words = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const home = `<!doctype html><html lang="ru"><title>Альфа</title><body><p>${words}</p></body></html>`;

for (const dialect of dialects) {
  test(`${dialect}: the last check of a site is shown as it was, until its score changes`, async () => {
    await using world = await openTrustWorld(dialect, { sites: { 'alpha.ru': home } });
    const links = donorsOf('alpha.ru', 25);
    await world.release('first', links);
    const { gateway } = world;
    const [payer, reader] = [await gateway.addUser(), await gateway.addUser()];
    const last = (url: string) => gateway.data<Last>('/trust/last/', { url }, reader);
    expect(await last('https://www.alpha.ru/x')).toEqual({
      domain: 'alpha.ru',
      history: [],
      record: null,
    });
    const checked = await gateway.data<Shown>(
      '/trust/check/',
      { url: 'alpha.ru', history: 1 },
      payer,
    );
    expect(checked.reason_codes).toHaveLength(checked.reasons.length);
    expect(checked.reason_codes).toContainEqual({ code: 'donors', value: 25 });
    const shown = await last('alpha.ru');
    expect(shown.record).toEqual({ ...checked, login: reader.login, remaining: 1000 } as Shown);
    expect(shown.history).toHaveLength(1);

    await world.release('same', links);
    expect((await last('alpha.ru')).record).toMatchObject({ xt: checked.xt, release: 'same' });
    await world.release('other', donorsOf('alpha.ru', 1));
    const changed = await last('alpha.ru');
    expect(changed).toEqual({ ...shown, record: null });
    expect(await gateway.code('/trust/last/', { url: 'no site' }, reader)).toBe('invalid_request');
    const { trust_remaining: left } = await gateway.data<{ trust_remaining: number }>(
      '/account/',
      {},
      reader,
    );
    expect(left).toBe(1000);
  });
}

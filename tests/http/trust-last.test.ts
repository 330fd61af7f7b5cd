/** The last check of a site, shown again without using up a check. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { donorsOf } from '../trust/check/links.ts';
import { openTrustWorld } from '../trust/check/world.ts';

interface Shown {
  xt: number;
  remaining: number;
  summary: string[];
  reasons: string[];
  reason_codes: { code: string; value: number | null }[];
}
/** Letters of the alphabet in which a language is written. */
const scripts = { en: /^[^А-яЁё]*$/, ru: /[А-яЁё]/ } as const;

interface Last {
  domain: string;
  history: object[];
  record: Shown | null;
}

const words = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const home = `<!doctype html><html lang="ru"><title>Альфа</title><body><p>${words}</p></body></html>`;

for (const dialect of dialects) {
  test(`${dialect}: the last check of a site is shown unchanged, until its score changes`, async () => {
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
    expect(checked.reason_codes).toContainEqual({ code: 'few_independent_donors', value: 25 });
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

test('the sentences follow Accept-Language, and the answer says so; the codes stay', async () => {
  const origin = 'https://app.example';
  const env = { ZASTAVA_CORS_ORIGINS: origin };
  await using world = await openTrustWorld('sqlite', { env, sites: { 'alpha.ru': home } });
  await world.release('first', donorsOf('alpha.ru', 25));
  const { gateway } = world;
  const { token } = await gateway.addUser();
  const check = async (path: string, header?: string) => {
    const headers = { origin, ...(header !== undefined && { 'accept-language': header }) };
    const body = path === '/trust/bulk/' ? { urls: ['alpha.ru'] } : { url: 'alpha.ru' };
    const answer = await gateway.post(path, body, { token, headers });
    const data = answer.body.data as Shown & { record?: Shown; records?: Shown[] };
    return { ...answer, record: data.record ?? data.records?.[0] ?? data };
  };
  const english = await check('/trust/check/');
  for (const path of ['/trust/check/', '/trust/bulk/', '/trust/last/']) {
    for (const [header, language] of [
      [undefined, 'en'],
      ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
      ['en;q=0.5, RU', 'ru'],
      ['de, en-GB;q=0.8, ru;q=0.7', 'en'],
      ['ru;q=0, en;q=0.1', 'en'],
      ['rue, *', 'en'],
    ] as const) {
      const { headers, record } = await check(path, header);
      expect([header, headers.get('content-language')]).toEqual([header, language]);
      const varied = (headers.get('vary') ?? '').toLowerCase().split(/, */);
      expect(varied).toContain('accept-language');
      expect(varied).toContain('origin');
      for (const sentence of [...record.summary, ...record.reasons]) {
        expect(sentence).toMatch(scripts[language]);
      }
      expect(record.reason_codes).toEqual(english.record.reason_codes);
    }
  }
});

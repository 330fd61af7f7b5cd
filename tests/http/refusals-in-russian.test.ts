/**
 * Refusals and warnings in Russian: each translation still has its English sentence in the code, and answers are
 * translated.
 */
import { describe, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { parseSync, Visitor } from 'oxc-parser';
import { ofAccounts } from '../../src/http/words/accounts.ru.ts';
import { ofBooks } from '../../src/http/words/books.ru.ts';
import { ofFields } from '../../src/http/words/fields.ru.ts';
import { refusalsInRussian } from '../../src/http/words/index.ts';
import { ofJobs } from '../../src/http/words/jobs.ru.ts';
import { ofSends } from '../../src/http/words/sends.ru.ts';
import { openGateway } from '../support/gateway.ts';

const placeholder = /(?<!\$)\{[a-z]+\}/g;
const source = `${import.meta.dir}/../../src`;

/** All texts of the code, with 7 for each value. */
async function textsOfCode(): Promise<Set<string>> {
  const texts = new Set<string>();
  for await (const file of new Glob('{chat,cli,codes,http,ledger,lib,trust,users}/**/*.ts').scan(
    source,
  )) {
    if (file.includes('words/')) continue;
    const { program } = parseSync(file, await Bun.file(`${source}/${file}`).text());
    new Visitor({
      Literal: ({ value }) => typeof value === 'string' && texts.add(value),
      TemplateLiteral: ({ quasis }) => texts.add(quasis.map(({ value }) => value.cooked).join('7')),
    }).visit(program);
  }
  return texts;
}

/** Sentences that the code puts together from several texts. */
const composed = [
  'a list of at least {n}',
  'a list of at most {n}',
  'a string of at least {n} characters',
  'a string of at most {n} characters',
  'at least {n}',
  'at most {n}',
  'choose a cheaper model, send less, or ask for a higher limit',
  'is one of the invitations, and does not count here',
  'is one of the vouchers, and does not count here',
  'its process ended without reporting an error ({how})',
  'its process ended without reporting an error ({how}): if memory ran out, set a smaller memory_mib',
  'max_output_tokens was lowered to {max}, the most that your balance and your limits cover',
  'max_output_tokens was lowered to {max}, the most that your balance covers',
  'must not be after today',
  'send at most {max}',
  'send less, choose another model, or ask for a higher limit',
  'the database is unavailable; try again in a moment',
  'the file needs columns of tokens with an id, or with a date and a model; it has {header}: assign them (over HTTP with the field columns), e.g. --columns "{example}"',
  'the image store is unavailable; try again in a moment',
  'the request can cost up to {asked} ₽, and your limit is {whole} ₽ a day: {hint}',
  'the request can cost up to {asked} ₽, and {left} ₽ are left of your limit a day: {hint}',
  'the request can take up to {asked} tokens, and your limit is {whole} a minute: {hint}',
  'the request can take up to {asked} tokens, and {left} are left of your limit a minute: {hint}',
  'this is your own login: ask an admin to do that',
  'this is your own login: ask another admin to do that',
  'this model takes no files other than texts: leave them out, or choose another model',
  'this model takes no images: leave them out, or choose another model',
  'this operation is for admins only',
  'this operation is for operators and admins only',
  'this voucher has expired: ask whoever gave it to you for another',
  'this voucher was revoked: ask whoever gave it to you for another',
  'wait until {end}, or send max_output_tokens of at most {max}',
  'wait {seconds} s, or send max_output_tokens of at most {max}',
  'your limit of requests a minute is reached: {hint}',
  '{problem}; the usage that the provider reported was charged: {amount}',
];

const everySentence = { ...ofSends, ...ofAccounts, ...ofBooks, ...ofFields, ...ofJobs };

describe('the Russian sentences of refusals', () => {
  test('each translate an English one in the code', async () => {
    const texts = await textsOfCode();
    const all = Object.keys(everySentence);
    const isSaid = (sentence: string) => texts.has(sentence.replace(placeholder, '7'));
    const notSaid = all.filter((sentence) => !isSaid(sentence));
    expect(notSaid.toSorted()).toEqual(composed.toSorted());
  });

  test('have the values of the English ones, except those that only programs need', () => {
    const valuesOf = (text: string) => (text.match(placeholder) ?? []).toSorted();
    for (const [sentence, russian] of Object.entries(everySentence)) {
      const values = valuesOf(sentence);
      expect([sentence, valuesOf(russian).filter((value) => !values.includes(value))]).toEqual([
        sentence,
        [],
      ]);
    }
  });

  test.each([
    [
      'the request can cost up to 2.5 ₽, and 1 ₽ are left of your limit a day: wait until 0:00 UTC',
      'запрос может стоить до 2.5 ₽, а из вашего лимита на день осталось 1 ₽: подождите до 0:00 UTC',
    ],
    [
      'your limit of requests a minute is reached: wait 12 s, or send max_output_tokens of at most 90',
      'ваш лимит запросов в минуту исчерпан: подождите 12 с или ограничьте ответ 90 токенами',
    ],
    [
      'the provider answered with an error; nothing was charged; the usage that the provider reported was charged: 0.10 ₽',
      'поставщик ответил ошибкой; ничего не списано; списано за то, о чём сообщил поставщик: 0.10 ₽',
    ],
    [
      "http://files/v.gz can't be read beyond byte 0 (the connection ended early): try again later",
      'http://files/v.gz не читается дальше байта 0 (соединение оборвалось): попробуйте позже',
    ],
    ['something that no code says', 'something that no code says'],
  ])('are put together from parts: %s', (english, russian) => {
    expect(refusalsInRussian(english)).toBe(russian);
  });
});

test('an error says what is wrong in the language of the caller, and a program finds the same code', async () => {
  await using gateway = await openGateway('sqlite');
  const { token } = await gateway.addUser();
  const headers = { 'accept-language': 'ru' };
  const refused = await gateway.post(
    '/account/transactions/',
    { limit: 0, from: 5 },
    { token, headers },
  );
  expect(refused.body.error).toMatchObject({
    code: 'invalid_request',
    message: 'limit: нужно: не меньше 1; from: нужен день вида ГГГГ-ММ-ДД',
  });
  const room = { room_id: 'a'.repeat(32) };
  const missing = await gateway.post('/ai/history/', room, { token, headers });
  expect(missing.body.error).toMatchObject({
    code: 'room_not_found',
    message: 'такой комнаты у вас нет',
  });
  const english = await gateway.post('/ai/history/', room, { token });
  expect(english.body.error?.message).toContain('you have no such room');
});

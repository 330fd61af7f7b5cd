import { expect, test } from 'bun:test';
import { languageOfText } from '../../../src/trust/page/text-language.ts';
import { createWorld, page, readPage } from './world.ts';

test.each([
  ['ru', 'Магазин «Ромашка» работает с 1998 года. Мы доставляем цветы по Москве и области.'],
  ['uk', 'Ласкаво просимо до нашої крамниці. Ми працюємо щодня з дев’ятої до шостої години.'],
  ['be', 'Наша крама працуе кожны дзень. Дастаўка па Мінску і вобласці бясплатная.'],
  ['bg', 'Добре дошли в нашия магазин. Работим всеки ден от девет до шест часа.'],
  ['en', 'Welcome to our shop. We are open daily from nine to six and deliver across the county.'],
  ['de', 'Willkommen in unserem Laden. Wir haben täglich von neun bis sechs Uhr geöffnet.'],
  ['pl', 'Witamy w naszym sklepie. Jesteśmy otwarci codziennie od dziewiątej do szóstej.'],
  [null, 'Біздің дүкенге қош келдіңіз. Жұмыс уақыты таңғы тоғыздан кешкі алтыға дейін.'],
  [null, 'Безнең кибеткә рәхим итегез. Без көн саен иртәнге тугыздан кичке алтыга кадәр эшлибез.'],
  [null, 'asdkfj qwlekrj zxcvmn qpwoeiruty alskdjfhg mznxbcv qpwoei lskdjf zmxnc'],
  [null, 'Ромашка'],
  [null, ''],
])('the language of a text is %p: %s', (language, text) => {
  expect(languageOfText(text)).toBe(language);
});

test('language is detected in a page that declares none, and only there', async () => {
  await using world = createWorld();
  const text = '<p>Мы доставляем цветы по всему городу каждый день, с девяти утра до шести вечера.';
  await world.serve('silent.ru', page(`<title>Цветы</title>${text}`));
  await world.serve('wrong.ru', page(`<html lang="en">${text}`));
  world.start();
  const silent = await readPage(world.reader, 'silent.ru');
  expect(silent.facts).toMatchObject({ language: 'ru', languageSource: 'detected' });
  const wrong = await readPage(world.reader, 'wrong.ru');
  expect(wrong.facts).toMatchObject({ language: 'en', languageSource: 'declared' });
});

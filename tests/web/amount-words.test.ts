/** Amounts in words, which an admin reads before a top-up. */
import { expect, test } from 'bun:test';
import { amountInWords } from '../../web/admin/amount-words.ts';

test.each([
  [0, 'zero rubles', 'ноль рублей'],
  [1_000_000, 'one ruble', 'один рубль'],
  [-2_000_000, 'minus two rubles', 'минус два рубля'],
  [1_010_000, 'one ruble 1 kopeck', 'один рубль 1 копейка'],
  [21_500_000, 'twenty-one rubles 50 kopecks', 'двадцать один рубль 50 копеек'],
  [100_000_001, 'one hundred rubles 1 millionth of a ruble', 'сто рублей 1 миллионная рубля'],
  [
    2_002_011_000_000,
    'two million two thousand eleven rubles',
    'два миллиона две тысячи одиннадцать рублей',
  ],
  [1_001_000_000, 'one thousand one rubles', 'одна тысяча один рубль'],
  [8_000_000_000_000_000, 'eight billion rubles', 'восемь миллиардов рублей'],
  [
    345_690_000_000,
    'three hundred forty-five thousand six hundred ninety rubles',
    'триста сорок пять тысяч шестьсот девяносто рублей',
  ],
])('%d micro-rubles', (amount, en, ru) => {
  expect(amountInWords(amount, 'en')).toBe(en);
  expect(amountInWords(amount, 'ru')).toBe(ru);
});

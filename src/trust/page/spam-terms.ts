/**
 * Words that link sellers and doorway pages live by, in Russian and English. Stems, since Russian
 * inflects. One of them says nothing; their density among a page's words, and in the texts of its links
 * to other sites, does.
 */
const stems = [
  'казино',
  'вулкан',
  'слот',
  'букмекер',
  'ставки на спорт',
  'займ',
  'микрозайм',
  'кредит без',
  'виагр',
  'сиалис',
  'дженерик',
  'порно',
  'проститут',
  'индивидуалк',
  'эскорт',
  'диплом купить',
  'купить диплом',
  'прогон по',
  'накрутк',
  'взлом',
  'реферат',
  'casino',
  'poker',
  'betting',
  'slots',
  'viagra',
  'cialis',
  'payday',
  'escort',
  'porn',
  'replica',
  'backlink',
  'essay writing',
  'crack download',
  'free download full',
  'cheap',
];

// A stem begins a word; `\b` knows no Cyrillic.
const source = `(?<![\\p{L}\\p{N}])(?:${stems.join('|')})`;
const anyTerm = new RegExp(source, 'u');
const everyTerm = new RegExp(source, 'gu');
const words = /[\p{L}\p{N}]+/gu;

/** @param text in lower case */
export function hasSpamTerm(text: string): boolean {
  return anyTerm.test(text);
}

/** Spammers' words in 1,000 words. @param text in lower case */
export function spamTermsPerThousandWords(text: string): number {
  const total = text.match(words)?.length ?? 0;
  return total === 0 ? 0 : ((text.match(everyTerm)?.length ?? 0) * 1_000) / total;
}

/** The share of the most frequent word among a title's words; 0 under four words. */
export function titleRepetition(title: string): number {
  const counts = new Map<string, number>();
  const all = title.toLowerCase().match(words) ?? [];
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
  return all.length < 4 ? 0 : Math.max(...counts.values()) / all.length;
}

const MICRO_PER_RUBLE = 1_000_000;
const MICRO_PER_KOPECK = 10_000;

/** An amount in words, so that a person sees a slip of the decimal point. @param micro whole micro-rubles */
export function amountInWords(micro: number, language: 'en' | 'ru'): string {
  const { spell, minus, ruble, kopeck, millionth } = language === 'ru' ? russian : english;
  const size = Math.abs(micro);
  const whole = Math.floor(size / MICRO_PER_RUBLE);
  const rest = size % MICRO_PER_RUBLE;
  const plural = new Intl.PluralRules(language);
  const counted = (count: number, forms: Forms, text = String(count)) =>
    `${text} ${forms[plural.select(count)] ?? forms.other}`;
  const parts = [counted(whole, ruble, spell(whole))];
  if (rest > 0) {
    parts.push(
      rest % MICRO_PER_KOPECK === 0
        ? counted(rest / MICRO_PER_KOPECK, kopeck)
        : counted(rest, millionth),
    );
  }
  return `${micro < 0 ? `${minus} ` : ''}${parts.join(' ')}`;
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const english = {
  minus: 'minus',
  ruble: { one: 'ruble', other: 'rubles' } as Forms,
  kopeck: { one: 'kopeck', other: 'kopecks' } as Forms,
  millionth: { one: 'millionth of a ruble', other: 'millionths of a ruble' } as Forms,
  spell: inEnglish,
};

const russian = {
  minus: 'минус',
  ruble: { one: 'рубль', few: 'рубля', other: 'рублей' } as Forms,
  kopeck: { one: 'копейка', few: 'копейки', other: 'копеек' } as Forms,
  millionth: { one: 'миллионная рубля', other: 'миллионных рубля' } as Forms,
  spell: inRussian,
};

const englishSmall =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const englishTens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const englishScales = ['', ' thousand', ' million', ' billion'];

function inEnglish(count: number): string {
  if (count === 0) return 'zero';
  return groupsOf(count)
    .map((group, scale) => (group === 0 ? '' : `${englishGroup(group)}${englishScales[scale]}`))
    .toReversed()
    .filter((text) => text !== '')
    .join(' ');
}

function englishGroup(group: number): string {
  const [hundreds, rest] = [Math.floor(group / 100), group % 100];
  const [tens, ones] = [Math.floor(rest / 10), rest % 10];
  const small =
    rest < 20
      ? englishSmall[rest]
      : `${englishTens[tens]}${ones > 0 ? `-${englishSmall[ones]}` : ''}`;
  const words = [hundreds > 0 ? `${englishSmall[hundreds]} hundred` : '', rest > 0 ? small : ''];
  return words.filter((word) => word !== '').join(' ');
}

const russianSmall =
  'ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать'.split(
    ' ',
  );
const russianTens =
  '- - двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто'.split(' ');
const russianHundreds =
  '- сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот'.split(' ');
const russianScales: readonly Forms[] = [
  { other: '' },
  { one: 'тысяча', few: 'тысячи', other: 'тысяч' },
  { one: 'миллион', few: 'миллиона', other: 'миллионов' },
  { one: 'миллиард', few: 'миллиарда', other: 'миллиардов' },
];

function inRussian(count: number): string {
  if (count === 0) return 'ноль';
  const plural = new Intl.PluralRules('ru');
  return groupsOf(count)
    .map((group, scale) => {
      const forms = russianScales[scale] ?? { other: '' };
      if (group === 0) return '';
      return `${russianGroup(group, scale === 1)} ${forms[plural.select(group)] ?? forms.other}`.trim();
    })
    .toReversed()
    .filter((text) => text !== '')
    .join(' ');
}

/** @param feminine for thousands: одна, две */
function russianGroup(group: number, feminine: boolean): string {
  const [hundreds, rest] = [Math.floor(group / 100), group % 100];
  const tens = rest < 20 ? 0 : Math.floor(rest / 10);
  const ones = rest < 20 ? rest : rest % 10;
  const one = feminine && ones === 1 ? 'одна' : feminine && ones === 2 ? 'две' : russianSmall[ones];
  const words = [
    hundreds > 0 ? russianHundreds[hundreds] : '',
    tens > 0 ? russianTens[tens] : '',
    ones > 0 ? one : '',
  ];
  return words.filter((word) => word !== '').join(' ');
}

/** Groups of three digits, the lowest first. */
function groupsOf(count: number): number[] {
  const groups: number[] = [];
  for (let rest = count; rest > 0; rest = Math.floor(rest / 1000)) groups.push(rest % 1000);
  return groups;
}

/** A room and its messages. */
export interface Talk {
  name: 'code' | 'image' | 'russian';
  title: string;
  turns: readonly { ai: 'large' | 'small' | 'image'; request: string; response: string }[];
}

const rounding = `Add in **whole micro-rubles** and convert only when you show the amount:

\`\`\`ts
/** Adds amounts of rubles exactly. */
export function sum(amounts: readonly bigint[]): string {
  const total = amounts.reduce((all, one) => all + one, 0n);
  return \`\${total / 1_000_000n}.\${String(total % 1_000_000n).padStart(6, '0')}\`;
}
\`\`\`

Binary fractions can't hold most decimal ones, so errors add up:

| calculation | as \`number\` | as \`bigint\` |
|---|---:|---:|
| 0.1 + 0.2 | 0.30000000000000004 | 0.300000 |
| 1.005 × 100 | 100.49999999999999 | 100.500000 |
`;

export const talks: readonly Talk[] = [
  {
    name: 'russian',
    title: 'Письмо поставщику',
    turns: [
      {
        ai: 'large',
        request:
          'Напиши короткое письмо поставщику: партия пришла неполной, не хватает 12 коробок.',
        response: `Здравствуйте!

Партия по накладной № 318 пришла сегодня **неполной**: не хватает 12 коробок из 60. Просим до пятницы:

1. подтвердить недостачу;
2. прислать недостающее *или* вернуть оплату;
3. сообщить, когда придёт следующая партия.

Акт и фотографии прилагаем.`,
      },
      {
        ai: 'small',
        request: 'Спасибо!',
        response: 'Пожалуйста. Если нужно, сделаю письмо строже.',
      },
    ],
  },
  {
    name: 'image',
    title: 'A picture for the invitation',
    turns: [{ ai: 'image', request: 'A quiet harbour at dawn, wide and calm', response: '' }],
  },
  {
    name: 'code',
    title: 'Adding amounts exactly',
    turns: [
      {
        ai: 'large',
        request:
          'My totals in rubles are off by a kopeck now and then. How do I add them exactly in TypeScript?',
        response: rounding,
      },
    ],
  },
];

import { t } from '../i18n/index.ts';
import type { Cell } from '../lib/csv.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { Title } from '../ui/title.tsx';
import { w } from './words/index.ts';

/** A code to be handed out. */
interface Card {
  code: string;
  title: string;
  /** The text printed below the code. */
  lines: readonly string[];
  /** A link that contains the code. */
  link?: string;
}

interface CodeSheetProps {
  title: string;
  /** The name of the file, and its contents. */
  file: string;
  rows: readonly (readonly Cell[])[];
  cards: readonly Card[];
  onDone: () => void;
}

/** New codes, for printing, saving and handing out: the server does not show them again. */
export function CodeSheet({ title, file, rows, cards, onDone }: CodeSheetProps) {
  return (
    <>
      <Title name={title} />
      <p class="notice" role="status">
        {w().vouchers.once}
      </p>
      <p class="tools unprinted">
        <button type="button" class="primary" onClick={() => print()}>
          {t().codes.print}
        </button>
        <CsvButton name={file} rows={() => rows} />
        <button type="button" onClick={onDone}>
          {t().codes.have}
        </button>
      </p>
      <ul class="sheet">
        {cards.map((card) => (
          <li key={card.code}>
            <strong>{card.title}</strong>
            <code>{card.code}</code>
            {[t().product, ...card.lines].map((line) => (
              <span key={line} class="small">
                {line}
              </span>
            ))}
            {card.link !== undefined && (
              <span class="unprinted">
                <CopyButton text={card.link} name={w().invitations.copyLink} about={card.code} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

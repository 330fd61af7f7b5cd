import { announce } from '../app/announcer.tsx';
import { language, t } from '../i18n/index.ts';
import { type Cell, csvOf } from '../lib/csv.ts';
import { saveFile } from '../lib/save-file.ts';
import { useAction } from './action.ts';
import { ErrorProblem } from './states.tsx';

interface CsvButtonProps {
  /** The name of the file, without its extension. */
  name: string;
  /** The headings and the rows; called when the button is pressed. */
  rows: () => readonly (readonly Cell[])[] | Promise<readonly (readonly Cell[])[]>;
}

/** Saves a table as a CSV file. */
export function CsvButton({ name, rows }: CsvButtonProps) {
  const { error, isBusy, run } = useAction();
  const save = async () => {
    saveFile(`${name}.csv`, csvOf(await rows(), language.value));
    announce(t().csvReady);
  };
  return (
    <>
      <button type="button" disabled={isBusy.value} onClick={() => void run(save)}>
        {t().csv}
      </button>
      <ErrorProblem error={error.value} />
    </>
  );
}

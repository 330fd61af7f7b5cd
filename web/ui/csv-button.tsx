import { useSignal } from '@preact/signals';
import { announce } from '../app/announcer.tsx';
import { language, t } from '../i18n/index.ts';
import { type Cell, csvOf } from '../lib/csv.ts';
import { saveFile } from '../lib/save-file.ts';
import { ErrorProblem } from './states.tsx';

interface CsvButtonProps {
  /** The name of the file, without its ending. */
  name: string;
  /** The head and the rows; asked for when the button is pressed. */
  rows: () => readonly (readonly Cell[])[] | Promise<readonly (readonly Cell[])[]>;
}

/** Gives a table as a CSV file. */
export function CsvButton({ name, rows }: CsvButtonProps) {
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const save = async () => {
    isBusy.value = true;
    error.value = undefined;
    try {
      saveFile(`${name}.csv`, csvOf(await rows(), language.value));
      announce(t().csvReady);
    } catch (thrown) {
      error.value = thrown;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <button type="button" disabled={isBusy.value} onClick={() => void save()}>
        {t().csv}
      </button>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
    </>
  );
}

import { post } from '../api/client.ts';
import { session } from '../app/session.ts';
import { t } from '../i18n/index.ts';
import { saveFile } from '../lib/save-file.ts';
import { useAction } from '../ui/action.ts';
import { ErrorProblem } from '../ui/states.tsx';

async function save(): Promise<void> {
  const answer = await post('/account/export/', {});
  saveFile(`${session.value?.login ?? 'export'}.json`, await answer.blob());
}

/** Saves everything that the server has about the user as a file. */
export function Export() {
  const words = t().account;
  const { error, isBusy, run } = useAction();
  return (
    <>
      <p>{words.exportHint}</p>
      <button type="button" disabled={isBusy.value} onClick={() => void run(save)}>
        {words.exportNow}
      </button>
      <ErrorProblem error={error.value} />
    </>
  );
}

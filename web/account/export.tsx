import { useSignal } from '@preact/signals';
import { post } from '../api/client.ts';
import { session } from '../app/session.ts';
import { t } from '../i18n/index.ts';
import { saveFile } from '../lib/save-file.ts';
import { ErrorProblem } from '../ui/states.tsx';

/** Everything that the server has about the user, as a file. */
export function Export() {
  const words = t().account;
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const save = async () => {
    isBusy.value = true;
    error.value = undefined;
    try {
      const answer = await post('/account/export/', {});
      saveFile(`${session.value?.login ?? 'export'}.json`, await answer.blob());
    } catch (thrown) {
      error.value = thrown;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <p>{words.exportHint}</p>
      <button type="button" disabled={isBusy.value} onClick={() => void save()}>
        {words.exportNow}
      </button>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
    </>
  );
}

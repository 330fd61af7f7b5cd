import { useSignal } from '@preact/signals';
import { ApiError, call } from '../api/client.ts';
import { hasEnded, session } from '../app/session.ts';
import { t } from '../i18n/index.ts';
import { CodeField } from '../login/code-field.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';

/** Changes the password. All sessions end, including this one. */
export function PasswordForm() {
  const words = t().account;
  const isDone = useSignal(false);
  const { error, onSubmit } = useSubmit(async (fields) => {
    await call('/account/password/', {
      current_password: fields('current'),
      code: fields('code'),
      new_password: fields('next'),
    });
    isDone.value = true;
    if (session.value) hasEnded.value = true;
  });
  const isWrong = error.value instanceof ApiError && error.value.code === 'wrong_credentials';
  return (
    <form onSubmit={onSubmit}>
      <Field
        label={words.current}
        name="current"
        type="password"
        autocomplete="current-password"
        required
        error={isWrong ? words.wrongCurrent : undefined}
      />
      <CodeField error={error.value} />
      <Field
        label={words.next}
        name="next"
        type="password"
        autocomplete="new-password"
        hint={words.nextHint}
        minLength={8}
        required
      />
      {error.value !== undefined && !isWrong && <ErrorProblem error={error.value} />}
      {isDone.value && <p role="status">{words.changed}</p>}
      <button type="submit">{words.change}</button>
    </form>
  );
}

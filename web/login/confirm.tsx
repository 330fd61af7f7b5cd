import { signal } from '@preact/signals';
import { call, onPasswordRequired } from '../api/client.ts';
import { t } from '../i18n/index.ts';
import { Modal } from '../ui/modal.tsx';
import { useSubmit } from '../ui/submit.ts';
import { CodeField } from './code-field.tsx';
import { loginErrorWords, PasswordField } from './password-field.tsx';
import { useCountdown } from '../ui/countdown.ts';

/** The calls that are waiting for the password. */
const waiting = signal<readonly ((isGiven: boolean) => void)[]>([]);

onPasswordRequired.handle = () =>
  new Promise((resolve) => (waiting.value = [...waiting.value, resolve]));

function end(isGiven: boolean): void {
  const calls = waiting.value;
  waiting.value = [];
  for (const go of calls) go(isGiven);
}

/** Asks for the password again, before an action that can do great harm. */
export function ConfirmDialog() {
  return waiting.value.length > 0 ? <Dialog /> : null;
}

function Dialog() {
  const words = t().login;
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    const proof = { password: fields('password'), code: fields('code') };
    await call('/auth/session/confirm/', proof);
    end(true);
  });
  const waitSeconds = useCountdown(error.value);
  return (
    <Modal name={words.confirm} onClose={() => end(false)}>
      <form onSubmit={onSubmit}>
        <p>{words.confirmHint}</p>
        <PasswordField />
        <CodeField error={error.value} />
        {error.value !== undefined && (
          <p class="error" role="alert">
            {loginErrorWords(error.value, waitSeconds, words.wrongPassword)}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy.value || waitSeconds > 0}>
          {words.goOn}
        </button>{' '}
        <button type="button" onClick={() => end(false)}>
          {t().cancel}
        </button>
      </form>
    </Modal>
  );
}

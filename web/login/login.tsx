import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { Preferences } from '../app/header.tsx';
import { logIn, session } from '../app/session.ts';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useCountdown } from '../ui/countdown.ts';
import { Field } from '../ui/field.tsx';
import { errorWords } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';

/** The screen of a visitor. */
export function LoginScreen() {
  return (
    <main id="content" class="narrow">
      <Title name={t().login.title}>{t().product}</Title>
      <LoginForm />
      <p class="tools">
        <Preferences />
      </p>
    </main>
  );
}

/** Asks for the password over the page when the session has ended. */
export function LoginDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // Escape must not close it: nothing on the page works without a session.
    <dialog ref={dialog} aria-label={t().login.title} onCancel={(event) => event.preventDefault()}>
      <p>{t().login.ended}</p>
      <LoginForm login={session.value?.login} />
    </dialog>
  );
}

function LoginForm({ login = '' }: { login?: string | undefined }) {
  const words = t().login;
  const { error, isBusy, onSubmit } = useSubmit((fields) =>
    logIn(fields('login'), fields('password')),
  );
  const waitSeconds = useCountdown(error.value);
  return (
    <form onSubmit={onSubmit}>
      <Field
        label={words.login}
        name="login"
        defaultValue={login}
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
      />
      <PasswordField />
      {error.value !== undefined && (
        <p class="error" role="alert">
          {loginErrorWords(error.value, waitSeconds, words.wrong)}
        </p>
      )}
      <button type="submit" class="primary" disabled={isBusy.value || waitSeconds > 0}>
        {words.submit}
      </button>
    </form>
  );
}

/** The present password, which can be shown. */
export function PasswordField() {
  const words = t().login;
  const isShown = useSignal(false);
  return (
    <>
      <Field
        label={words.password}
        name="password"
        type={isShown.value ? 'text' : 'password'}
        autocomplete="current-password"
        required
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isShown.value}
          onChange={(event) => (isShown.value = event.currentTarget.checked)}
        />
        {words.show}
      </label>
    </>
  );
}

/** @param wrong the words for wrong credentials */
export function loginErrorWords(error: unknown, waitSeconds: number, wrong: string): string {
  const words = t().login;
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'wrong_credentials') return wrong;
  if (code === 'user_blocked') return words.blocked;
  if (code === 'too_many_attempts') return words.wait(number(waitSeconds));
  return errorWords(error).words;
}

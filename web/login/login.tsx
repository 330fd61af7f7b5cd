import { useEffect, useRef } from 'preact/hooks';
import { Preferences } from '../app/header.tsx';
import { logIn, session } from '../app/session.ts';
import { t } from '../i18n/index.ts';
import { CodeField } from './code-field.tsx';
import { useCountdown } from '../ui/countdown.ts';
import { Field } from '../ui/field.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';
import { loginErrorWords, PasswordField } from './password-field.tsx';
import { RegisterLink } from './register.tsx';

/** The screen of a visitor. */
export function LoginScreen() {
  return (
    <main id="content" class="narrow">
      <Title name={t().login.title}>{t().product}</Title>
      <LoginForm />
      <RegisterLink />
      <p class="tools">
        <Preferences />
      </p>
    </main>
  );
}

/** Asks for the password on top of the page when the session has ended. */
export function LoginDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The login is already filled in.
    dialog.current?.querySelector<HTMLElement>('[name=password]')?.focus();
  }, []);
  return (
    // Escape must not close the dialog: nothing on the page works without a session.
    <dialog ref={dialog} aria-label={t().login.title} onCancel={(event) => event.preventDefault()}>
      <p>{t().login.ended}</p>
      <LoginForm login={session.value?.login} />
    </dialog>
  );
}

function LoginForm({ login = '' }: { login?: string | undefined }) {
  const words = t().login;
  const { error, isBusy, onSubmit } = useSubmit((fields) =>
    logIn(fields('login'), fields('password'), fields('code')),
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
      <CodeField error={error.value} />
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

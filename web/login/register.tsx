import { useEffect } from 'preact/hooks';
import { ApiError, call, type Data } from '../api/client.ts';
import { Preferences } from '../app/header.tsx';
import { decoded, hrefOf, navigate } from '../app/routes.ts';
import { firstArea } from '../app/screens.ts';
import { logIn } from '../app/session.ts';
import { dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useCountdown } from '../ui/countdown.ts';
import { Facts } from '../ui/facts.tsx';
import { Field } from '../ui/field.tsx';
import { limitFacts } from '../ui/limit-facts.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';
import { loginErrorWords, PasswordField } from './password-field.tsx';

type Shown = Data<'/auth/register/show/'>;

/** Registration. The link of an invitation contains its code after `#`, a part that browsers never send to a server. */
export function RegisterScreen() {
  const words = t().register;
  const code = decoded(location.hash.slice(1));
  const loaded = useLoaded((signal) => call('/auth/register/show/', {}, { signal }));
  useEffect(() => {
    const startAgain = () => location.reload();
    addEventListener('hashchange', startAgain);
    return () => removeEventListener('hashchange', startAgain);
  }, []);
  return (
    <main id="content" class="narrow">
      <Title name={words.title} />
      <Show of={loaded}>
        {({ registration }) =>
          registration === 'off' ? (
            <p>{words.closed}</p>
          ) : (
            <>
              {code !== '' && <Gift code={code} />}
              <RegisterForm code={code} isByInvitation={registration === 'invitation'} />
            </>
          )
        }
      </Show>
      <p>
        <a href={hrefOf('login')}>{words.hasLogin}</a>
      </p>
      <p class="tools">
        <Preferences />
      </p>
    </main>
  );
}

/** A link to the registration, if it is possible. */
export function RegisterLink() {
  const words = t().register;
  const { data } = useLoaded((signal) => call('/auth/register/show/', {}, { signal }));
  const mode = data.value?.registration ?? 'off';
  if (mode === 'off') return null;
  return (
    <p>
      <a href={hrefOf('register')}>{mode === 'open' ? words.title : words.withInvitation}</a>
    </p>
  );
}

/** What an invitation gives, or why it can't be used. */
function Gift({ code }: { code: string }) {
  const { data, error } = useLoaded((signal) => call('/auth/register/show/', { code }, { signal }));
  const waitSeconds = useCountdown(error.value);
  if (error.value !== undefined) {
    return (
      <p class="error" role="alert">
        {wordsOf(error.value, waitSeconds)}
      </p>
    );
  }
  const invitation = data.value?.invitation;
  return invitation ? <Facts of={factsOf(invitation)} /> : null;
}

function factsOf({ credit, limits, expires_at: end }: NonNullable<Shown['invitation']>) {
  const words = t().register;
  const facts = [[words.gift, rubles(micro(credit))] as const, ...limitFacts(limits)];
  return end === null ? facts : [...facts, [words.until, dateTime(end)] as const];
}

function RegisterForm({ code, isByInvitation }: { code: string; isByInvitation: boolean }) {
  const words = t().register;
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    const [login, password] = [fields('login'), fields('password')];
    await call('/auth/register/', { login, password, code: fields('code') || null });
    try {
      await logIn(login, password);
    } finally {
      // A user who could not be logged in gets the login screen there.
      navigate(firstArea, { replace: true });
    }
  });
  const waitSeconds = useCountdown(error.value);
  const details = error.value instanceof ApiError ? error.value.details : [];
  const wrong = (path: string) => details.some((one) => one.path === path);
  const isOfField = wrong('login') || wrong('password');
  return (
    <form onSubmit={onSubmit}>
      <Field
        label={isByInvitation ? words.code : words.codeIfAny}
        name="code"
        defaultValue={code}
        autocomplete="off"
        spellcheck={false}
        required={isByInvitation}
      />
      <Field
        label={t().login.login}
        hint={words.loginHint}
        error={wrong('login') ? words.login : undefined}
        name="login"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        pattern="[\p{L}\p{M}0-9._@\-]{1,64}"
        required
      />
      <PasswordField isNew error={wrong('password') ? words.password : undefined} />
      {error.value !== undefined && !isOfField && (
        <p class="error" role="alert">
          {wordsOf(error.value, waitSeconds)}
        </p>
      )}
      <button type="submit" class="primary" disabled={isBusy.value || waitSeconds > 0}>
        {words.submit}
      </button>
    </form>
  );
}

/** The problem with an invitation or a registration, in words. */
function wordsOf(error: unknown, waitSeconds: number): string {
  const words = t().register;
  const known: Readonly<Record<string, string>> = {
    not_found: words.not_found,
    invitation_ended: words.invitation_ended,
    forbidden: words.closed,
    invalid_request: words.mistyped,
  };
  const code = error instanceof ApiError ? error.code : '';
  return known[code] ?? loginErrorWords(error, waitSeconds, '');
}

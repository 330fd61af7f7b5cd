import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { User } from '../api/types.ts';
import { session } from '../app/session.ts';
import { dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Facts } from '../ui/facts.tsx';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';
import { Credit } from './credit.tsx';

/** One user: money, password, block. */
export function UserScreen({ login }: { login: string }) {
  const words = t().admin;
  const loaded = useLoaded((signal) => call('/admin/users/show/', { login }, { signal }));
  return (
    <>
      <Title name={login} />
      <Show of={loaded}>
        {(user) => (
          <>
            <Facts
              of={[
                [words.balance, rubles(micro(user.balance))],
                [words.held, rubles(micro(user.held))],
                [t().available, rubles(micro(user.available))],
                [words.role, user.is_admin ? words.isAdmin : words.isUser],
                [words.created, dateTime(user.created_at)],
              ]}
            />
            <h2>{words.credit}</h2>
            <Credit user={user} onDone={loaded.reload} />
            <h2>{words.password}</h2>
            <NewPassword login={user.login} />
            {user.login !== session.value?.login && <Block user={user} onDone={loaded.reload} />}
          </>
        )}
      </Show>
    </>
  );
}

function NewPassword({ login }: { login: string }) {
  const words = t().admin;
  const isDone = useSignal(false);
  const { error, onSubmit } = useSubmit(async (fields, form) => {
    isDone.value = false;
    const body = { login, password: fields('password'), must_change_password: true };
    await call('/admin/users/password/', body);
    isDone.value = true;
    form.reset();
  });
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field
        label={words.newPassword}
        hint={words.newPasswordHint}
        name="password"
        minLength={8}
        autocomplete="off"
        required
      />
      <button type="submit">{words.setPassword}</button>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      {isDone.value && <p role="status">{words.passwordSet}</p>}
    </form>
  );
}

function Block({ user, onDone }: { user: User; onDone: () => void }) {
  const words = t().admin;
  const error = useSignal<unknown>(undefined);
  const change = async () => {
    if (!user.is_blocked && !confirm(words.confirmBlock(user.login))) return;
    try {
      await call(`/admin/users/${user.is_blocked ? 'unblock' : 'block'}/`, { login: user.login });
      onDone();
    } catch (thrown) {
      error.value = thrown;
    }
  };
  return (
    <>
      <h2>{user.is_blocked ? words.blocked : words.active}</h2>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      <button type="button" onClick={() => void change()}>
        {user.is_blocked ? words.unblock : words.block}
      </button>
    </>
  );
}

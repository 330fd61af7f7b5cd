import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { User } from '../api/types.ts';
import { hrefOf } from '../app/routes.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';

const PAGE = 100;

/** All users with their balances, and a form for a new one. */
export function Users() {
  const words = t().admin;
  const more = useSignal<readonly User[]>([]);
  const isEnd = useSignal(false);
  const loaded = useLoaded((signal) => call('/admin/users/', { limit: PAGE }, { signal }));
  const loadMore = async (after: number | undefined) => {
    const { users } = await call('/admin/users/', { limit: PAGE, after });
    more.value = [...more.value, ...users];
    isEnd.value = users.length < PAGE;
  };
  return (
    <>
      <Title name={words.users} />
      <NewUser
        onAdded={() => {
          more.value = [];
          loaded.reload();
        }}
      />
      <Show of={loaded}>
        {({ users }) => {
          const all = [...users, ...more.value];
          return (
            <>
              <UserTable users={all} />
              {users.length === PAGE && !isEnd.value && (
                <button
                  type="button"
                  onClick={() => {
                    loadMore(all.at(-1)?.id).catch(
                      (error: unknown) => (loaded.error.value = error),
                    );
                  }}
                >
                  {words.more}
                </button>
              )}
            </>
          );
        }}
      </Show>
    </>
  );
}

function UserTable({ users }: { users: readonly User[] }) {
  const words = t().admin;
  const numbers = [words.balance, words.held];
  return (
    <Table
      name={words.users}
      columns={[words.login, words.role, ...numbers, words.state]}
      numbers={numbers}
    >
      {users.map((user) => (
        <tr key={user.id}>
          <th scope="row">
            <a href={hrefOf(`admin/users/${user.login}`)} dir="auto">
              {user.login}
            </a>
          </th>
          <td>{user.is_admin ? words.isAdmin : words.isUser}</td>
          <td class="number">{rubles(micro(user.balance))}</td>
          <td class="number">{rubles(micro(user.held))}</td>
          <td>{stateOf(user)}</td>
        </tr>
      ))}
    </Table>
  );
}

function stateOf({ is_blocked: isBlocked, erased_at: erasedAt }: User): string {
  const words = t().admin;
  if (erasedAt !== null) return words.erased;
  return isBlocked ? words.blocked : words.active;
}

/** Adds a user. A generated password is shown once. */
function NewUser({ onAdded }: { onAdded: () => void }) {
  const words = t().admin;
  const made = useSignal<{ login: string; password: string } | undefined>(undefined);
  const { error, onSubmit } = useSubmit(async (fields, form) => {
    const { user, password } = await call('/admin/users/add/', {
      login: fields('login'),
      credit: fields('credit') || null,
      is_admin: fields('admin') === 'on',
      must_change_password: true,
    });
    made.value = { login: user.login, password: password ?? '' };
    form.reset();
    onAdded();
  });
  return (
    <>
      {made.value && (
        <ShownOnce words={words.passwordOnce(made.value.login)} secret={made.value.password} />
      )}
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      <form class="row" onSubmit={onSubmit}>
        <Field
          label={words.newLogin}
          name="login"
          autocapitalize="none"
          autocomplete="off"
          required
        />
        <Field label={words.opening} name="credit" inputMode="decimal" autocomplete="off" />
        <label class="check">
          <input type="checkbox" name="admin" />
          {words.isAdmin}
        </label>
        <button type="submit">{words.add}</button>
      </form>
    </>
  );
}

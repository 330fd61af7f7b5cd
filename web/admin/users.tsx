import { call, type Body, type Data } from '../api/client.ts';
import { query, setQuery } from '../app/routes.ts';
import { dateTime, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { fieldsOf } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { NewUser } from './new-user.tsx';
import { UserLink } from './overview.tsx';
import { offsetOf, PAGE_ROWS, Pager } from './pager.tsx';
import { w } from './words/index.ts';

type Listed = Data<'/admin/users/'>['users'][number];
type Order = NonNullable<Body<'/admin/users/'>['order']>;

const filters = {
  all: {},
  operators: { role: 'operator' },
  admins: { role: 'admin' },
  blocked: { is_blocked: true },
  negative: { is_negative: true },
} as const;
type Filter = keyof typeof filters;

/** The filters in the URL. */
function filtersOfUrl() {
  const words = w().list;
  const filter = query.value.get('filter') ?? 'all';
  const order = query.value.get('order') ?? 'id';
  return {
    search: query.value.get('q') ?? '',
    filter: (filter in filters ? filter : 'all') as Filter,
    order: (order in words.orders ? order : 'id') as Order,
    descending: query.value.get('desc') === '1',
    offset: offsetOf(),
  };
}

/** All users, searched, filtered and sorted according to the URL; and a form for a new user. */
export function Users() {
  const words = w();
  const { search, filter, order, descending, offset } = filtersOfUrl();
  const request = { search, ...filters[filter], order, descending, limit: PAGE_ROWS, offset };
  const loaded = useLoaded(
    (signal) => call('/admin/users/', request, { signal }),
    [JSON.stringify(request)],
  );
  return (
    <>
      <Title name={words.users} />
      <NewUser onAdded={loaded.reload} />
      <Filters />
      <Show of={loaded}>
        {({ users, total }) => (
          <>
            {total === 0 ? <p role="status">{words.list.noUsers}</p> : <UserTable users={users} />}
            <Pager offset={offset} shown={users.length} total={total} />
          </>
        )}
      </Show>
    </>
  );
}

/** Other filters start again at their first page. */
function change(changes: Readonly<Record<string, string | undefined>>): void {
  setQuery({ ...changes, offset: undefined });
}

function Filters() {
  const words = w().list;
  const { search, filter, order, descending } = filtersOfUrl();
  return (
    <form
      class="row"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change({ q: fieldsOf(event.currentTarget)('q') });
      }}
    >
      <Field label={words.search} name="q" type="search" defaultValue={search} maxLength={64} />
      <button type="submit">{words.find}</button>
      <Choice
        label={words.filter}
        options={words.filters}
        value={filter}
        onPick={(value) => change({ filter: value === 'all' ? undefined : value })}
      />
      <Choice
        label={words.order}
        options={words.orders}
        value={order}
        onPick={(value) => change({ order: value === 'id' ? undefined : value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={descending}
          onChange={(event) => change({ desc: event.currentTarget.checked ? '1' : undefined })}
        />
        {words.descending}
      </label>
    </form>
  );
}

function UserTable({ users }: { users: readonly Listed[] }) {
  const words = w();
  const numbers = [words.balance, words.held];
  return (
    <Table
      name={words.users}
      columns={[words.login, words.role, ...numbers, words.state, words.list.lastUsed]}
      numbers={numbers}
    >
      {users.map((user) => (
        <tr key={user.id}>
          <th scope="row">
            <UserLink login={user.login} />
          </th>
          <td>{words.roles[user.role]}</td>
          <td class={user.balance < 0 ? 'number bad' : 'number'}>{rubles(micro(user.balance))}</td>
          <td class="number">{rubles(micro(user.held))}</td>
          <td>{stateOf(user)}</td>
          <td>{user.last_used_at === null ? words.list.never : dateTime(user.last_used_at)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Whether a user is active, as one word. */
export function stateOf(user: Pick<Listed, 'is_blocked' | 'erased_at'>): string {
  const words = w();
  if (user.erased_at !== null) return words.erased;
  return user.is_blocked ? words.blocked : words.active;
}

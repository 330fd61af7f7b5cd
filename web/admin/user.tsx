import { call, type Data } from '../api/client.ts';
import { session } from '../app/session.ts';
import { dayZone, dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Title } from '../ui/title.tsx';
import { Credit } from './credit.tsx';
import { Access } from './user-access.tsx';
import { UserKeys } from './user-keys.tsx';
import { UserLimits } from './user-limits.tsx';
import { Transactions, UserUsage } from './user-records.tsx';
import { stateOf } from './users.tsx';
import { w } from './words/index.ts';

export type ShownUser = Data<'/admin/users/show/'>;

/** One user: money, limits, keys, records, access. */
export function UserScreen({ login }: { login: string }) {
  const loaded = useLoaded((signal) => call('/admin/users/show/', { login }, { signal }));
  return (
    <>
      <Title name={login}>
        <span dir="auto">{login}</span>
      </Title>
      <Show of={loaded}>{(user) => <Sections user={user} onChange={loaded.reload} />}</Show>
    </>
  );
}

/** Operators do not change admins. */
function mayChange(user: ShownUser): boolean {
  return session.value?.role === 'admin' || user.role !== 'admin';
}

function Sections({ user, onChange }: { user: ShownUser; onChange: () => void }) {
  const words = w();
  const isGone = user.erased_at !== null;
  const isMine = mayChange(user);
  return (
    <>
      <Facts
        of={[
          [
            words.balance,
            <span class={user.balance < 0 ? 'bad' : undefined}>{rubles(micro(user.balance))}</span>,
          ],
          [words.held, rubles(micro(user.held))],
          [t().available, rubles(micro(user.available))],
          [words.state, stateOf(user)],
          [words.role, words.roles[user.role]],
          [words.created, dateTime(user.created_at)],
        ]}
      />
      {isMine && (
        <>
          <h2>{words.credit}</h2>
          <Credit user={user} onDone={onChange} />
        </>
      )}
      {!isGone && isMine && (
        <>
          <h2>{words.limits.title}</h2>
          <UserLimits user={user} onDone={onChange} />
          <h2>{t().keys.title}</h2>
          <UserKeys user={user} />
        </>
      )}
      <h2>{words.records.transactions}</h2>
      <Transactions
        login={user.login}
        balance={user.balance}
        {...(isMine && { onRefunded: onChange })}
      />
      <h2>{words.records.usage(dayZone.value)}</h2>
      <UserUsage login={user.login} />
      {!isGone && isMine && (
        <Access user={user} isSelf={user.login === session.value?.login} onDone={onChange} />
      )}
    </>
  );
}

import { call } from '../api/client.ts';
import type { Invitation } from '../api/types.ts';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { Facts } from '../ui/facts.tsx';
import { limitFacts } from '../ui/limit-facts.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { stateOf } from './invitations.tsx';
import { UserLink } from './overview.tsx';
import { w } from './words/index.ts';

const USERS_SHOWN = 1000;

/** One invitation: what it gives, who registered with it, and its revocation. */
export function InvitationScreen({ id }: { id: number }) {
  const words = w().invitations;
  const { error, isBusy, run } = useAction();
  const loaded = useLoaded((signal) =>
    call('/admin/invitations/show/', { id, limit: USERS_SHOWN }, { signal }),
  );
  const revoke = async () => {
    await call('/admin/invitations/revoke/', { id });
    loaded.reload();
  };
  return (
    <>
      <Title name={words.one(number(id))} />
      <ErrorProblem error={error.value} />
      <Show of={loaded}>
        {({ invitation, users }) => (
          <>
            {invitation.note !== '' && <p dir="auto">{invitation.note}</p>}
            <Facts of={factsOf(invitation)} />
            {invitation.revoked_at === null && (
              <p>
                <button
                  type="button"
                  class="danger"
                  disabled={isBusy.value}
                  onClick={() => confirm(words.confirm(number(id))) && void run(revoke)}
                >
                  {w().vouchers.revoke}
                </button>
              </p>
            )}
            {users.length > 0 && (
              <Table name={words.registered} columns={[w().login, w().vouchers.at]}>
                {users.map(({ login, used_at: at }) => (
                  <tr key={login}>
                    <th scope="row">
                      <UserLink login={login} />
                    </th>
                    <td>{dateTime(at)}</td>
                  </tr>
                ))}
              </Table>
            )}
          </>
        )}
      </Show>
    </>
  );
}

function factsOf(one: Invitation) {
  const words = w().invitations;
  const { madeBy, expires, never } = w().vouchers;
  return [
    [w().state, stateOf(one)],
    [words.uses, t().account.leftOf(number(one.uses), number(one.uses_max))],
    [words.credit, rubles(micro(one.credit))],
    ...limitFacts(one.limits),
    [expires, one.expires_at === null ? never : dateTime(one.expires_at)],
    [madeBy, <span dir="auto">{one.made_by}</span>],
  ] as const;
}

import { call, type Data } from '../api/client.ts';
import { hrefOf } from '../app/routes.ts';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { Books, BrokenBooks } from './books.tsx';
import { Providers } from './providers.tsx';
import { w } from './words/index.ts';

export type Status = Data<'/admin/status/'>;

/** What an operator looks at first. Books that are broken come first. */
export function Overview() {
  const words = w();
  const loaded = useLoaded((signal) => call('/admin/status/', {}, { signal }));
  return (
    <>
      <Title name={words.overview} />
      <BrokenBooks />
      <p>
        <button type="button" onClick={loaded.reload}>
          {words.refresh}
        </button>
      </p>
      <Show of={loaded}>
        {(status) => (
          <>
            <Summary status={status} />
            <Providers status={status} />
            <TopUsers status={status} />
            <Holds status={status} />
            <Nodes status={status} />
          </>
        )}
      </Show>
      <Books />
    </>
  );
}

function Summary({ status }: { status: Status }) {
  const words = w().status;
  const { today, open_holds: holds, providers } = status;
  const failures = providers.reduce((sum, one) => sum + (one.failures ?? 0), 0);
  return (
    <Facts
      of={[
        [words.spendToday(today.day_zone), rubles(micro(today.spend))],
        [words.requestsToday, number(today.requests)],
        [words.held, rubles(micro(holds.amount))],
        [words.failures, <span class={failures > 0 ? 'bad' : undefined}>{number(failures)}</span>],
        [words.version, status.version],
        [words.database, status.database],
        [words.started, status.started_at === null ? '–' : dateTime(status.started_at)],
      ]}
    />
  );
}

function TopUsers({ status: { today } }: { status: Status }) {
  const words = w().status;
  const { requests, spend } = w().sums;
  return (
    <>
      <h2>{words.topUsers}</h2>
      {today.top_users.length === 0 ? (
        <p>{words.noSpend}</p>
      ) : (
        <Table
          name={words.topUsers}
          columns={[words.user, requests, spend]}
          numbers={[requests, spend]}
        >
          {today.top_users.map((user) => (
            <tr key={user.login}>
              <th scope="row">
                <UserLink login={user.login} />
              </th>
              <td class="number">{number(user.requests)}</td>
              <td class="number">{rubles(micro(user.spend))}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

/** A login that links to its user. */
export function UserLink({ login }: { login: string }) {
  return (
    <a href={hrefOf(`admin/users/${login}`)} dir="auto">
      {login}
    </a>
  );
}

function Holds({ status: { open_holds: holds } }: { status: Status }) {
  const words = w().status;
  const columns = [words.since, words.user, words.message, words.model, words.node, words.hold];
  return (
    <>
      <h2>{`${words.openHolds}: ${number(holds.count)}`}</h2>
      {holds.oldest.length === 0 ? (
        <p>{words.noHolds}</p>
      ) : (
        <Table name={words.openHolds} columns={columns} numbers={[words.hold]}>
          {holds.oldest.map((hold) => (
            <tr key={`${hold.login} ${hold.message_id}`}>
              <td>{dateTime(hold.created_at)}</td>
              <th scope="row">
                <UserLink login={hold.login} />
              </th>
              <td>{hold.message_id}</td>
              <td>{hold.model}</td>
              <td>{hold.node}</td>
              <td class="number">{rubles(micro(hold.hold))}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function Nodes({ status: { nodes } }: { status: Status }) {
  const words = w().status;
  return (
    <>
      <h2>{words.nodes}</h2>
      <Table
        name={words.nodes}
        columns={[words.node, words.state, words.openHolds]}
        numbers={[words.openHolds]}
      >
        {nodes.map((node) => (
          <tr key={node.id}>
            <th scope="row">
              {node.id} <code>{node.name}</code>
            </th>
            <td>{node.is_this ? words.thisNode : ''}</td>
            <td class="number">{number(node.open_holds)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import type { Invitation } from '../api/types.ts';
import { hrefOf } from '../app/routes.ts';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { ShowPages, usePages } from '../ui/pages.tsx';
import { Problem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { CodeSheet } from './code-sheet.tsx';
import { NewInvitations } from './new-invitations.tsx';
import { w } from './words/index.ts';

export type MadeInvitation = Data<'/admin/invitations/create/'>;

/** Invitations: a form and a list; their codes are shown once. */
export function Invitations() {
  const words = w().invitations;
  const fresh = useSignal<readonly MadeInvitation[] | undefined>(undefined);
  const pages = usePages(async (limit, last?: Invitation, signal?) => {
    const body = { limit, before: last?.id };
    const { invitations, registration } = await call('/admin/invitations/', body, { signal });
    return { answer: registration, rows: invitations };
  });
  useAskBeforeLeaving(fresh, t().codes.unsaved);
  if (fresh.value) {
    const done = () => {
      fresh.value = undefined;
      pages.reload();
    };
    return <Sheet made={fresh.value} onDone={done} />;
  }
  return (
    <>
      <Title name={words.title} />
      <p>{words.intro}</p>
      <NewInvitations onMade={(made) => (fresh.value = made)} />
      <ShowPages of={pages} more={words.older}>
        {({ answer: registration, rows }) => (
          <>
            {registration === 'off' && <Problem words={words.off} />}
            {rows.length === 0 ? <p>{words.none}</p> : <List invitations={rows} />}
          </>
        )}
      </ShowPages>
    </>
  );
}

function Sheet({ made, onDone }: { made: readonly MadeInvitation[]; onDone: () => void }) {
  const words = w().invitations;
  const { number: no, code: codeName, until } = w().vouchers;
  return (
    <CodeSheet
      title={words.title}
      file={words.file}
      rows={[
        [no, codeName, words.link, words.credit],
        ...made.map(({ invitation, code, link }) => [
          invitation.id,
          code,
          link,
          { micro: micro(invitation.credit) },
        ]),
      ]}
      cards={made.map(({ invitation: { id, credit, expires_at: end }, code, link }) => ({
        code,
        link,
        title: credit === 0 ? words.one(number(id)) : rubles(micro(credit)),
        lines: [`${location.origin}/app/register`, ...(end === null ? [] : [until(dateTime(end))])],
      }))}
      onDone={onDone}
    />
  );
}

function List({ invitations }: { invitations: readonly Invitation[] }) {
  const words = w().invitations;
  const { expires, never, note } = w().vouchers;
  const numbers = [words.credit, words.uses];
  return (
    <Table
      name={words.title}
      columns={[words.invitation, ...numbers, w().state, expires, note]}
      numbers={numbers}
    >
      {invitations.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            <a href={hrefOf(`admin/invitations/${one.id}`)}>
              {number(one.id)}, {dateTime(one.created_at)}
            </a>
          </th>
          <td class="number">{rubles(micro(one.credit))}</td>
          <td class="number">{t().account.leftOf(number(one.uses), number(one.uses_max))}</td>
          <td>{stateOf(one)}</td>
          <td>{one.expires_at === null ? never : dateTime(one.expires_at)}</td>
          <td dir="auto">{one.note}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Whether somebody can register with it, as one word. */
export function stateOf({ revoked_at, expires_at, uses, uses_max }: Invitation): string {
  const { states } = w().invitations;
  if (revoked_at !== null) return states.revoked;
  if (uses >= uses_max) return states.usedUp;
  const isOver = expires_at !== null && expires_at <= Date.now() / 1000;
  return isOver ? states.expired : states.open;
}

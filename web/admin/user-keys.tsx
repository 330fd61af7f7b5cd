import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { dateTime } from '../i18n/format.ts';
import { useAction } from '../ui/action.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

type Key = Data<'/admin/keys/'>['keys'][number];

const scopes = ['chat', 'trust', 'credit', 'full', 'operator', 'admin'] as const;

/** The API keys of one user: list, new key, revocation. */
export function UserKeys({ login }: { login: string }) {
  const words = w().keys;
  const fresh = useSignal<string | undefined>(undefined);
  const revoking = useAction();
  const loaded = useLoaded((signal) => call('/admin/keys/', { login }, { signal }));
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    const scope = scopes.find((one) => one === fields('scope'));
    const until = fields('expires');
    const { key } = await call('/admin/keys/create/', {
      login,
      name: fields('name'),
      scope,
      expires_at: until === '' ? null : Date.parse(`${until}T23:59:59Z`) / 1000,
    });
    fresh.value = key;
    form.reset();
    loaded.reload();
  });
  const revoke = ({ id, name }: Key) => {
    if (!confirm(words.confirmRevoke(name))) return;
    void revoking.run(async () => {
      await call('/admin/keys/revoke/', { id });
      loaded.reload();
    });
  };
  return (
    <>
      {fresh.value !== undefined && <ShownOnce words={words.once} secret={fresh.value} />}
      <ErrorProblem error={error.value} />
      <ErrorProblem error={revoking.error.value} />
      <Show of={loaded}>
        {({ keys }) =>
          keys.length === 0 ? <p>{words.none}</p> : <Keys keys={keys} onRevoke={revoke} />
        }
      </Show>
      <form class="row" onSubmit={onSubmit}>
        <Field label={words.name} name="name" maxLength={100} autocomplete="off" required />
        <Choice label={words.scope} name="scope" options={words.scopes} />
        <Field label={words.expires} name="expires" type="date" />
        <button type="submit" disabled={isBusy.value}>
          {words.create}
        </button>
      </form>
    </>
  );
}

function Keys({ keys, onRevoke }: { keys: readonly Key[]; onRevoke: (key: Key) => void }) {
  const words = w().keys;
  return (
    <Table
      name={words.title}
      columns={[words.name, words.hint, words.scope, words.expires, words.state]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row" dir="auto">
            {key.name}
          </th>
          <td>
            <code>…{key.hint}</code>
          </td>
          <td>{words.scopes[key.scope]}</td>
          <td>{key.expires_at === null ? words.never : dateTime(key.expires_at)}</td>
          <td>
            {key.revoked_at !== null ? (
              words.revoked
            ) : (
              <button
                type="button"
                aria-label={`${words.revoke}: ${key.name}`}
                onClick={() => onRevoke(key)}
              >
                {words.revoke}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

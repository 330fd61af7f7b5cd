import { useSignal } from '@preact/signals';
import { type Body, call } from '../api/client.ts';
import type { ApiKey } from '../api/types.ts';
import { session } from '../app/session.ts';
import { dateTime } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useAction } from '../ui/action.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';

const scopes: readonly ApiKey['scope'][] = ['chat', 'trust', 'full', 'credit', 'operator', 'admin'];
const operatorScopes: readonly ApiKey['scope'][] = ['credit', 'operator', 'admin'];

type KeysBody = Body<'/account/keys/'>;

/** The API keys of the user: list, new key, revocation. */
export function Keys() {
  const words = t().account;
  const { error, run } = useAction();
  const fresh = useSignal<string | undefined>(undefined);
  const loaded = useLoaded(async (signal) => {
    const answer = await call('/account/keys/', {}, { signal });
    return 'keys' in answer ? answer.keys : [];
  });
  useAskBeforeLeaving(fresh, words.keyUnsaved);
  const change = (body: KeysBody) =>
    run(async () => {
      const answer = await call('/account/keys/', body);
      fresh.value = 'key' in answer ? answer.key : undefined;
      loaded.reload();
    });
  return (
    <>
      <Title name={words.keys} />
      {fresh.value !== undefined && (
        <>
          <ShownOnce words={words.keyOnce} secret={fresh.value} />
          <p>
            <button type="button" onClick={() => (fresh.value = undefined)}>
              {words.keySaved}
            </button>
          </p>
        </>
      )}
      <ErrorProblem error={error.value} />
      <NewKey onCreate={change} />
      <Show of={loaded}>
        {(keys) =>
          keys.length === 0 ? (
            <p>{words.noKeys}</p>
          ) : (
            <KeyTable keys={keys} onRevoke={(id) => change({ revoke: id })} />
          )
        }
      </Show>
    </>
  );
}

function NewKey({ onCreate }: { onCreate: (body: KeysBody) => Promise<void> }) {
  const words = t().account;
  const { onSubmit } = useSubmit(async (fields, form) => {
    const until = fields('expires');
    const expiresAt = until === '' ? null : Date.parse(`${until}T00:00:00Z`) / 1000;
    const scope = scopes.find((one) => one === fields('scope'));
    await onCreate({ name: fields('name'), scope, expires_at: expiresAt });
    form.reset();
  });
  const role = session.value?.role ?? 'user';
  const shown = scopes.filter(
    (scope) =>
      role === 'admin' ||
      (scope !== 'admin' && (role === 'operator' || !operatorScopes.includes(scope))),
  );
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field label={words.keyName} name="name" maxLength={100} required />
      <label class="field">
        {words.keyScope}
        <select name="scope">
          {shown.map((scope) => (
            <option key={scope} value={scope}>
              {words.scopes[scope]}
            </option>
          ))}
        </select>
      </label>
      <Field label={words.keyExpires} name="expires" type="date" />
      <button type="submit">{words.newKey}</button>
    </form>
  );
}

interface KeyTableProps {
  keys: readonly ApiKey[];
  onRevoke: (id: string) => Promise<void>;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const words = t().account;
  const columns = [
    words.keyName,
    words.keyHint,
    words.keyScope,
    words.keyCreated,
    words.keyExpires,
    words.keyState,
  ];
  return (
    <Table name={words.keys} columns={columns}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td dir="auto">{key.name}</td>
          <td>
            <code>…{key.hint}</code>
          </td>
          <td>{words.scopes[key.scope]}</td>
          <td>{dateTime(key.created_at)}</td>
          <td>{key.expires_at === null ? words.never : dateTime(key.expires_at)}</td>
          <td>
            {key.revoked_at === null ? (
              <button
                type="button"
                aria-label={`${words.revoke}: ${key.name}`}
                onClick={() => void onRevoke(key.id)}
              >
                {words.revoke}
              </button>
            ) : (
              words.revoked
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

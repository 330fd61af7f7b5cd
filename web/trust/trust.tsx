import '../ui/shared.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../api/client.ts';
import type { TrustRecord } from '../api/types.ts';
import { account, refreshAccount } from '../app/balance.ts';
import { decoded, navigate } from '../app/routes.ts';
import type { AreaProps } from '../app/screens.ts';
import { number } from '../i18n/format.ts';
import { language, t } from '../i18n/index.ts';
import { useAction } from '../ui/action.ts';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Parts } from '../ui/parts.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { fieldsOf } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';
import { History } from './history.tsx';
import { List } from './list.tsx';
import { Report } from './report.tsx';

/** Asks for the score of one web address, or of many. */
export function Trust({ rest }: AreaProps) {
  const words = t().trust;
  const isList = rest === 'list';
  return (
    <>
      <Parts
        title={words.title}
        of={{ trust: words.one, 'trust/list': words.many }}
        current={isList ? 'trust/list' : 'trust'}
      />
      {isList ? <List /> : <OneSite site={decoded(rest)} />}
    </>
  );
}

/**
 * Opening a site shows its last check; a new check is made only on request. A change of the language reads the last
 * check again, since the server writes its sentences.
 */
function OneSite({ site }: { site: string }) {
  const words = t().trust;
  return (
    <>
      <Title name={site === '' ? words.title : site} />
      <form class="row single" onSubmit={openSite}>
        <Field
          key={site}
          label={words.address}
          name="url"
          defaultValue={site}
          placeholder="example.com"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <button type="submit">{words.open}</button>
      </form>
      {site === '' ? <p>{words.hint}</p> : <Site key={`${site} ${language.value}`} url={site} />}
    </>
  );
}

function openSite(event: SubmitEvent): void {
  event.preventDefault();
  const given = fieldsOf(event.currentTarget as HTMLFormElement)('url').trim();
  if (given !== '') navigate(`trust/${encodeURIComponent(given)}`);
}

function Site({ url }: { url: string }) {
  const words = t().trust;
  const record = useSignal<TrustRecord | undefined>(undefined);
  const { error, isBusy, run } = useAction();
  const past = useLoaded((signal) => call('/trust/last/', { url }, { signal }));
  useEffect(() => void refreshAccount().catch(() => undefined), []);
  const check = async () => {
    await run(async () => (record.value = await call('/trust/check/', { url, history: 1 })));
    await refreshAccount().catch(() => undefined);
  };
  const left = account.value?.trust_remaining;
  // It would be refused again, and checked no better.
  const refusal = past.error.value;
  if (refusal instanceof ApiError && refusal.code === 'invalid_request')
    return <ErrorProblem error={refusal} />;
  return (
    <>
      <p>
        <button type="button" class="primary" disabled={isBusy.value} onClick={() => void check()}>
          {isBusy.value ? words.checking : words.check}
        </button>{' '}
        {left !== undefined && <span class="small">{words.uses(number(left))}</span>}
      </p>
      <ErrorProblem error={error.value} />
      {record.value ? (
        <Report record={record.value} />
      ) : (
        <Show of={past}>
          {({ history, record: last }) => {
            if (history.length === 0) return <p>{words.never}</p>;
            if (last) return <Report record={last} />;
            return (
              <>
                <p class="notice">{words.outdated}</p>
                <History points={history} />
              </>
            );
          }}
        </Show>
      )}
    </>
  );
}

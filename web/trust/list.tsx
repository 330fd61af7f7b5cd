import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../app/announcer.tsx';
import { account, refreshAccount } from '../app/balance.ts';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { addressesOf } from '../lib/addresses.ts';
import { ErrorProblem } from '../ui/states.tsx';
import { Title } from '../ui/title.tsx';
import { type BulkResult, checkAll } from './bulk.ts';
import { ListResult } from './list-result.tsx';

const nothing: BulkResult = { records: [], refused: [] };

/** Checks a list of addresses, pasted or from a file. */
export function List() {
  const words = t().trust;
  const text = useSignal('');
  const result = useSignal<BulkResult>(nothing);
  const error = useSignal<unknown>(undefined);
  /** How many are checked of how many; undefined while nothing runs. */
  const progress = useSignal<{ done: number; of: number } | undefined>(undefined);
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => {
    void refreshAccount().catch(() => undefined);
    return () => stopper.current?.abort();
  }, []);
  const urls = addressesOf(text.value);
  const left = account.value?.trust_remaining;
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    const stop = new AbortController();
    stopper.current = stop;
    error.value = undefined;
    result.value = nothing;
    progress.value = { done: 0, of: urls.length };
    try {
      await checkAll(
        urls,
        ({ records, refused }, done) => {
          result.value = {
            records: [...result.value.records, ...records],
            refused: [...result.value.refused, ...refused],
          };
          progress.value = { done, of: urls.length };
        },
        stop.signal,
      );
      announce(words.listDone);
    } catch (thrown) {
      if (!stop.signal.aborted) error.value = thrown;
    } finally {
      progress.value = undefined;
      void refreshAccount().catch(() => undefined);
    }
  };
  return (
    <>
      <Title name={words.many} />
      <form onSubmit={(event) => void run(event)}>
        <label class="field">
          {words.addresses}
          <textarea
            rows={8}
            spellcheck={false}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
            required
          />
        </label>
        <label class="field">
          {words.file}
          <input
            type="file"
            accept=".txt,.csv,text/plain,text/csv"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              void file?.text().then((read) => (text.value = read));
            }}
          />
        </label>
        <p>{words.needs(number(urls.length), left === undefined ? '…' : number(left))}</p>
        {left !== undefined && urls.length > left && <p class="notice">{words.tooMany}</p>}
        <button type="submit" class="primary" disabled={progress.value !== undefined}>
          {words.checkAll}
        </button>{' '}
        {progress.value && (
          <>
            <button type="button" onClick={() => stopper.current?.abort()}>
              {words.stop}
            </button>{' '}
            <progress
              aria-label={words.checking}
              max={progress.value.of}
              value={progress.value.done}
            />
          </>
        )}
      </form>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      {error.value !== undefined && hasSome(result.value) && <p>{words.doneStays}</p>}
      {hasSome(result.value) && <ListResult result={result.value} />}
    </>
  );
}

function hasSome({ records, refused }: BulkResult): boolean {
  return records.length + refused.length > 0;
}

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

/** The checks of a list: they run until the end or a refusal, or until the user stops them or leaves. */
function useBulk() {
  const result = useSignal<BulkResult>(nothing);
  const error = useSignal<unknown>(undefined);
  /** How many of how many are checked; undefined while nothing runs. */
  const progress = useSignal<{ done: number; of: number } | undefined>(undefined);
  const stopper = useRef<AbortController>(undefined);
  const stop = () => stopper.current?.abort();
  useEffect(() => {
    void refreshAccount().catch(() => undefined);
    return stop;
  }, []);
  const add = ({ records, refused }: BulkResult) => {
    result.value = {
      records: [...result.value.records, ...records],
      refused: [...result.value.refused, ...refused],
    };
  };
  const run = async (urls: readonly string[]) => {
    const { signal } = (stopper.current = new AbortController());
    error.value = undefined;
    result.value = nothing;
    progress.value = { done: 0, of: urls.length };
    const onDone = (part: BulkResult, done: number) => {
      add(part);
      progress.value = { done, of: urls.length };
    };
    try {
      await checkAll(urls, onDone, signal);
      announce(t().trust.listDone);
    } catch (thrown) {
      if (!signal.aborted) error.value = thrown;
    } finally {
      progress.value = undefined;
      void refreshAccount().catch(() => undefined);
    }
  };
  return { result, error, progress, run, stop };
}

/** Checks a list of addresses, pasted or from a file. */
export function List() {
  const words = t().trust;
  const text = useSignal('');
  const { result, error, progress, run, stop } = useBulk();
  const urls = addressesOf(text.value);
  const left = account.value?.trust_remaining;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(urls);
  };
  return (
    <>
      <Title name={words.many} />
      <form onSubmit={submit}>
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
            <button type="button" onClick={stop}>
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
      <ErrorProblem error={error.value} />
      {error.value !== undefined && hasSome(result.value) && <p>{words.doneStays}</p>}
      {hasSome(result.value) && <ListResult result={result.value} />}
    </>
  );
}

function hasSome({ records, refused }: BulkResult): boolean {
  return records.length + refused.length > 0;
}

import type { ComponentChildren } from 'preact';
import { query, setQuery } from '../app/routes.ts';
import { dayZone, today } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { daysBefore, type Range } from '../lib/days.ts';
import { Field } from '../ui/field.tsx';

/** The server's default. */
const DAYS_DEFAULT = 30;

/** The range in the URL; missing parts are the defaults of the server. */
export function range(): Range {
  const to = query.value.get('to') ?? today();
  const from = query.value.get('from') ?? daysBefore(to, DAYS_DEFAULT - 1);
  return { from, to };
}

/** The range as a query, for links to other screens of the area. */
export function rangeText(): string {
  const kept = new URLSearchParams();
  for (const name of ['from', 'to']) {
    const value = query.value.get(name);
    if (value !== null) kept.set(name, value);
  }
  const text = kept.toString();
  return text === '' ? '' : `?${text}`;
}

/** The fields of the range, with other filters beside them. */
export function RangeFields({ children }: { children?: ComponentChildren }) {
  const words = t().spend;
  const { from, to } = range();
  const last = today();
  return (
    <>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field
          label={words.from}
          type="date"
          value={from}
          onChange={(event) => setQuery({ from: event.currentTarget.value })}
        />
        <Field
          label={words.to}
          type="date"
          value={to}
          onChange={(event) => setQuery({ to: event.currentTarget.value })}
        />
        {children}
        {[7, 30, 365].map((days) => (
          <button
            key={days}
            type="button"
            onClick={() => setQuery({ from: daysBefore(last, days - 1), to: undefined })}
          >
            {words.lastDays(days)}
          </button>
        ))}
      </form>
      <p class="small">{words.utc(dayZone.value)}</p>
    </>
  );
}

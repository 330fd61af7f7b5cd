import { dateTime, number } from '../i18n/format.ts';
import { Table } from '../ui/table.tsx';
import type { Status } from './overview.tsx';
import { w } from './words/index.ts';

type Provider = Status['providers'][number];

/** The providers as this node sees them, with the problem of each. */
export function Providers({ status: { providers } }: { status: Status }) {
  const words = w().status;
  const numbers = [words.models, words.calls, words.failed];
  return (
    <>
      <h2>{words.providers}</h2>
      <Table
        name={words.providers}
        columns={[words.provider, words.kind, words.state, ...numbers, words.lastFailure]}
        numbers={numbers}
      >
        {providers.map((provider) => (
          <tr key={provider.code}>
            <th scope="row">{provider.code}</th>
            <td>{provider.kind}</td>
            <td>
              <State provider={provider} />
            </td>
            <td class="number">{number(provider.models)}</td>
            <td class="number">{number(provider.calls ?? 0)}</td>
            <td class="number">{number(provider.failures ?? 0)}</td>
            <td>{provider.last_failure === null ? '–' : failureOf(provider.last_failure)}</td>
          </tr>
        ))}
      </Table>
      <p class="hint">{words.ofNode}</p>
    </>
  );
}

function failureOf({ outcome, at }: NonNullable<Provider['last_failure']>): string {
  return `${w().status.outcomes[outcome] ?? outcome.replaceAll('_', ' ')}, ${dateTime(at)}`;
}

function State({ provider: { problem, breaker, calls, failures } }: { provider: Provider }) {
  const words = w().status;
  if (problem !== null) return <span class="bad">{problem}</span>;
  if (breaker !== null && breaker !== 'closed') {
    return <span class="bad">{words.states[breaker]}</span>;
  }
  if (calls !== 0 && calls === failures) return <span class="bad">{words.failing}</span>;
  return calls === 0 ? <>{words.unused}</> : <span class="good">{words.states.closed}</span>;
}

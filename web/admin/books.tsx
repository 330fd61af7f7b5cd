import { signal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { number } from '../i18n/format.ts';
import { useAction } from '../ui/action.ts';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

/** The last verdict stays until the page is left, so that broken books are shown on each visit to the overview. */
const verdict = signal<Data<'/admin/ledger/verify/'> | undefined>(undefined);

/** Red, and at the top, if a proof failed. */
export function BrokenBooks() {
  const words = w().books;
  if (verdict.value?.holds !== false) return null;
  const broken = verdict.value.checks.filter(({ holds }) => !holds);
  return (
    <div class="problem bad" role="alert">
      <p>
        <strong>{words.broken}</strong>
      </p>
      <ul>
        {broken.map((check) => (
          <li key={check.name}>
            {check.name}
            <p class="small">{words.rows}:</p>
            <pre class="scroll" tabIndex={0} aria-label={words.rows}>
              {check.broken.map((row) => `${JSON.stringify(row)}\n`)}
            </pre>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Verifies the books when asked to. */
export function Books() {
  const words = w().books;
  const { error, isBusy, run } = useAction();
  const verify = async () => {
    verdict.value = await call('/admin/ledger/verify/', {});
    announce(verdict.value.holds ? words.hold : words.broken);
  };
  return (
    <>
      <h2>{words.title}</h2>
      <ErrorProblem error={error.value} />
      <p>
        <button type="button" disabled={isBusy.value} onClick={() => void run(verify)}>
          {isBusy.value ? words.verifying : words.verify}
        </button>
      </p>
      {verdict.value?.holds && <p class="good">{words.hold}</p>}
      {verdict.value && (
        <Table
          name={words.title}
          columns={[words.proof, words.checked, words.verdict]}
          numbers={[words.checked]}
        >
          {verdict.value.checks.map(({ name, checked, holds }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{number(checked)}</td>
              <td class={holds ? 'good' : 'bad'}>{holds ? words.holds : words.fails}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

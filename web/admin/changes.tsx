import type { Data } from '../api/client.ts';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

type Change = Data<'/admin/catalogue/apply/'>['changes'][number];
type FieldChange = Change['fields'][number];

/** The changes of a catalogue, a row for each field. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const { file: words, prices } = w();
  return (
    <Table
      name={words.changes}
      columns={[words.what, prices.outcome, words.field, words.from, words.to]}
    >
      {changes.flatMap(({ kind, subject, fields }) => {
        const rows: readonly (FieldChange | undefined)[] = fields.length > 0 ? fields : [undefined];
        return rows.map((field, index) => (
          <tr key={`${subject} ${field?.field ?? ''}`}>
            {index === 0 && (
              <>
                <th scope="row" rowSpan={rows.length} dir="auto">
                  {subject}
                </th>
                <td rowSpan={rows.length} class={kind === 'retired' ? 'bad' : undefined}>
                  {words.kinds[kind]}
                </td>
              </>
            )}
            <td>{field?.field}</td>
            <td dir="auto">{shown(field?.from)}</td>
            <td dir="auto">{shown(field?.to)}</td>
          </tr>
        ));
      })}
    </Table>
  );
}

/** A value of a field; a dash for none. */
export function shown(value: FieldChange['from'] | undefined): string {
  return value === null || value === undefined ? '–' : String(value);
}

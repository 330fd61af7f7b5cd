import { legacyTitle, pointsOfXt, type TrustRecord } from '../../trust/index.ts';

/** The history in a line: 0 none, 1 dates with values, 2 values. */
export type HistoryMode = '0' | '1' | '2';

/**
 * The legacy trust record: one line, fields separated by `|`, in the order of the specification.
 * @param remaining checks left today after this one
 */
export function trustLine(
  record: TrustRecord,
  { login, remaining, mode }: { login: string; remaining: number; mode: HistoryMode },
): string {
  const fields = [
    record.xt.toFixed(1),
    legacyTitle(record.title),
    login,
    String(remaining),
    record.colour,
    record.workability,
    String(record.acceptors),
    String(record.donors),
    String(record.spam),
  ];
  if (mode !== '0') fields.push(historyField(record, mode));
  return fields.join('|');
}

function historyField({ history }: TrustRecord, mode: '1' | '2'): string {
  return pointsOfXt(history)
    .map(({ date, xt }) => (mode === '1' ? `${date}:${xt.toFixed(1)}` : xt.toFixed(1)))
    .join(';');
}

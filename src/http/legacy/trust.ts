import { legacyTitle, pointsOfXt, type TrustRecord } from '../../trust/index.ts';
import type { Caller } from '../../users/index.ts';
import type { HttpApp, HttpContext } from '../request-facts.ts';
import { checkOnce } from '../trust/check-once.ts';
import { type LegacyParts, sessionToken } from './login.ts';
import { mountMethods, ParameterError, refusalLine } from './refusal.ts';
import { legacyText, parseForm } from './text.ts';

/** The only data set in the specification. */
const DATA_SET = '3';

/** `GET /trast.php`: one line, or `error|code|message`. */
export function mountLegacyTrust(app: HttpApp, parts: LegacyParts): void {
  const { authenticator, legacyCharset, secureCookies } = parts;
  const get = async (c: HttpContext) => {
    const caller = await authenticator.authenticateCookie(sessionToken(c, secureCookies));
    c.env.userId = caller.userId;
    return legacyText(await answer(c.req.raw, caller, parts), legacyCharset);
  };
  mountMethods(app, '/trast.php', { get }, (headers) =>
    refusalLine({ status: 405, code: 'method', message: 'send GET' }, legacyCharset, headers),
  );
}

async function answer(request: Request, caller: Caller, parts: LegacyParts): Promise<string> {
  const fields = parseForm(queryOf(request.url), parts.legacyCharset);
  const url = fields.get('url') ?? '';
  if (fields.get('tp') !== DATA_SET) throw new ParameterError('tp', 'tp must be 3');
  const mode = historyModeOf(fields.get('h'));
  const { record, remaining } = await checkOnce(parts, caller, url, { withTopDonors: false });
  return trustLine(record, { login: caller.login, remaining, mode });
}

/** Everything after the first `?`: scripts send addresses without escaping the query in them. */
function queryOf(address: string): string {
  const start = address.indexOf('?');
  return start < 0 ? '' : (address.slice(start + 1).split('#', 1)[0] ?? '');
}

function historyModeOf(value: string | undefined): HistoryMode {
  if (value === '0' || value === '1' || value === '2') return value;
  throw new ParameterError('h', 'h must be 0, 1 or 2');
}

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

import type { TrustCheck } from '../../trust/index.ts';
import type { Authenticator, Caller, TrustAllowance } from '../../users/index.ts';
import type { HttpApp, HttpContext } from '../request-facts.ts';
import { parseForm, type LegacyCharset } from './form.ts';
import { mountMethods } from './methods.ts';
import { ParameterError, refusalLine } from './refusal.ts';
import { sessionToken } from './session-cookie.ts';
import { legacyText } from './text.ts';
import { trustLine, type HistoryMode } from './trust-line.ts';

export interface LegacyTrustParts {
  authenticator: Authenticator;
  allowance: TrustAllowance;
  trust: TrustCheck;
  legacyCharset: LegacyCharset;
  /** True when the public URL is https. */
  secureCookies: boolean;
}

/** The only data set in the specification. */
const DATA_SET = '3';

/** `GET /trast.php`: one line, or `error|code|message`. */
export function mountLegacyTrust(app: HttpApp, parts: LegacyTrustParts): void {
  const { authenticator, legacyCharset, secureCookies } = parts;
  const get = async (c: HttpContext) => {
    const caller = await authenticator.authenticate(sessionToken(c, secureCookies));
    return legacyText(await answer(c.req.raw, caller, parts), legacyCharset);
  };
  mountMethods(app, '/trast.php', { get }, (headers) =>
    refusalLine({ status: 405, code: 'method', message: 'send GET' }, legacyCharset, headers),
  );
}

async function answer(
  request: Request,
  caller: Caller,
  { allowance, trust, legacyCharset }: LegacyTrustParts,
): Promise<string> {
  const fields = parseForm(queryOf(request.url), legacyCharset);
  const url = fields.get('url') ?? '';
  if (fields.get('tp') !== DATA_SET) throw new ParameterError('tp', 'tp must be 3');
  const mode = historyModeOf(fields.get('h'));
  // Everything is checked first, so that a refused call uses no allowance.
  const site = trust.siteOf(url);
  const taken = await allowance.take(caller.userId);
  const { remaining } = taken;
  try {
    const record = await trust.check(site, { by: caller.userId, withTopDonors: false });
    return trustLine(record, { login: caller.login, remaining, mode });
  } catch (error) {
    await taken.giveBack();
    throw error;
  }
}

/** All after the first `?`: scripts send addresses with their own query unescaped. */
function queryOf(address: string): string {
  const start = address.indexOf('?');
  return start < 0 ? '' : (address.slice(start + 1).split('#', 1)[0] ?? '');
}

function historyModeOf(value: string | undefined): HistoryMode {
  if (value === '0' || value === '1' || value === '2') return value;
  throw new ParameterError('h', 'h must be 0, 1 or 2');
}

import {
  findingKinds,
  findingView,
  reconciliationView,
  type Finding,
  type Reconciliation,
} from '../chat/index.ts';
import { rubles } from './format.ts';
import { pairs, printable } from './table.ts';

/** How many findings of each kind, and unreadable lines, the text for people shows. */
const SHOWN_MAX = 20;

type Counts = NonNullable<Finding['file']>;

export async function* textReport(result: Reconciliation): AsyncGenerator<string> {
  const { totals, unreadable } = result;
  const { file, ours } = totals;
  yield `${pairs({
    'compared by': totals.by === 'id' ? "the provider's id of each answer" : 'day and model',
    days: totals.from === null ? '(the file has no dates)' : `${totals.from} to ${totals.to}`,
    providers: totals.providers.join(', ') || '(none was found)',
    'in the file': `${file.rows} rows, ${tokens(file)}${file.cost === null ? '' : `, cost ${file.cost}`}`,
    'with us': `${ours.requests} answers, ${tokens(ours)}, charged ${rubles(ours.charged)}`,
    matched: String(totals.matched),
    differing: String(totals.differing),
    'only in the file': String(totals.onlyInFile),
    'only with us':
      totals.onlyWithUs === null ? '(give --from and --to)' : String(totals.onlyWithUs),
    ...(totals.undercharged.answers > 0 && {
      undercharged: `${totals.undercharged.answers} answers, ${rubles(totals.undercharged.lost)} not charged`,
    }),
    ...(ours.withoutId > 0 && { 'without an id': `${ours.withoutId} answers of ours` }),
    ...(file.costUnread > 0 && { 'costs not read': String(file.costUnread) }),
    ...(file.unreadable > 0 && { 'lines not read': String(file.unreadable) }),
  })}\n`;
  for (const { line, problem } of unreadable.slice(0, SHOWN_MAX)) {
    yield printable(`line ${line} was not read: ${problem}`) + '\n';
  }
  for (const kind of findingKinds) {
    let shown = 0;
    for await (const finding of result.findings(kind)) {
      if (++shown > SHOWN_MAX) {
        yield '… and more: --json shows all\n';
        break;
      }
      yield `${printable(findingLine(finding))}\n`;
    }
  }
}

function tokens({ promptTokens, completionTokens }: Counts): string {
  return `${count(promptTokens)} + ${count(completionTokens)} tokens`;
}

/** e.g. ` (5 cached, 2 reasoning)`; empty if neither is known. */
function parts({ cachedTokens: cached, reasoningTokens: reasoning }: Counts): string {
  const known = [
    ...(cached == null ? [] : [`${cached} cached`]),
    ...(reasoning == null ? [] : [`${reasoning} reasoning`]),
  ];
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

function count(tokenCount: number | null): string {
  return tokenCount === null ? '?' : String(tokenCount);
}

/** e.g. `differing 2026-11-01 openai/gpt-5-mini gen-1: 10 + 5 tokens in the file, 10 + 6 with us` */
function findingLine(finding: Finding): string {
  const { kind, day, provider, model, providerMessageId, userId, messageId } = finding;
  const { file, ours, lost } = finding;
  const name = model === null ? [] : [provider === null ? model : `${provider}/${model}`];
  const of = userId === null ? [] : [`(user ${userId}, message ${messageId})`];
  const subject = [day ?? '', ...name, providerMessageId ?? '', ...of].filter(
    (word) => word !== '',
  );
  const sides = [
    ...(file ? [`${tokens(file)}${parts(file)} in the file`] : []),
    ...(ours
      ? [`${tokens(ours)}${parts(ours)} with us${ours.estimated ? ', estimated' : ''}`]
      : []),
    ...(ours && lost !== null
      ? [`charged ${rubles(ours.charged)}, ${rubles(lost)} not charged`]
      : []),
  ];
  return `${kind.replaceAll('_', ' ')} ${subject.join(' ')}: ${sides.join(', ')}`;
}

/** The report for programs: one object, in pieces. */
export async function* jsonReport(result: Reconciliation): AsyncGenerator<string> {
  yield JSON.stringify(reconciliationView(result)).slice(0, -1);
  for (const kind of findingKinds) {
    yield `,"${kind}_rows":[`;
    let separator = '';
    for await (const finding of result.findings(kind)) {
      yield separator + JSON.stringify(findingView(finding));
      separator = ',';
    }
    yield ']';
  }
  yield '}\n';
}

import { toRubles } from '../../lib/money.ts';
import type { Finding, Reconciliation } from './report.ts';

type Counts = NonNullable<Finding['file']>;

/** What a comparison found, as machines read it, but for the single findings. */
export function reconciliationView({ totals, unreadable }: Reconciliation) {
  const { file, ours } = totals;
  return {
    by: totals.by,
    from: totals.from,
    to: totals.to,
    providers: totals.providers,
    file: {
      rows: file.rows,
      unreadable: file.unreadable,
      ...countsView(file),
      cost: file.cost,
      cost_unread: file.costUnread,
    },
    ours: { ...countsView(ours), charged: toRubles(ours.charged), without_id: ours.withoutId },
    matched: totals.matched,
    differing: totals.differing,
    only_in_file: totals.onlyInFile,
    only_with_us: totals.onlyWithUs,
    unreadable_rows: unreadable,
  };
}

/** One finding, as machines read it. */
export function findingView(finding: Finding) {
  const { day, provider, model, line: at, userId, messageId, file, ours } = finding;
  return {
    day,
    provider,
    model,
    provider_message_id: finding.providerMessageId,
    line: at,
    user_id: userId,
    message_id: messageId,
    file: file && { ...countsView(file), ...partsView(file) },
    ours: ours && {
      ...countsView(ours),
      ...partsView(ours),
      charged: toRubles(ours.charged),
      estimated: ours.estimated,
    },
  };
}

function countsView({ requests, promptTokens, completionTokens }: Counts) {
  return { requests, prompt_tokens: promptTokens, completion_tokens: completionTokens };
}

/** Of single answers. */
function partsView({ cachedTokens, reasoningTokens }: Counts) {
  return {
    ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoning_tokens: reasoningTokens }),
  };
}

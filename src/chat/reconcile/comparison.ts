import { toRubles, type Micro } from '../../lib/money.ts';

/** Tokens on one side of a comparison; null: that side does not have the number. */
export interface Counts {
  requests: number;
  promptTokens: number | null;
  completionTokens: number | null;
  /** Tokens of the prompt that were read from the provider's cache. Absent: only totals are compared. */
  cachedTokens?: number | null;
  /** Tokens of the completion that are reasoning. */
  reasoningTokens?: number | null;
}

export interface OurCounts extends Counts {
  charged: Micro;
  estimated: boolean;
}

/** What both sides say about one answer, or about one day and model. */
export interface Comparison {
  /** The same on both sides; null for an answer of ours without a provider's id. */
  key: string | null;
  /** `YYYY-MM-DD`. */
  day: string | null;
  model: string | null;
  provider: string | null;
  /** The provider's id of the answer, where single answers are compared. */
  providerMessageId: string | null;
  /** The line of the file, or the first of several lines. */
  line: number | null;
  userId: number | null;
  messageId: number | null;
  file: Counts | null;
  ours: OurCounts | null;
  /** The part of an undercharged answer's cost beyond the hold. */
  lost: Micro | null;
}

/** A comparison of which only our side is known so far. */
export type OurSide = Comparison & { provider: string; day: string; ours: OurCounts };

/** How the two sides may differ. Our undercharged answers are listed as well. */
export const findingKinds = ['differing', 'only_in_file', 'only_with_us', 'undercharged'] as const;

export type FindingKind = (typeof findingKinds)[number];

/** One difference between the two sides. */
export interface Finding extends Comparison {
  kind: FindingKind;
}

export const nothing: Comparison = {
  key: null,
  day: null,
  model: null,
  provider: null,
  providerMessageId: null,
  line: null,
  userId: null,
  messageId: null,
  file: null,
  ours: null,
  lost: null,
};

const tokenCounts = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'reasoningTokens',
] as const;

export function kindOf({ file, ours, lost }: Comparison): FindingKind | 'matched' {
  if (lost !== null) return 'undercharged';
  if (!file) return 'only_with_us';
  if (!ours) return 'only_in_file';
  // Requests are not compared: providers also count failed ones.
  const differ = tokenCounts.some(
    (name) => file[name] != null && ours[name] != null && file[name] !== ours[name],
  );
  return differ ? 'differing' : 'matched';
}

/** Adds up two comparisons of the same subject. The first one describes it. */
export function merged<Side extends Comparison>(first: Side, second: Comparison): Side {
  return {
    ...first,
    provider: first.provider ?? second.provider,
    line: first.line ?? second.line,
    userId: first.userId ?? second.userId,
    messageId: first.messageId ?? second.messageId,
    file:
      first.file && second.file
        ? addedCounts(first.file, second.file)
        : (first.file ?? second.file),
    ours:
      first.ours && second.ours ? addedOurs(first.ours, second.ours) : (first.ours ?? second.ours),
  };
}

export function addedOurs(first: OurCounts, second: OurCounts): OurCounts {
  return {
    ...addedCounts(first, second),
    charged: first.charged + second.charged,
    estimated: first.estimated || second.estimated,
  };
}

function addedCounts(first: Counts, second: Counts): Counts {
  const sum = { ...first, requests: first.requests + second.requests };
  for (const name of tokenCounts) {
    const more = second[name];
    if (more != null) sum[name] = (sum[name] ?? 0) + more;
  }
  return sum;
}

/** One finding as JSON. Amounts are rubles. */
export function findingView({ day, provider, model, line, file, ours, lost, ...ids }: Finding) {
  return {
    day,
    provider,
    model,
    provider_message_id: ids.providerMessageId,
    line,
    user_id: ids.userId,
    message_id: ids.messageId,
    file: file && { ...countsView(file), ...partsView(file) },
    ours: ours && {
      ...countsView(ours),
      ...partsView(ours),
      charged: toRubles(ours.charged),
      estimated: ours.estimated,
    },
    ...(lost !== null && { lost: toRubles(lost) }),
  };
}

export function countsView({ requests, promptTokens, completionTokens }: Counts) {
  return { requests, prompt_tokens: promptTokens, completion_tokens: completionTokens };
}

function partsView({ cachedTokens, reasoningTokens }: Counts) {
  return {
    ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoning_tokens: reasoningTokens }),
  };
}

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

/** The sum of no answers. */
export const noOurs: OurCounts = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  charged: 0,
  estimated: false,
};

/** What both sides have of one answer, or of one day and model. */
export interface Comparison {
  /** `YYYY-MM-DD`, UTC. */
  day: string | null;
  model: string | null;
  provider: string | null;
  /** The provider's id of the answer, where single answers are compared. */
  providerMessageId: string | null;
  /** The line of the file, or the first of several. */
  line: number | null;
  userId: number | null;
  messageId: number | null;
  file: Counts | null;
  ours: OurCounts | null;
}

/** How the two sides may differ. */
export const findingKinds = ['differing', 'only_in_file', 'only_with_us'] as const;

export type FindingKind = (typeof findingKinds)[number];

/** One difference between the two sides. */
export interface Finding extends Comparison {
  kind: FindingKind;
}

const unknown = { provider: null, providerMessageId: null, userId: null, messageId: null };

/** A comparison of which only the side of the file is known yet. */
export function onlyInFile(
  known: Pick<Comparison, 'day' | 'model' | 'line'> & { file: Counts } & Partial<Comparison>,
): Comparison {
  return { ...unknown, ...known, ours: null };
}

export function kindOf({ file, ours }: Comparison): FindingKind | 'matched' {
  if (!file) return 'only_with_us';
  if (!ours) return 'only_in_file';
  const counts = ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const;
  // Requests are not compared: providers also count failed ones.
  const isOther = (name: (typeof counts)[number]) =>
    file[name] != null && ours[name] != null && file[name] !== ours[name];
  return counts.some(isOther) ? 'differing' : 'matched';
}

/** Adds up two comparisons of the same thing. The first one describes it. */
export function merged(first: Comparison, second: Comparison): Comparison {
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
  const { cachedTokens, reasoningTokens } = first;
  return {
    requests: first.requests + second.requests,
    promptTokens: plus(first.promptTokens, second.promptTokens),
    completionTokens: plus(first.completionTokens, second.completionTokens),
    ...(cachedTokens !== undefined && {
      cachedTokens: plus(cachedTokens, second.cachedTokens ?? null),
    }),
    ...(reasoningTokens !== undefined && {
      reasoningTokens: plus(reasoningTokens, second.reasoningTokens ?? null),
    }),
  };
}

/** The sum; null if both are unknown. */
function plus(first: number | null, second: number | null): number | null {
  return first === null && second === null ? null : (first ?? 0) + (second ?? 0);
}

/** One finding as JSON. Amounts are rubles. */
export function findingView({ day, provider, model, line, file, ours, ...ids }: Finding) {
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

// Imported by file: the whole package loads an HTTP client and the cluster module, which takes 35 ms at each start.
import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';
import { type Micro, toRubles } from '../lib/money.ts';
import { Distribution, Tally } from './tallies.ts';

/** Values that are read at each scrape by Prometheus. */
export interface Gauges {
  holdsOpen: () => number;
  commitQueue: () => number;
  /** 1; 0 during an outage. */
  databaseUp: () => number;
  logLinesLost: () => number;
  spansLost: () => number;
  /** Running page fetches of the trust check. */
  fetchesRunning: () => number;
  /** Seconds for which the current trust job has run; 0 without one. */
  jobSeconds: () => number;
  /** Seconds since the current release of the link graph was ranked; undefined without one. */
  releaseAgeSeconds: () => number | undefined;
}

/** The most models with their own label: the first that are called. All others share the label `other`. */
const MODEL_LABELS_MAX = 500;

interface ProviderCall {
  provider: string;
  modelId?: number | undefined;
  outcome: string;
  seconds: number | undefined;
}

/** All metrics of the process. No user, room or text is ever a label. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('zastava_http_requests_total', 'HTTP requests answered.', [
    'method',
    'status',
  ]);
  readonly #requestSeconds = new Distribution(this.#registry, {
    name: 'zastava_http_request_duration_seconds',
    help: 'From the request to the head of the response.',
    bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60],
  });
  readonly #providerCalls = this.#counter(
    'zastava_provider_calls_total',
    'Calls to providers by how they ended.',
    ['provider', 'outcome'],
  );
  readonly #providerSeconds = new Distribution(this.#registry, {
    name: 'zastava_provider_call_duration_seconds',
    help: 'Duration of calls to providers.',
    labelName: 'provider',
    bounds: [0.01, 0.05, 0.25, 1, 5, 15, 60, 120],
  });
  readonly #modelCalls = this.#counter(
    'zastava_model_calls_total',
    'Calls to providers by the model that was called and how they ended.',
    ['model', 'outcome'],
  );
  readonly #modelSeconds = new Distribution(this.#registry, {
    name: 'zastava_model_call_duration_seconds',
    help: 'Duration of calls to providers by model.',
    labelName: 'model',
    bounds: [0.25, 1, 5, 15, 60, 120],
  });
  /** Models with their own label. */
  readonly #models = new Set<string>();
  readonly #sends = this.#counter('zastava_sends_total', 'Sends by model id and outcome.', [
    'model',
    'outcome',
  ]);
  readonly #tokens = this.#counter('zastava_tokens_total', 'Tokens charged.', [
    'model',
    'direction',
  ]);
  readonly #rubles = this.#counter('zastava_charged_rubles_total', 'Rubles charged.', ['model']);
  readonly #undercharges = this.#counter(
    'zastava_undercharges_total',
    'Answers that may have cost more than was charged.',
    ['model', 'reason'],
  );
  readonly #lostRubles = this.#counter(
    'zastava_undercharged_rubles_total',
    'What the usage of answers costs beyond their holds.',
    ['model'],
  );
  readonly #fetches = this.#counter('zastava_trust_fetches_total', 'Fetches by outcome.', [
    'outcome',
  ]);
  readonly #batchSize = new Distribution(this.#registry, {
    name: 'zastava_commit_batch_size',
    help: 'Holds and settles that shared one database commit.',
    bounds: [1, 2, 4, 8, 16, 32, 64, 128],
  });

  /** @param worker the number of this process among those that serve together; a label of each sample */
  constructor(worker?: number) {
    if (worker !== undefined) this.#registry.setDefaultLabels({ worker });
  }

  /** Gauges are read at each scrape, and cost nothing in between. */
  watch(gauges: Gauges): void {
    this.#gauge('zastava_holds_open', 'Sends in progress on this node.', gauges.holdsOpen);
    this.#gauge('zastava_commit_queue', 'Writes waiting for a commit.', gauges.commitQueue);
    this.#gauge('zastava_database_up', '0 during an outage, else 1.', gauges.databaseUp);
    this.#gauge('zastava_log_lines_lost', 'Log lines not written.', gauges.logLinesLost);
    this.#gauge('zastava_trace_spans_lost', 'Spans not exported.', gauges.spansLost);
    this.#gauge(
      'zastava_trust_fetches_running',
      'Page fetches of the trust check under way.',
      gauges.fetchesRunning,
    );
    this.#gauge(
      'zastava_trust_job_seconds',
      'Since the running trust job started; 0 without one.',
      gauges.jobSeconds,
    );
    this.#gauge(
      'zastava_trust_release_age_seconds',
      'Since the current release of the link graph was ranked; -1 without one.',
      () => gauges.releaseAgeSeconds() ?? -1,
    );
    this.#gauge('process_resident_memory_bytes', 'Resident memory.', () =>
      process.memoryUsage.rss(),
    );
  }

  observeRequest(method: string, status: number, seconds: number): void {
    this.#requests.add(1, knownMethod(method), status);
    this.#requestSeconds.observe(seconds);
  }

  /**
   * @param call `modelId`: undefined for a call outside of sends; `seconds`: undefined if nothing was sent, so that the
   *   provider's speed is not known
   */
  observeProviderCall({ provider, modelId, outcome, seconds }: ProviderCall): void {
    this.#providerCalls.add(1, provider, outcome);
    if (seconds !== undefined) this.#providerSeconds.observe(seconds, provider);
    if (modelId === undefined) return;
    const model = this.#labelOf(`${modelId}`);
    this.#modelCalls.add(1, model, outcome);
    if (seconds !== undefined) this.#modelSeconds.observe(seconds, model);
  }

  observeSend(event: {
    model: string;
    outcome: string;
    promptTokens: number;
    completionTokens: number;
    charged: Micro;
    undercharge?: { reason: string; amount: Micro } | undefined;
  }): void {
    const { outcome } = event;
    const model = this.#labelOf(event.model);
    this.#sends.add(1, model, outcome);
    this.#tokens.add(event.promptTokens, model, 'input');
    this.#tokens.add(event.completionTokens, model, 'output');
    this.#rubles.add(toRubles(event.charged), model);
    if (!event.undercharge) return;
    this.#undercharges.add(1, model, event.undercharge.reason);
    this.#lostRubles.add(toRubles(event.undercharge.amount), model);
  }

  observeFetch(outcome: string): void {
    this.#fetches.add(1, outcome);
  }

  observeBatch(size: number): void {
    this.#batchSize.observe(size);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Limits the labels: a catalogue may have thousands of models, and each label stays until the process ends. */
  #labelOf(model: string): string {
    if (this.#models.has(model)) return model;
    if (this.#models.size >= MODEL_LABELS_MAX) return 'other';
    this.#models.add(model);
    return model;
  }

  #counter(name: string, help: string, labelNames: [string] | [string, string]): Tally {
    return new Tally(this.#registry, name, help, labelNames);
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect: (): void => gauge.set(read()),
    });
  }
}

/** Clients can send any word as a method; unknown words must not create metrics. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS'].includes(method) ? method : 'other';
}

import type { Database } from '../../db/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { dateOfDay, dayOfDate } from '../../lib/days.ts';
import { merged, nothing, type Comparison, type OurCounts, type OurSide } from './comparison.ts';
import type { ExportReader, ExportRow } from './export-reader.ts';
import type { ReconcileOptions, ReconcileParts } from './report.ts';

/** How many sums (days times models) a comparison by day may have. */
const SUMS_MAX = 200_000;

/**
 * Both sides as sums by day and model. Our side is the daily totals that each charge updates, so no message is read.
 */
export async function sumsByDay(
  { db, catalogue }: ReconcileParts,
  reader: ExportReader,
  options: ReconcileOptions,
): Promise<{ lines: Comparison[]; ours: OurSide[] }> {
  const exported = await addUp(reader);
  const { from = reader.firstDay, to = reader.lastDay } = options;
  if (from === undefined || to === undefined) {
    throw new DomainError(
      'invalid_request',
      'the file has no line with a date, a model and tokens',
    );
  }
  const models = new ModelNames(catalogue.everyModel(), options);
  const used = await usage(db, from, to);
  const usedIds = new Set(used.map(({ modelId }) => modelId));
  const lines = new Sums<Comparison>();
  for (const sum of exported) {
    const known = models.named(sum.model ?? '', usedIds);
    lines.add(known, { ...sum, model: known?.model ?? sum.model });
  }
  const ours = new Sums<OurSide>();
  for (const row of used) {
    const model = models.ours(row.modelId);
    // Two of our models with different prices may be one model at the provider.
    if (model) ours.add(model, ourSum(row, model));
  }
  return { lines: lines.list(), ours: ours.list() };
}

class Sums<Side extends Comparison> {
  readonly #sums = new Map<string, Side>();

  get size(): number {
    return this.#sums.size;
  }

  /** @param model undefined: one that is not in the catalogue */
  add(model: NamedModel | undefined, sum: Side): void {
    const key = JSON.stringify([sum.day, model?.provider, model?.model ?? sum.model]);
    const before = this.#sums.get(key);
    this.#sums.set(key, before ? merged(before, sum) : { ...sum, key });
  }

  /** By day. */
  list(): Side[] {
    return [...this.#sums.values()].sort((one, other) =>
      (one.day ?? '').localeCompare(other.day ?? ''),
    );
  }
}

/** The sums of the file, by day and by the file's names of models. */
async function addUp(reader: ExportReader): Promise<Comparison[]> {
  const sums = new Sums();
  for await (const rows of reader.batches()) {
    for (const row of rows) {
      const sum = fileSum(row);
      if (typeof sum === 'string') reader.refuse(row.line, sum);
      else if (sum) sums.add(undefined, sum);
      if (sums.size > SUMS_MAX) {
        throw invalidField('file', `it has more than ${SUMS_MAX} days and models: split it`);
      }
    }
  }
  return sums.list();
}

/** @returns undefined for a line without usage, as some exports have for empty days; a text: what is wrong */
function fileSum(row: ExportRow): Comparison | string | undefined {
  const { line, day, model, promptTokens = null, completionTokens = null, requests = 0 } = row;
  if (promptTokens === null && completionTokens === null && model === undefined) return undefined;
  if (day === undefined) return 'it has no date';
  if (model === undefined) return 'it has no model';
  if (promptTokens === null && completionTokens === null) return 'it has no tokens';
  return { ...nothing, day, model, line, file: { requests, promptTokens, completionTokens } };
}

type UsageSum = Omit<OurCounts, 'estimated'> & { day: number; modelId: number };

/** The usage of all users together. */
function usage(db: Database, from: string, to: string): Promise<UsageSum[]> {
  return db.query<UsageSum>(
    `SELECT day, model_id AS "modelId", CAST(SUM(requests) AS BIGINT) AS requests,
       CAST(SUM(prompt_tokens) AS BIGINT) AS "promptTokens",
       CAST(SUM(completion_tokens) AS BIGINT) AS "completionTokens",
       CAST(SUM(spend) AS BIGINT) AS charged
     FROM usage_daily WHERE day BETWEEN $1 AND $2 AND requests > 0 GROUP BY day, model_id ORDER BY day, model_id`,
    [dayOfDate(from), dayOfDate(to)],
  );
}

function ourSum(row: UsageSum, { provider, model }: NamedModel): OurSide {
  const { day, modelId: _modelId, ...counts } = row;
  const ours = { ...counts, estimated: false };
  return { ...nothing, day: dateOfDay(day), provider, model, ours };
}

interface NamedModel {
  id: number;
  provider: string;
  model: string;
}

/** The date that some providers append to the requested name of a model. */
const dated = /[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6})$/;

/** Finds our model for a name in an export. */
class ModelNames {
  readonly #byId: Map<number, NamedModel>;
  readonly #byName: Map<string, NamedModel[]>;
  readonly #given: Map<string, string>;

  /** @throws `invalid_request` if the operator named a model that does not exist */
  constructor(models: readonly NamedModel[], { providers, models: pairs }: ReconcileOptions) {
    const inScope = models.filter(
      ({ provider }) => providers.length === 0 || providers.includes(provider),
    );
    this.#byId = new Map(inScope.map((model) => [model.id, model]));
    this.#byName = Map.groupBy(inScope, ({ model }) => model);
    this.#given = new Map(
      pairs.map((pair) => {
        const [, theirs = '', ours = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
        if (this.#byName.has(ours)) return [theirs, ours];
        throw invalidField(
          'models',
          `"${pair}": write FILE_NAME=OUR_NAME, of a model of the catalogue`,
        );
      }),
    );
  }

  /** Undefined for a model of a provider that was not selected. */
  ours(id: number): NamedModel | undefined {
    return this.#byId.get(id);
  }

  /**
   * Our model for a name in the file: the one that the operator named, the one with this name, or the one with this
   * name without its date.
   * @param used ids of the models that were used on these days
   * @throws `invalid_request` if several providers have it
   */
  named(name: string, used: ReadonlySet<number>): NamedModel | undefined {
    const candidates = [this.#given.get(name), name, name.replace(dated, '')];
    for (const candidate of candidates) {
      const models = this.#byName.get(candidate ?? '');
      if (!models) continue;
      const inUse = models.filter(({ id }) => used.has(id));
      const codes = new Set((inUse.length > 0 ? inUse : models).map(({ provider }) => provider));
      if (codes.size > 1) {
        throw invalidField(
          'providers',
          `${[...codes].join(' and ')} both have ${candidate}: name the provider of the file (--provider on the command line)`,
        );
      }
      return inUse[0] ?? models[0];
    }
    return undefined;
  }
}

import type { UsageDay } from '../api/types.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Shares } from './shares.tsx';

export interface ModelSpend {
  id: number;
  name: string;
  /** Micro-rubles. */
  spend: number;
}

/** The models of some days, the one with the largest spend first. */
export function byModel(days: readonly UsageDay[]): ModelSpend[] {
  const models = new Map<number, ModelSpend>();
  for (const one of days) {
    const model = models.get(one.model_id) ?? { id: one.model_id, name: one.model, spend: 0 };
    model.spend += micro(one.spend);
    models.set(one.model_id, model);
  }
  return [...models.values()].sort((a, b) => b.spend - a.spend);
}

/** The spend of each model. */
export function Models({ days }: { days: readonly UsageDay[] }) {
  const words = t().spend;
  const rows = byModel(days).map(({ id, name, spend }) => ({ id: `${id}`, name, spend }));
  return <Shares title={words.byModel} first={words.model} rows={rows} />;
}

import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import type { Model } from '../api/types.ts';
import { models } from './rooms.ts';
import { choices } from './settings.tsx';

/** The models with their prices. */
export function ModelPicker() {
  const words = t().chat;
  if (models.value.length === 0) return <p>{words.noModels}</p>;
  return (
    <label class="field">
      {words.model}
      <select
        value={choices.value.model ?? models.value[0]?.id}
        onChange={(event) =>
          (choices.value = { ...choices.value, model: Number(event.currentTarget.value) })
        }
      >
        {models.value.map((model) => (
          <option key={model.id} value={model.id} title={model.description_full}>
            {model.description === '' ? model.model : model.description} — {priceOf(model)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The prices in a line: for a million tokens, and for each request or image. */
function priceOf(model: Model): string {
  const words = t().chat;
  if (!model.priced) return words.unpriced;
  const fixed = micro(model.cost_input_fix_rub) + micro(model.cost_output_fix_rub);
  const tokens = [model.cost_input_tokens_rub, model.cost_output_tokens_rub].map(micro);
  const parts: string[] = [];
  if (tokens.some((price) => price > 0)) {
    parts.push(words.perMillion(tokens.map(rubles).join(' / ')));
  }
  if (fixed > 0) parts.push(words.perCall(rubles(fixed)));
  return parts.length === 0 ? words.free : parts.join(' + ');
}

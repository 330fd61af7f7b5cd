import type { Model } from '../api/types.ts';
import { number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { priceHours } from '../ui/price-hours.ts';
import { models } from './rooms.ts';
import { choices, modelNow } from './settings.tsx';

/** The models with their prices, by kind of output. */
export function ModelPicker() {
  const words = t().chat;
  if (models.value.length === 0) return <p>{words.noModels}</p>;
  const types = { TEXT: words.typeText, IMAGE: words.typeImage };
  return (
    <select
      aria-label={words.model}
      value={modelNow()?.id}
      onChange={(event) =>
        (choices.value = { ...choices.value, model: Number(event.currentTarget.value) })
      }
    >
      {(['TEXT', 'IMAGE'] as const).map((type) => (
        <optgroup key={type} label={types[type]}>
          {models.value
            .filter((model) => model.type === type)
            .map((model) => (
              <option key={model.id} value={model.id}>
                {model.description === '' ? model.model : model.description} — {priceOf(model)}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

/** The price and the inputs of the chosen model. */
export function ModelFacts() {
  const words = t().chat;
  const model = modelNow();
  if (!model) return null;
  const facts = [priceOf(model)];
  if (model.type === 'TEXT') {
    facts.push(words.limits(number(model.max_input_tokens), number(model.max_output_tokens)));
  }
  return (
    <p class="small model-facts" title={model.description_full}>
      {facts.join(' · ')}
      {[longPriceOf(model), priceHours(model)].map(
        (other) => other !== undefined && <strong key={other}> · {other}</strong>,
      )}
    </p>
  );
}

/** The prices in one line: for a million tokens, and for each request or image. */
function priceOf(model: Model): string {
  const words = t().chat;
  if (!model.priced) return words.unpriced;
  const fixed = micro(model.cost_input_fix_rub) + micro(model.cost_output_fix_rub);
  const tokens = [model.cost_input_tokens_rub, model.cost_output_tokens_rub];
  const parts: string[] = [];
  if (tokens.some((price) => price > 0)) parts.push(words.perMillion(pricesOf(tokens)));
  if (fixed > 0) parts.push(words.perCall(rubles(fixed)));
  return parts.length === 0 ? words.free : parts.join(' + ');
}

/** The warning about prices that apply to the whole of a long request. */
function longPriceOf(model: Model): string | undefined {
  const above = model.long_context_above_tokens;
  if (above === undefined) return undefined;
  const input = model.cost_long_input_tokens_rub ?? model.cost_input_tokens_rub;
  const output = model.cost_long_output_tokens_rub ?? model.cost_output_tokens_rub;
  return t().chat.longPrice(number(above), t().chat.perMillion(pricesOf([input, output])));
}

function pricesOf(prices: readonly number[]): string {
  return prices.map((price) => rubles(micro(price))).join(' / ');
}

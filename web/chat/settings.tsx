import { signal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import type { Model } from '../api/types.ts';
import { Field } from '../ui/field.tsx';
import { models } from './rooms.ts';
import type { SendOptions } from './send-options.ts';

/** How many earlier messages are sent along by default. */
const DEPTH = 10;

/** The user's choices for the next messages of this tab. */
export const choices = signal<{
  model: number | undefined;
  systemPrompt: string;
  depth: number;
  temperature: number | undefined;
  maxOutputTokens: number | undefined;
  seed: number | undefined;
}>({
  model: undefined,
  systemPrompt: '',
  depth: DEPTH,
  temperature: undefined,
  maxOutputTokens: undefined,
  seed: undefined,
});

/** The chosen model; the first one until the user chooses. Undefined if no model can be used. */
export function modelNow(): Model | undefined {
  return models.value.find(({ id }) => id === choices.value.model) ?? models.value[0];
}

/** Undefined if no model can be used. */
export function optionsNow(): SendOptions | undefined {
  const model = modelNow();
  return model && { ...choices.value, model };
}

/** System prompt, context and the parameters of the model. */
export function Settings() {
  const words = t().chat;
  const { systemPrompt, depth, temperature, maxOutputTokens, seed } = choices.value;
  const choose = (change: Partial<typeof choices.value>) =>
    (choices.value = { ...choices.value, ...change });
  return (
    <details class="settings">
      <summary>{words.settings}</summary>
      <div class="panel">
        <label class="field">
          {words.systemPrompt}
          <textarea
            rows={3}
            dir="auto"
            value={systemPrompt}
            onInput={(event) => choose({ systemPrompt: event.currentTarget.value })}
          />
        </label>
        <Field
          label={words.depth}
          hint={words.depthHint}
          type="number"
          min={0}
          value={depth}
          onInput={(event) => choose({ depth: Number(event.currentTarget.value) })}
        />
        <Field
          label={words.temperature}
          type="number"
          step="0.1"
          value={temperature ?? ''}
          onInput={(event) => choose({ temperature: numberOf(event.currentTarget.value) })}
        />
        <Field
          label={words.cap}
          type="number"
          min={1}
          value={maxOutputTokens ?? ''}
          onInput={(event) => choose({ maxOutputTokens: numberOf(event.currentTarget.value) })}
        />
        <Field
          label={words.seed}
          type="number"
          value={seed ?? ''}
          onInput={(event) => choose({ seed: numberOf(event.currentTarget.value) })}
        />
      </div>
    </details>
  );
}

function numberOf(text: string): number | undefined {
  return text === '' ? undefined : Number(text);
}

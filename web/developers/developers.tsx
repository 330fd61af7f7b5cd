import '../ui/shared.ts';
import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { Model } from '../api/types.ts';
import { hrefOf } from '../app/routes.ts';
import { t } from '../i18n/index.ts';
import { Code } from '../markdown/code.tsx';
import { Facts } from '../ui/facts.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Title } from '../ui/title.tsx';
import { baseUrlOf, examplesOf, KEY_VARIABLE } from './examples.ts';

/** What a program needs for using the models: the base URL, a key, and example code. */
export function Developers() {
  const words = t().developers;
  const loaded = useLoaded(async (signal) => {
    const { ai } = await call('/ai/settings/', {}, { signal });
    return ai.filter(({ modality }) => modality === 'text');
  });
  const addresses = [
    ['OpenAI', baseUrlOf(location.origin)],
    ['Anthropic', location.origin],
  ] as const;
  return (
    <div class="developers">
      <Title name={t().areas.developers} />
      <p>{words.hint}</p>
      <section aria-labelledby="base-url">
        <h2 id="base-url">{words.baseUrl}</h2>
        <Facts
          of={addresses.map(([name, url]) => [
            name,
            <span class="copied">
              <code>{url}</code> <CopyButton text={url} about={`${words.baseUrl}, ${name}`} />
            </span>,
          ])}
        />
      </section>
      <section aria-labelledby="key">
        <h2 id="key">{words.key}</h2>
        <p>
          {words.makeKey} <a href={hrefOf('account/keys')}>{words.keys}</a>. {words.variable}{' '}
          <code>{KEY_VARIABLE}</code>.
        </p>
      </section>
      <section aria-labelledby="examples">
        <h2 id="examples">{words.examples}</h2>
        <Show of={loaded}>{(models) => <Examples models={models} />}</Show>
      </section>
      <p>
        <a href="/docs">{words.reference}</a>
      </p>
    </div>
  );
}

/** The example code for the chosen model. */
function Examples({ models }: { models: readonly Model[] }) {
  const names = models.map(({ model_alias, code, model }) => model_alias ?? `${code}/${model}`);
  const chosen = useSignal(names[0]);
  if (chosen.value === undefined) return <p>{t().chat.noModels}</p>;
  return (
    <>
      <label class="field">
        {t().chat.model}
        <select
          value={chosen.value}
          onChange={(event) => (chosen.value = event.currentTarget.value)}
        >
          {[...new Set(names)].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {examplesOf(location.origin, chosen.value).map(({ name, language, text }) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <Code text={text} language={language} about={name} />
        </section>
      ))}
    </>
  );
}

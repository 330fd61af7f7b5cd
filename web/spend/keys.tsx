import { call } from '../api/client.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Shares } from './shares.tsx';

interface KeysProps {
  from: string;
  to: string;
  modelId: number | undefined;
}

/** The spend of each API key, and the spend without a key. */
export function Keys({ from, to, modelId }: KeysProps) {
  const words = t().spend;
  const loaded = useLoaded(
    (signal) => call('/account/usage/keys/', { from, to, model_id: modelId }, { signal }),
    [from, to, modelId],
  );
  return (
    <Show of={loaded}>
      {({ keys }) => (
        <Shares
          title={words.byKey}
          first={words.key}
          rows={keys.map((key) => ({
            id: key.key_id ?? '',
            spend: micro(key.spend),
            name:
              key.key_id === null ? (
                words.withoutKey
              ) : (
                <>
                  <bdi>{key.name}</bdi> <code>…{key.hint}</code>
                </>
              ),
          }))}
        />
      )}
    </Show>
  );
}

import type { ApiKey } from '../api/types.ts';
import { dayZone, dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { limitFacts } from '../ui/limit-facts.ts';
import { Table } from '../ui/table.tsx';

interface KeyTableProps {
  keys: readonly ApiKey[];
  onOpen: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ keys, onOpen, onRevoke }: KeyTableProps) {
  const words = t().keys;
  return (
    <Table
      name={words.title}
      columns={[words.name, words.hint, words.scope, words.limits, words.expires, words.state]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row" dir="auto">
            {key.name}
            {key.tags.length > 0 && <div class="small">{key.tags.join(' · ')}</div>}
          </th>
          <td>
            <code>…{key.hint}</code>
            {key.old_until !== null && key.old_until > Date.now() / 1000 && (
              <div class="small">
                <code>…{key.old_hint}</code> {words.until(dateTime(key.old_until))}
              </div>
            )}
          </td>
          <td>{words.scopes[key.scope]}</td>
          <td>
            {limitsWithUse(key).map(([name, value]) => (
              <div key={name} class="small">
                {name}: {value}
              </div>
            ))}
          </td>
          <td>{key.expires_at === null ? words.never : dateTime(key.expires_at)}</td>
          <td>
            {key.revoked_at === null ? (
              <>
                <KeyButton words={words.change} of={key} onPress={onOpen} />{' '}
                <KeyButton words={words.revoke} of={key} onPress={onRevoke} />
              </>
            ) : (
              words.revoked
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface KeyButtonProps {
  words: string;
  of: ApiKey;
  onPress: (key: ApiKey) => void;
}

function KeyButton({ words, of, onPress }: KeyButtonProps) {
  return (
    <button type="button" aria-label={`${words}: ${of.name}`} onClick={() => onPress(of)}>
      {words}
    </button>
  );
}

/** The limits of a key; for amounts, also how much is used. */
function limitsWithUse({ limits, used }: ApiKey): (readonly [name: string, value: string])[] {
  const words = t().account;
  const budgets = [
    [words.rublesPerDay(dayZone.value), limits.rubles_per_day, used?.rubles_today],
    [words.rublesPerMonth(dayZone.value), limits.rubles_per_month, used?.rubles_this_month],
    [words.rublesTotal, limits.rubles_total, used?.rubles_total],
  ] as const;
  return [
    ...budgets.flatMap(([name, limit, spent = 0]) =>
      limit === null
        ? []
        : [[name, words.leftOf(rubles(micro(spent)), rubles(micro(limit)))] as const],
    ),
    ...limitFacts({ ...limits, rubles_per_day: null }),
  ];
}

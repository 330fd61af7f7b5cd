import '../ui/shared.ts';
import { useSignal } from '@preact/signals';
import { refreshAccount } from '../app/balance.ts';
import type { AreaProps } from '../app/screens.ts';
import { session } from '../app/session.ts';
import type { Account as AccountView } from '../api/types.ts';
import { number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Parts } from '../ui/parts.tsx';
import { Title } from '../ui/title.tsx';
import { Export } from './export.tsx';
import { OwnKeys } from './keys.tsx';
import { Redeem } from './redeem.tsx';
import { PasswordForm } from './password.tsx';
import { RecoveryCodes, RequiredFactor } from './recovery-codes.tsx';
import { SecondFactor, type ShownCodes } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** Money and limits of the user; API keys; password and sessions. */
export function Account({ rest }: AreaProps) {
  const words = t().account;
  if (session.value?.must_set_up_second_factor) return <RequiredFactor />;
  const parts = {
    account: words.title,
    'account/keys': t().keys.title,
    'account/access': words.access,
  };
  return (
    <>
      <Parts title={words.title} of={parts} current={rest === '' ? 'account' : `account/${rest}`} />
      <Part name={rest} />
    </>
  );
}

function Part({ name }: { name: string }) {
  if (name === 'keys') return <OwnKeys />;
  return name === 'access' ? <Access /> : <Money />;
}

function Money() {
  const words = t().account;
  const loaded = useLoaded(refreshAccount);
  return (
    <>
      <Title name={words.title} />
      <Show of={loaded}>{(account) => <AccountFacts account={account} />}</Show>
      <section aria-labelledby="voucher">
        <h2 id="voucher">{words.voucher.title}</h2>
        <Redeem onDone={loaded.reload} />
      </section>
      <section aria-labelledby="export">
        <h2 id="export">{words.export}</h2>
        <Export />
      </section>
    </>
  );
}

function Access() {
  const words = t().account;
  const codes: ShownCodes = useSignal(undefined);
  if (codes.value !== undefined) {
    return <RecoveryCodes codes={codes} onDone={() => (codes.value = undefined)} />;
  }
  return (
    <>
      <Title name={words.access} />
      <section aria-labelledby="password">
        <h2 id="password">{words.password}</h2>
        <PasswordForm />
      </section>
      <section aria-labelledby="second-factor">
        <h2 id="second-factor">{words.secondFactor.title}</h2>
        <SecondFactor onCodes={(fresh) => (codes.value = fresh)} />
      </section>
      <section>
        <h2>{words.sessions}</h2>
        <Sessions />
      </section>
    </>
  );
}

function AccountFacts({ account }: { account: AccountView }) {
  const words = t().account;
  const { limits } = account;
  const facts: [name: string, value: string][] = [
    [words.balance, rubles(micro(account.balance))],
    [words.held, rubles(micro(account.held))],
    [t().available, rubles(micro(account.available))],
    [words.creditLimit, rubles(micro(account.credit_limit))],
    [words.requestsPerMinute, limitText(limits.requests_per_minute)],
    [words.tokensPerMinute, limitText(limits.tokens_per_minute)],
    [
      words.rublesPerDay(account.day_zone),
      limits.rubles_per_day === null ? words.noLimit : rubles(micro(limits.rubles_per_day)),
    ],
    [
      words.checksLeft(account.day_zone),
      words.leftOf(number(account.trust_remaining), number(account.trust_allowance)),
    ],
  ];
  return <Facts of={facts} />;
}

function limitText(limit: number | null): string {
  return limit === null ? t().account.noLimit : number(limit);
}

import { session } from '../app/session.ts';
import { t } from '../i18n/index.ts';
import { ownKeys } from '../keys/calls.ts';
import { Keys } from '../keys/keys.tsx';
import { Title } from '../ui/title.tsx';

/** The API keys of the user. */
export function OwnKeys() {
  return (
    <>
      <Title name={t().keys.title} />
      <Keys calls={ownKeys} role={session.value?.role ?? 'user'} />
    </>
  );
}

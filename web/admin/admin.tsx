import { hrefOf } from '../app/routes.ts';
import type { AreaProps } from '../app/screens.ts';
import { t } from '../i18n/index.ts';
import { Models } from './models.tsx';
import { UserScreen } from './user.tsx';
import { Users } from './users.tsx';

/** Users, models and prices, for admins. */
export function Admin({ rest }: AreaProps) {
  const words = t().admin;
  const [part = '', name] = rest.split('/');
  const parts = [
    ['users', words.users],
    ['models', words.models],
  ] as const;
  return (
    <>
      <nav class="parts" aria-label={words.title}>
        {parts.map(([one, title]) => (
          <a
            key={one}
            href={hrefOf(`admin/${one}`)}
            aria-current={one === (part || 'users') ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {part === 'models' && <Models />}
      {part !== 'models' && name === undefined && <Users />}
      {part !== 'models' && name !== undefined && <UserScreen key={name} login={name} />}
    </>
  );
}

import { useEffect } from 'preact/hooks';
import type { AreaProps } from '../app/screens.ts';
import { language } from '../i18n/index.ts';
import { Parts } from '../ui/parts.tsx';
import { Graph } from './graph.tsx';
import { ModelScreen } from './model.tsx';
import { Models } from './models.tsx';
import { Overview } from './overview.tsx';
import { Reconcile } from './reconcile.tsx';
import { UsageScreen } from './usage.tsx';
import { UserScreen } from './user.tsx';
import { Users } from './users.tsx';
import { loadWords, w } from './words/index.ts';

/** The administration: overview, users, usage, models and prices, reconciling, link graph. */
export function Admin({ rest }: AreaProps) {
  useEffect(() => void loadWords(language.value), [language.value]);
  const words = w();
  const slash = rest.indexOf('/');
  const part = slash < 0 ? rest : rest.slice(0, slash);
  const parts = {
    admin: words.overview,
    'admin/users': words.users,
    'admin/usage': words.usage,
    'admin/models': words.models,
    'admin/reconcile': words.reconcile,
    'admin/trust': words.graph,
  };
  return (
    <>
      <Parts title={words.title} of={parts} current={part === '' ? 'admin' : `admin/${part}`} />
      <Part part={part} name={slash < 0 ? undefined : rest.slice(slash + 1)} />
    </>
  );
}

/** @param name the rest of the route, e.g. a login */
function Part({ part, name }: { part: string; name: string | undefined }) {
  if (part === 'users')
    return name === undefined ? <Users /> : <UserScreen key={name} login={name} />;
  if (part === 'models') {
    return name === undefined ? <Models /> : <ModelScreen key={name} id={Number(name)} />;
  }
  if (part === 'usage') return <UsageScreen />;
  if (part === 'reconcile') return <Reconcile />;
  if (part === 'trust') return <Graph />;
  return <Overview />;
}

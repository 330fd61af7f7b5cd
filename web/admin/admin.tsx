import { useEffect } from 'preact/hooks';
import type { AreaProps } from '../app/screens.ts';
import { session } from '../app/session.ts';
import { language, t } from '../i18n/index.ts';
import { Parts } from '../ui/parts.tsx';
import { Audit } from './audit.tsx';
import { Graph } from './graph.tsx';
import { Incident } from './incident.tsx';
import { InvitationScreen } from './invitation.tsx';
import { Invitations } from './invitations.tsx';
import { ModelScreen } from './model.tsx';
import { Models } from './models.tsx';
import { Overview } from './overview.tsx';
import { Reconcile } from './reconcile.tsx';
import { ReportScreen } from './report.tsx';
import { VoucherBatch } from './voucher-batch.tsx';
import { Vouchers } from './vouchers.tsx';
import { UserScreen } from './user.tsx';
import { Users } from './users.tsx';
import { loadWords, w } from './words/index.ts';

/** Screens whose operations are for admins alone. */
const ofAdmins = ['models', 'trust', 'audit'];

/** The administration: overview, users, report, vouchers, invitations, reconciling, refunds; for admins models and prices, link graph. */
export function Admin({ rest }: AreaProps) {
  useEffect(() => void loadWords(language.value), [language.value]);
  const words = w();
  const slash = rest.indexOf('/');
  const part = slash < 0 ? rest : rest.slice(0, slash);
  const parts = {
    admin: words.overview,
    'admin/users': words.users,
    'admin/report': words.report.title,
    'admin/vouchers': words.vouchers.title,
    'admin/invitations': words.invitations.title,
    'admin/reconcile': words.reconcile,
    'admin/refunds': words.incident.title,
    ...(session.value?.role === 'admin' && {
      'admin/models': words.models,
      'admin/trust': words.graph,
      'admin/audit': words.audit.title,
    }),
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
  if (ofAdmins.includes(part) && session.value?.role !== 'admin') return <h1>{t().forAdmins}</h1>;
  if (part === 'users')
    return name === undefined ? <Users /> : <UserScreen key={name} login={name} />;
  if (part === 'models') {
    return name === undefined ? <Models /> : <ModelScreen key={name} id={Number(name)} />;
  }
  if (part === 'report') return <ReportScreen />;
  if (part === 'vouchers') {
    return name === undefined ? <Vouchers /> : <VoucherBatch key={name} id={Number(name)} />;
  }
  if (part === 'invitations') {
    return name === undefined ? <Invitations /> : <InvitationScreen key={name} id={Number(name)} />;
  }
  if (part === 'reconcile') return <Reconcile />;
  if (part === 'refunds') return <Incident />;
  if (part === 'trust') return <Graph />;
  if (part === 'audit') return <Audit />;
  return <Overview />;
}

/** All campaigns, in the order of their promises. */
import { nodeDeath } from './many-nodes/node-death.ts';
import { pooler } from './many-nodes/pooler.ts';
import { slowDatabase } from './many-nodes/slow-database.ts';
import { crash } from './r01-crash/crash.ts';
import { overspend } from './r02-r03-races/overspend.ts';
import { sameKey } from './r02-r03-races/same-key.ts';
import { hold } from './r04-hold/hold.ts';
import { books } from './r05-books/books.ts';
import { faults } from './r06-faults/faults.ts';
import { cut } from './r07-cut/cut.ts';
import { hangUp } from './r08-hang-up/hang-up.ts';
import { diskFull } from './r09-disk/disk-full.ts';
import { failedFsync } from './r09-disk/failed-fsync.ts';
import { fsync } from './r09-disk/fsync-order.ts';
import { databaseRestart } from './r10-database-restart/database-restart.ts';
import { clock } from './r11-clock/clock.ts';
import { restart } from './r12-restart/restart.ts';
import { rolling } from './r12-restart/rolling.ts';
import { overload } from './r13-overload/overload.ts';
import { fuzz } from './r14-fuzz/fuzz.ts';
import { bystander } from './r21-bystander/bystander.ts';
import { access } from './r15-access/access.ts';
import { ssrf } from './r16-ssrf/ssrf.ts';
import { login } from './r17-login/login.ts';
import { secrets } from './r18-secrets/secrets.ts';
import { allowance } from './r19-allowance/allowance.ts';
import { pages } from './r20-pages/pages.ts';
import { belowCost } from './r22-below-cost/below-cost.ts';
import { replaceWorkers } from './workers/replace-workers.ts';
import { workerDeath } from './workers/worker-death.ts';
import { once } from './r23-once/once.ts';
import { month } from './r24-month/month.ts';
import { year } from './r25-year/year.ts';
import type { Campaign } from './support/campaign.ts';

export const campaigns: readonly Campaign[] = [
  crash,
  nodeDeath,
  workerDeath,
  sameKey,
  overspend,
  hold,
  books,
  faults,
  cut,
  hangUp,
  diskFull,
  failedFsync,
  fsync,
  databaseRestart,
  slowDatabase,
  pooler,
  clock,
  restart,
  rolling,
  replaceWorkers,
  overload,
  fuzz,
  access,
  ssrf,
  login,
  secrets,
  allowance,
  pages,
  bystander,
  belowCost,
  once,
  month,
  year,
];

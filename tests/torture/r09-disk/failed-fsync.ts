import { campaign, type Report, type Run } from '../support/campaign.ts';
import { attach, straceWorks, type Attached } from '../support/strace.ts';
import { runTrouble, type TroubleSizes } from './trouble.ts';

/** Promise R9: flushes to disk fail with EIO now and then, and a send whose data was not flushed gets no answer. */
export const failedFsync = campaign<TroubleSizes>({
  name: 'failed-fsync',
  promise: 'R9',
  title: 'a failed flush is never answered as a success',
  full: { rounds: 40 },
  small: { rounds: 1 },
  dialects: ['sqlite'],
  run: runFailedFsync,
});

/** In turn all of them, and every third. */
const kinds = ['1+', '2+3'];

async function runFailedFsync(run: Run<TroubleSizes>): Promise<Report> {
  if (!(await straceWorks())) {
    return { figures: {}, broken: [], notPossible: 'strace is not installed, or may not trace' };
  }
  let attached: Attached | undefined;
  let round = 0;
  return runTrouble(run, {
    async begin({ pid }) {
      const when = kinds[round++ % kinds.length];
      const calls = 'fsync,fdatasync';
      const inject = `inject=${calls}:error=EIO:when=${when}`;
      const options = ['-e', `trace=${calls}`, '-e', inject, '-o', '/dev/null'];
      attached = await attach(pid, options);
    },
    end: async () => attached?.detach(),
  });
}

import { campaign, type Report, type Run } from '../support/campaign.ts';
import { openFullableDisk } from './full-disk.ts';
import { runTrouble, type TroubleSizes } from './trouble.ts';

/** Promise R9: the disk is full now and then. PostgreSQL itself handles its full disk. */
export const diskFull = campaign<TroubleSizes>({
  name: 'disk-full',
  promise: 'R9',
  title: 'a full disk loses nothing, and heals',
  full: { rounds: 40 },
  small: { rounds: 1 },
  dialects: ['sqlite'],
  run: runDiskFull,
});

async function runDiskFull(run: Run<TroubleSizes>): Promise<Report> {
  const disk = await openFullableDisk();
  if (!disk) {
    const notPossible = 'neither may a file system be mounted, nor is there prlimit of util-linux';
    return { figures: {}, broken: [], notPossible };
  }
  await using _ = disk;
  const trouble = {
    begin: ({ pid }: { pid: number }) => disk.fill(pid),
    end: (server: { pid: number } | undefined) => disk.empty(server?.pid),
  };
  const report = await runTrouble(run, trouble, disk.path);
  return { ...report, figures: { means: disk.means, ...report.figures } };
}

/** nginx in front of nodes, with the lines of deploy/nginx.conf; only where it is installed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { becomesTrue } from './until.ts';
import { freePort } from './free-port.ts';

/** Debian keeps it where only root looks. */
const program = Bun.which('nginx') ?? Bun.which('nginx', { PATH: '/usr/sbin:/usr/local/sbin' });
const STARTED_WITHIN_MS = 120_000;

export const nginxIsHere = program !== null;

export interface Nginx extends AsyncDisposable {
  url: string;
}

export interface NginxOptions {
  /** The addresses that may reach `/admin/`, in CIDR; by default those of this machine. */
  admins?: string;
}

/** @param ports of the nodes on this machine */
export async function startNginx(
  ports: readonly number[],
  { admins = '127.0.0.0/8' }: NginxOptions = {},
): Promise<Nginx> {
  if (program === null) throw new Error('nginx is not installed');
  const directory = await mkdtemp(join(tmpdir(), 'zastava-nginx-'));
  const port = freePort();
  const file = join(directory, 'nginx.conf');
  const lines = await Bun.file(resolve(import.meta.dir, '../../../deploy/nginx.conf')).text();
  await Bun.write(file, around(directory, adapted(lines, port, ports, admins)));
  const child = Bun.spawn([program, '-p', directory, '-c', file, '-g', 'daemon off;'], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const listens = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  if (!(await becomesTrue(listens, STARTED_WITHIN_MS))) throw new Error('nginx does not start');
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await child.exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The lines with the addresses of this machine. */
function adapted(lines: string, port: number, nodes: readonly number[], admins: string): string {
  const servers = nodes.map((node) => `  server 127.0.0.1:${node} max_fails=0;\n`).join('');
  return lines
    .replace(/( *server [\d.]+:8080 max_fails=0;\n)+/, servers)
    .replaceAll(/allow [\d./]+;/g, `allow ${admins};`)
    .replace(/^server \{$/m, `server {\n  listen 127.0.0.1:${port};`);
}

/** The lines around them in a distribution's own file. */
function around(directory: string, lines: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  );
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    pid ${directory}/pid;
    error_log ${directory}/error.log;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${temporary.join('\n')}
      ${lines}
    }`;
}

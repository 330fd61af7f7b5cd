/** nginx in front of several nodes, set up as docs/scale.md says; only where it is installed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { becomesTrue } from './until.ts';
import { freePort } from './free-port.ts';

/** Debian keeps it where only root looks. */
const program = Bun.which('nginx') ?? Bun.which('nginx', { PATH: '/usr/sbin:/usr/local/sbin' });
const STARTED_WITHIN_MS = 10_000;

export const nginxIsHere = program !== null;

export interface Nginx extends AsyncDisposable {
  url: string;
}

/** @param ports of the nodes on this machine */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  if (program === null) throw new Error('nginx is not installed');
  const directory = await mkdtemp(join(tmpdir(), 'zastava-nginx-'));
  const port = freePort();
  const file = join(directory, 'nginx.conf');
  await Bun.write(file, configOf(port, ports, directory));
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

function configOf(port: number, nodes: readonly number[], directory: string): string {
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
      upstream nodes {
        ${nodes.map((node) => `server 127.0.0.1:${node} max_fails=0;`).join('\n')}
        keepalive 64;
      }
      map $http_idempotency_key $send_key {
        default $http_idempotency_key;
        "" $request_id;
      }
      server {
        listen 127.0.0.1:${port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header Idempotency-Key $send_key;
        proxy_buffering off;
        proxy_read_timeout 300s;
        location / {
          proxy_pass http://nodes;
          proxy_next_upstream error timeout;
          proxy_intercept_errors on;
          error_page 503 = @another;
        }
        location @another {
          proxy_pass http://nodes;
          proxy_next_upstream http_503 non_idempotent;
        }
        location ~ ^/(ai/send/|v1/) {
          proxy_pass http://nodes;
          proxy_next_upstream error http_503 non_idempotent;
        }
      }
    }`;
}

import { join } from 'node:path';
import { GATEWAY_CORE, start } from './processes.ts';
import type { Gateway, GatewayPlace } from './gateway.ts';
import { chatCompletion, postText, streamedCompletion } from './target.ts';
import { freePort } from './ports.ts';

/** nginx as a bare proxy: the cost of merely passing a request on. @returns undefined if it is not installed */
export async function startNginx({
  mockUrl,
  directory,
}: GatewayPlace): Promise<Gateway | undefined> {
  const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx');
  if (nginx === null) return undefined;
  const port = await freePort();
  const config = join(directory, 'nginx.conf');
  await Bun.write(config, configText(directory, port, new URL(mockUrl).host));
  const url = `http://127.0.0.1:${port}`;
  const running = await start([nginx, '-c', config, '-p', directory], {
    core: GATEWAY_CORE,
    answers: async () => (await fetch(`${url}/completions`)).ok,
  });
  return {
    target: {
      name: 'nginx, bare proxy',
      url,
      requests: [postText(url, '/v1/chat/completions', {}, chatCompletion)],
      streams: [postText(url, '/v1/chat/completions', {}, streamedCompletion)],
      pid: running.pid,
    },
    stop: () => running.stop(),
  };
}

/** Configured for speed: one worker, connections kept alive on both sides, no log. */
function configText(directory: string, port: number, mock: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${directory}/${kind};`)
    .join('\n');
  return `daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
${temporary}
  keepalive_requests 1000000000;
  upstream mock {
    server ${mock};
    keepalive 256;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://mock;
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_set_header Connection "";
    }
  }
}
`;
}

import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { languages } from '../../trust/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { accountOperations } from '../account/account.ts';
import { rangeFields, recordOperations } from '../account/records.ts';
import type { Operation } from '../operation.ts';
import { lastCheckOperation, trustOperations } from '../trust/check.ts';

/** The answer of an operation: a JSON envelope. */
export type Ask = (path: string, body: object, language?: string) => Promise<Response>;

const address = z
  .string()
  .describe('A web address or a domain, such as https://example.com/ or example.com.');
const language = z
  .enum(languages)
  .optional()
  .describe('The language of the sentences for people; English by default.');

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/**
 * The tools of the MCP server. Each is an operation of the JSON interface, so rights, limits and errors are the same.
 * @param ask sends a request of the caller to an operation
 */
export function mcpServer(version: string, parts: OperationParts, ask: Ask): McpServer {
  const operations = new Map(
    [
      ...trustOperations(parts),
      lastCheckOperation(parts),
      ...accountOperations(parts),
      ...recordOperations(parts),
    ].map((operation): [string, Operation] => [operation.path, operation]),
  );
  const resultOf = (path: string) => operations.get(path)?.result as z.ZodType;
  const server = new McpServer(
    { name: 'zastava', title: 'Zastava', version },
    // Otherwise clients subscribe to changes of the list, and repeat the request after each refusal.
    { capabilities: { tools: { listChanged: false } } },
  );
  server.registerTool(
    'check_trust',
    {
      title: 'Check whether a web site can be trusted',
      description:
        'Checks the site of an address now: a score (xt, 0 to 10), a colour, the risk of spam in percent, and the reasons. Uses one check of your daily allowance; last_trust_check uses none.',
      inputSchema: z.object({ url: address, language }),
      outputSchema: resultOf('/trust/check/'),
      annotations: { ...readOnly, idempotentHint: false, openWorldHint: true },
    },
    async ({ url, language: words }) => resultFrom(await ask('/trust/check/', { url }, words)),
  );
  server.registerTool(
    'last_trust_check',
    {
      title: 'Show the last trust check of a web site',
      description:
        'The stored record of a site, by whomever it was checked, and how its score changed. Checks nothing and uses nothing of your allowance. If `record` is null, call check_trust.',
      inputSchema: z.object({ url: address, language }),
      outputSchema: resultOf('/trust/last/'),
      annotations: { ...readOnly, openWorldHint: false },
    },
    async ({ url, language: words }) => resultFrom(await ask('/trust/last/', { url }, words)),
  );
  server.registerTool(
    'show_balance',
    {
      title: 'Show your balance',
      description:
        'Your own account at this gateway: balance and credit limit in rubles, limits, and the trust checks that are left today.',
      inputSchema: z.object({}),
      outputSchema: resultOf('/account/'),
      annotations: { ...readOnly, openWorldHint: false },
    },
    async () => resultFrom(await ask('/account/', {})),
  );
  server.registerTool(
    'show_usage',
    {
      title: 'Show your usage by day and model',
      description: 'Requests, tokens and rubles of your own sends, by day (UTC) and model.',
      inputSchema: z.object(rangeFields),
      outputSchema: resultOf('/account/usage/'),
      annotations: { ...readOnly, openWorldHint: false },
    },
    async (range) => resultFrom(await ask('/account/usage/', range)),
  );
  return server;
}

interface Envelope {
  data?: Record<string, unknown>;
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
}

/** The result of a tool. An error says what to do, as over HTTP. */
async function resultFrom(response: Response): Promise<CallToolResult> {
  const { data, error } = (await response.json()) as Envelope;
  if (data) {
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  }
  const { code = 'internal_error', message = '', details = [] } = error ?? {};
  const fields = details.map((detail) => `${detail.path}: ${detail.message}`);
  const wait = response.headers.get('retry-after');
  const lines = [`${code}: ${message}`, ...fields];
  if (wait !== null) lines.push(`try again in ${wait} s`);
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}

import { z } from 'zod';

/** Bytes of a body with hundreds of thousands of domains. */
export const DOMAINS_BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Domains or addresses of sites, as a file has them a line each. */
export const domainLines = z.array(z.string().regex(/^[^\r\n]*$/, 'must be one line'));

/** Those that name no site. */
export const badDomains = z.array(
  z.object({
    line: z.int().meta({ description: 'The place in `domains`, from 1.' }),
    text: z.string(),
    message: z.string(),
  }),
);

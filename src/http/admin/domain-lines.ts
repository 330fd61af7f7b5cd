import { z } from 'zod';

/** Hundreds of thousands of domains fit. */
export const DOMAINS_BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Domains or addresses of sites, each as a line of a file would have it. */
export const domainLines = z.array(z.string().regex(/^[^\r\n]*$/, 'must be one line'));

/** The lines that name no site. */
export const badDomains = z.array(
  z.object({
    line: z.int().meta({ description: 'The place in `domains`, from 1.' }),
    text: z.string(),
    message: z.string(),
  }),
);

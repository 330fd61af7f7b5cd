import type { TrustRecord } from '../../src/trust/index.ts';

/** The part of a record about a home page that was not read. */
export const unreadPage = (site: string): TrustRecord['page'] => ({
  site,
  fetchedAt: null,
  status: null,
  finalUrl: null,
  language: null,
  languageSource: null,
  pages: { contact: null, privacy: null, imprint: null },
  parked: null,
  externalDomains: null,
});

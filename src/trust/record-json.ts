import type { TrustRecord } from './record.ts';

/** A record as JSON shows it, over HTTP and on the command line. */
export function trustRecordJson({ topDonors, page, ...rest }: TrustRecord) {
  return {
    ...rest,
    top_donors: topDonors,
    page: {
      fetched_at: page.fetchedAt,
      status: page.status,
      final_url: page.finalUrl,
      language: page.language,
      parked: page.parked,
      external_domains: page.externalDomains,
    },
  };
}

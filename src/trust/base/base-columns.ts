/** The columns that a base has beside those of a ranking, if it has any. */
export const columnsOfBase = {
  /** Institutions by rule that link to the domain. */
  institutions: 'base_institutions',
  /** Number of the release in which the domain was seen first, in the manifest's list. */
  firstSeen: 'base_first_seen',
  /** Donors of the domain in the earlier release; 0 if it was not there. */
  donorsBefore: 'base_donors_before',
} as const;

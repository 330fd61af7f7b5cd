/** The columns that a base has in addition to those of a ranking, if it is ranked. */
export const columnsOfBase = {
  /** The number of institutions by rule that link to the domain. */
  institutions: 'base_institutions',
  /** The number of the release in which the domain was first seen, in the manifest's list. */
  firstSeen: 'base_first_seen',
  /** The donors of the domain in the earlier release; 0 if the domain was not in it. */
  donorsBefore: 'base_donors_before',
} as const;

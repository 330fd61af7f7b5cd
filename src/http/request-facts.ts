/** What a handler knows of its request, set before routing. */
export interface RequestFacts {
  requestId: string;
  address: string;
  /** The address of the connection itself. */
  peer: string;
  disableIdleTimeout: () => void;
}

/** Where the bytes of generated images are kept. Which one is a matter of configuration. */
export interface BlobStore {
  /** Durable when it returns. */
  put(id: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Undefined when there are no such bytes. @param range bytes [start, end), to read only a part */
  get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>;
  /** Gone for good when it returns. Removing what is not there is no error. */
  remove(id: string): Promise<void>;
}

/** Stores the bytes of generated images. The configuration chooses an implementation. */
export interface BlobStore {
  /** The bytes are durable when it returns. */
  put(id: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** @returns undefined if the image does not exist @param range bytes [start, end), to read only a part */
  get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>;
  /** The bytes are gone for good when it returns. Removing an image that does not exist is no error. */
  remove(id: string): Promise<void>;
}

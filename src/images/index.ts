export { DatabaseStore } from './database-store.ts';
export { DiskStore } from './disk-store.ts';
export { ImageStore, type StoredImage } from './images.ts';
export { S3Store, type S3Config } from './s3-store.ts';

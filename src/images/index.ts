export { ImageStore, newImageId, type StoredImage } from './images.ts';
export { DatabaseStore, DiskStore, S3Store, type S3Config } from './stores.ts';

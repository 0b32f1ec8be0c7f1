import { fileURLToPath } from 'node:url';

/** A bucket, as configured by `STORAGE_URL`. */
export interface StorageLocation {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Parses `s3://KEY:SECRET@host/bucket?region=…`; `s3+http://` is without TLS, for a service on the same
 * machine. Returns undefined for anything else.
 */
export function readStorageLocation(text: string): StorageLocation | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url && { 's3:': 'https:', 's3+http:': 'http:' }[url.protocol];
  if (!url || !protocol || !url.username || !url.password || !/^\/[^/]+\/?$/.test(url.pathname))
    return undefined;
  return {
    endpoint: `${protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`,
    region: url.searchParams.get('region') ?? 'auto',
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
}

/** A directory of this machine, or a bucket. */
export type ArchivePlace = { directory: string } | { bucket: StorageLocation };

/** Parses `file:///path` or the URL of a bucket; undefined for anything else. */
export function readArchivePlace(text: string): ArchivePlace | undefined {
  const bucket = readStorageLocation(text);
  if (bucket) return { bucket };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'file:' || url.host !== '' || url.pathname === '/') return undefined;
  return { directory: fileURLToPath(url) };
}

import { join } from 'node:path';

/** The repository, or the folder that the product was installed to: two levels up, from the sources and from a build (`server/dist`). */
export const root = join(import.meta.dirname, '../..');

/** The modules that a thread or a process begins with, by their files in `server/src`. A build makes a file of each. */
export const entries = {
  main: 'main.ts',
  exportThread: 'composition/export-thread-work.ts',
  receiptThread: 'features/receipts/pdf/receipt-thread-work.ts',
  blockThread: 'http/request-log/blocks/block-thread-work.ts',
  imageDecoder: 'files/image-decoder-child.ts',
} as const;

const isBuilt = import.meta.filename.endsWith('.js');

/** The module that the sandbox bank begins with: the source, or the built one if this program is built. */
export const sandboxEntry = join(root, isBuilt ? 'sandbox/dist/main.js' : 'sandbox/src/main.ts');

/** Returns the file of a module that a thread or a process begins with: the source, or the built one if this program is built. */
export function entryFile(name: keyof typeof entries): string {
  return join(import.meta.dirname, isBuilt ? `${name}.js` : entries[name]);
}

import { open } from 'node:fs/promises';

/** Flushes a directory's entries to disk, so that a rename in it survives a power cut. */
export async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { watch } from 'node:fs';

/**
 * Calls `wake` when a folder changes. Returns a function that ends it. Watching only shortens the wait of a caller that polls as
 * well: where the system has no watch left, or the folder is gone, nothing is called.
 */
export function watchFolder(folder: string, wake: () => void): () => void {
  try {
    const watcher = watch(folder, wake);
    watcher.on('error', () => {});
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

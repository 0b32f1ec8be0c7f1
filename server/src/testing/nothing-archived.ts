import type { ReadParts } from '#archive/entry-parts.sql.ts';

/** For readers of entries in tests that archive nothing. */
export const nothingArchived: ReadParts = () => Promise.reject(new Error('no entry is in the archive'));

/** Pages that say what is wrong: they open for everybody, signed in or not. */
export const openPaths: ReadonlySet<string> = new Set(['/401', '/403', '/404']);

import { createRequire } from 'node:module';

/** Read with the first code: a megabyte that merchants of other countries never need. */
interface Lists {
  bankNames: Readonly<Record<string, string>>;
  /** Branch codes by their bank's four letters: all-digit codes as numbers, others as text. */
  branches: Readonly<Record<string, readonly (string | number)[]>>;
}

const require = createRequire(import.meta.url);
let lists: Lists | undefined;

/** Reads the list of the Reserve Bank of India. */
function read(): Lists {
  lists ??= { bankNames: require('ifsc/src/banknames.json'), branches: require('ifsc/src/IFSC.json') };
  return lists;
}

/** Whether a branch has this code in the list of the Reserve Bank of India; looked up offline. */
export function isIfsc(code: string): boolean {
  const branch = code.slice(5);
  const listed = read().branches[code.slice(0, 4)] ?? [];
  return listed.includes(/^\d+$/.test(branch) ? Number(branch) : branch);
}

/**
 * Returns the name of a code's bank and the branch part of the code; undefined if there is no such branch.
 */
export function bankOfIfsc(code: string): { bank: string; branch: string } | undefined {
  if (!isIfsc(code)) return undefined;
  const letters = code.slice(0, 4);
  return { bank: read().bankNames[letters] ?? letters, branch: code.slice(5) };
}

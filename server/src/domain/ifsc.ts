import banks from 'ifsc/src/banknames.json' with { type: 'json' };
import branches from 'ifsc/src/IFSC.json' with { type: 'json' };

const bankNames: Readonly<Record<string, string>> = banks;
/** Branch codes by their bank's four letters: all-digit codes as numbers, others as text. */
const knownBranches: Readonly<Record<string, readonly (string | number)[]>> = branches;

/** Whether a branch has this code in the list of the Reserve Bank of India; looked up offline. */
export function isIfsc(code: string): boolean {
  const branch = code.slice(5);
  const listed = knownBranches[code.slice(0, 4)] ?? [];
  return listed.includes(/^\d+$/.test(branch) ? Number(branch) : branch);
}

/**
 * Returns the name of a code's bank and the branch part of the code; undefined if there is no such branch.
 */
export function bankOfIfsc(code: string): { bank: string; branch: string } | undefined {
  if (!isIfsc(code)) return undefined;
  const letters = code.slice(0, 4);
  return { bank: bankNames[letters] ?? letters, branch: code.slice(5) };
}

import banks from 'ifsc/src/banknames.json' with { type: 'json' };
import branches from 'ifsc/src/IFSC.json' with { type: 'json' };

const bankNames: Readonly<Record<string, string>> = banks;
/** Branches by their bank's four letters: numbers as numbers, the rest as text, both without leading zeros. */
const knownBranches: Readonly<Record<string, readonly (string | number)[]>> = branches;

/** Whether there is a branch of this code, as the Reserve Bank of India lists them; looked up offline. */
export function isIfsc(code: string): boolean {
  const branch = code.slice(5);
  const listed = knownBranches[code.slice(0, 4)] ?? [];
  return listed.includes(/^\d+$/.test(branch) ? Number(branch) : branch);
}

/** The bank of a code and the code's own name of the branch; undefined where there is no such branch. */
export function bankOfIfsc(code: string): { bank: string; branch: string } | undefined {
  if (!isIfsc(code)) return undefined;
  const letters = code.slice(0, 4);
  return { bank: bankNames[letters] ?? letters, branch: code.slice(5) };
}

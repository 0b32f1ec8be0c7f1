import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** The last file of the baseline, which only ever runs on an empty database. */
const lastFree = '0011_status.sql';

interface Rule {
  what: RegExp;
  /** The line that says why it may be so all the same: `-- <reason>: …`. */
  reason: 'contract' | 'locks' | 'alone';
  told: string;
}

/** What breaks the version that still runs while a migration does, or makes it wait. */
const rules: readonly Rule[] = [
  {
    what: /\bdrop\s+(column|table|function|type|view|schema|procedure)\b/i,
    reason: 'contract',
    told: 'takes away what the running version may use',
  },
  {
    what: /\brename\b/i,
    reason: 'contract',
    told: 'renames what the running version knows by its old name',
  },
  {
    what: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i,
    reason: 'contract',
    told: 'changes a type: the table is written anew, under a lock',
  },
  {
    what: /\bset\s+not\s+null\b|\badd\s+column\s+[^;,]*\bnot\s+null\b(?![^;,]*\bdefault\b)/i,
    reason: 'contract',
    told: 'wants a value that the running version does not write',
  },
  {
    what: /\badd\s+(constraint\s+\S+\s+)?(check|unique|foreign|primary|exclude)\b(?![^;]*\bnot\s+valid\b)/i,
    reason: 'locks',
    told: 'checks all rows under a lock: add it “not valid”, validate it in the next migration',
  },
];

/** A migration runs while the version before it does: it adds; what is not used any more goes a version later. */
export const migrations: Check = {
  name: 'migrations',
  run: async () => ({
    problems: listFiles()
      .filter((path) => /^server\/migrations\/.*\.sql$/.test(path))
      .filter((path) => path.slice('server/migrations/'.length) > lastFree)
      .flatMap((path) => faultsOf(readSource(path)).map((fault) => `${path}: ${fault}`)),
  }),
};

/** What in a migration the running version would not survive, and what says no reason for it. */
export function faultsOf(text: string): string[] {
  const reasons = new Set([...text.matchAll(/^-- (contract|locks|alone): \S/gm)].map(([, name]) => name));
  // Bodies of functions run when they are called, and not now.
  const statements = text.replaceAll(/--.*$/gm, '').replaceAll(/(\$\w*\$)[\s\S]*?\1/g, '');
  const faults = rules
    .filter(({ what, reason }) => what.test(statements) && !reasons.has(reason))
    .map(({ told, reason }) => `${told}. If it must be: -- ${reason}: why that does no harm`);
  return [...faults, ...indexFaults(statements, reasons)];
}

/** An index holds up whoever writes, unless it is made concurrently or its table is new. */
function indexFaults(statements: string, reasons: ReadonlySet<string | undefined>): string[] {
  const made = new Set(
    [...statements.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  );
  const indexes = [
    ...statements.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(concurrently\b)?[^;]*?\bon\s+(\w+)/gi),
  ];
  const isAlone = reasons.has('alone');
  const isConcurrent = indexes.some(([, concurrently]) => concurrently !== undefined);
  return [
    ...(indexes.some(([, concurrently, table]) => !concurrently && !made.has(table ?? '')) &&
    !reasons.has('locks')
      ? [
          'makes an index while nobody can write: “create index concurrently” in a migration of its own, whose first line ' +
            'reads -- alone: why. If it must be: -- locks: why that does no harm',
        ]
      : []),
    ...(isConcurrent && !isAlone
      ? ['an index made concurrently is a migration of its own: its first line reads -- alone: why']
      : []),
    ...(isAlone && statements.split(';').filter((part) => part.trim() !== '').length !== 1
      ? ['is marked as alone and has more than one statement']
      : []),
  ];
}

import { createHash } from 'node:crypto';
import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** The last file of the baseline, which runs only on an empty database and is exempt from the rules. */
const lastBaselineFile = '0011_status.sql';

interface Rule {
  pattern: RegExp;
  /** A comment `-- <reason>: …` in the migration justifies an exception. */
  reason: 'contract' | 'locks' | 'alone';
  message: string;
}

/** Statements that would break or block the version that still runs during the migration. */
const rules: readonly Rule[] = [
  {
    pattern: /\bdrop\s+(column|table|function|type|view|schema|procedure)\b/i,
    reason: 'contract',
    message: 'removes something that the running version may use',
  },
  {
    pattern: /\brename\b/i,
    reason: 'contract',
    message: 'renames something that the running version knows by its old name',
  },
  {
    pattern: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i,
    reason: 'contract',
    message: 'changes a type, which rewrites the table under a lock',
  },
  {
    pattern: /\bset\s+not\s+null\b|\badd\s+column\s+[^;,]*\bnot\s+null\b(?![^;,]*\bdefault\b)/i,
    reason: 'contract',
    message: 'requires a value that the running version does not write',
  },
  {
    pattern:
      /\badd\s+(constraint\s+\S+\s+)?(check|unique|foreign|primary|exclude)\b(?![^;]*\bnot\s+valid\b)/i,
    reason: 'locks',
    message: 'checks all rows under a lock: add it “not valid”, validate it in the next migration',
  },
];

const folder = 'server/migrations/';
/** Lists the migrations of releases, as `sha256sum` writes them. A release adds its own. */
const releasedList = `${folder}released.sha256`;

/**
 * Checks that released migrations stay as they were, because databases have run them, and that new ones only add, since the
 * previous version still runs; removals come a version later.
 */
export const migrations: Check = {
  name: 'migrations',
  run: async () => {
    const files = new Map(
      listFiles()
        .filter((path) => /^server\/migrations\/[^/]+\.sql$/.test(path))
        .map((path) => [path.slice(folder.length), readSource(path)]),
    );
    const added = [...files].filter(([name]) => name > lastBaselineFile);
    return {
      problems: [
        ...releasedProblems(readSource(releasedList), files),
        ...added.flatMap(([name, text]) =>
          migrationProblems(text).map((fault) => `${folder}${name}: ${fault}`),
        ),
      ],
    };
  },
};

/** Lists the released migrations that are missing or differ. */
export function releasedProblems(released: string, files: ReadonlyMap<string, string>): string[] {
  const lines = released.split('\n').filter(Boolean);
  if (lines.length === 0) return [`${releasedList}: lists no migration`];
  return lines.flatMap((line) => {
    const [hash, name = ''] = line.split(/\s+/);
    const text = files.get(name);
    if (text === undefined) return [`${folder}${name}: was released and is gone`];
    return createHash('sha256').update(text).digest('hex') === hash
      ? []
      : [`${folder}${name}: was released, so databases have run it as it was; add a migration instead`];
  });
}

/** Lists the parts of a migration that would break or block the running version, unless a comment justifies them. */
export function migrationProblems(text: string): string[] {
  const reasons = new Set([...text.matchAll(/^-- (contract|locks|alone): \S/gm)].map(([, name]) => name));
  // Function bodies do not run during the migration.
  const statements = text.replaceAll(/--.*$/gm, '').replaceAll(/(\$\w*\$)[\s\S]*?\1/g, '');
  const problems = rules
    .filter(({ pattern, reason }) => pattern.test(statements) && !reasons.has(reason))
    .map(({ message, reason }) => `${message}. If it is necessary, add -- ${reason}: why it is safe`);
  return [...problems, ...indexProblems(statements, reasons)];
}

/** Building an index blocks writes, unless it is built concurrently or its table is new. */
function indexProblems(statements: string, reasons: ReadonlySet<string | undefined>): string[] {
  const newTables = new Set(
    [...statements.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  );
  const indexes = [
    ...statements.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(concurrently\b)?[^;]*?\bon\s+(\w+)/gi),
  ];
  const isAlone = reasons.has('alone');
  const isConcurrent = indexes.some(([, concurrently]) => concurrently !== undefined);
  return [
    ...(indexes.some(([, concurrently, table]) => !concurrently && !newTables.has(table ?? '')) &&
    !reasons.has('locks')
      ? [
          'builds an index and blocks writes: use “create index concurrently” in a migration of its own ' +
            'whose first line is -- alone: why. If it is necessary, add -- locks: why it is safe',
        ]
      : []),
    ...(isConcurrent && !isAlone
      ? ['a concurrent index needs a migration of its own whose first line is -- alone: why']
      : []),
    ...(isAlone && statements.split(';').filter((part) => part.trim() !== '').length !== 1
      ? ['is marked as alone but has more than one statement']
      : []),
  ];
}

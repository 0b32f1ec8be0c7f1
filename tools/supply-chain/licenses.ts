import type { Production } from './production.ts';

export const licensesPath = 'docs/licenses.md';

/** Formats the page that lists the license of every production package. */
export function licensesText({ packages }: Production): string {
  const counts = new Map<string, number>();
  for (const { license } of packages) counts.set(license, (counts.get(license) ?? 0) + 1);
  return `${[
    '# Licenses',
    '',
    'Third-party packages that run in production or are built into the console, for every platform. Written by `npm run sbom`',
    'from the lock file; `npm run check` fails when they differ. Allowed licenses: `tools/checks/dependencies.ts`.',
    '',
    '| license | packages |',
    '| --- | --- |',
    ...[...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map((row) => `| ${row.join(' | ')} |`),
    '',
    '| package | version | license |',
    '| --- | --- | --- |',
    ...packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
  ].join('\n')}\n`;
}

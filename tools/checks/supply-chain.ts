import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { registryCheckName } from '../skips.ts';
import { root } from '../sources.ts';
import { acceptedAdvisories } from '../supply-chain/accepted-advisories.ts';
import { judgeAdvisories, judgeSignatures, type NpmResult, type Verdict } from '../supply-chain/npm-audit.ts';
import type { Check, CheckResult } from './check.ts';

const timeoutMs = 120_000;
const npmOptions = [
  '--json',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=2000',
  '--fetch-timeout=30000',
];

/**
 * Queries the package registry: whether it signed every installed package, and whether a production
 * dependency has a known vulnerability. Not every registry supports this, so this check alone may be skipped;
 * see ../skips.ts.
 */
export const supplyChain: Check = {
  name: registryCheckName,
  run: async () => {
    const signatures = ['audit', 'signatures', '--include=dev', '--include=optional', ...npmOptions];
    const advisories = ['audit', '--omit=dev', '--include=optional', '--audit-level=info', ...npmOptions];
    return combineVerdicts([
      ['signatures', await queryNpm(signatures, '', judgeSignatures)],
      ['signature of Node', await queryNpm(signatures, 'tools/runtime', judgeSignatures)],
      ['advisories', await queryNpm(advisories, '', (result) => judgeAdvisories(result, acceptedAdvisories))],
    ]);
  },
};

/** Fails if any query failed; otherwise is skipped, with all reasons, if any was not answered. */
export function combineVerdicts(verdicts: readonly (readonly [string, Verdict])[]): CheckResult {
  const problems = verdicts.flatMap(([query, verdict]) =>
    verdict.kind === 'failed' ? verdict.problems.map((problem) => `${query}: ${problem}`) : [],
  );
  const unanswered = verdicts.flatMap(([query, verdict]) =>
    verdict.kind === 'unanswered' ? [`${query}: ${verdict.reason}`] : [],
  );
  const notes = verdicts.flatMap(([query, verdict]) =>
    verdict.kind === 'verified' && verdict.note ? [`${query}: ${verdict.note}`] : [],
  );
  return {
    problems,
    skipped: unanswered.length > 0 ? `network: ${unanswered.join('; ')}` : undefined,
    note: notes.length > 0 ? notes.join('; ') : undefined,
  };
}

async function queryNpm(
  args: readonly string[],
  directory: string,
  judge: (result: NpmResult) => Verdict,
): Promise<Verdict> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn('npm', args, {
    cwd: join(root, directory),
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
  });
  const [stdout, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (exitCode === null)
    return { kind: 'unanswered', reason: `no answer within ${timeoutMs / 1000} seconds` };
  return judge({ exitCode: Number(exitCode), stdout });
}

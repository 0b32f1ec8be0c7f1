import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { registryCheckName } from '../skips.ts';
import { root } from '../sources.ts';
import { acceptedAdvisories } from '../supply-chain/accepted-advisories.ts';
import { judgeAdvisories, judgeSignatures, type NpmAnswer, type Verdict } from '../supply-chain/npm-audit.ts';
import type { Check, CheckResult } from './check.ts';

const patienceMs = 120_000;
const npmOptions = [
  '--json',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=2000',
  '--fetch-timeout=30000',
];

/**
 * Asks the package registry whether every installed package carries its signature, and whether a production dependency has
 * a known vulnerability. Not every registry answers, so this is the one check that may be skipped; see ../skips.ts.
 */
export const supplyChain: Check = {
  name: registryCheckName,
  run: async () => {
    const signatures = ['audit', 'signatures', '--include=dev', '--include=optional', ...npmOptions];
    const advisories = ['audit', '--omit=dev', '--include=optional', '--audit-level=info', ...npmOptions];
    return combineVerdicts([
      ['signatures', await askNpm(signatures, '', judgeSignatures)],
      ['signature of Node', await askNpm(signatures, 'tools/runtime', judgeSignatures)],
      ['advisories', await askNpm(advisories, '', (answer) => judgeAdvisories(answer, acceptedAdvisories))],
    ]);
  },
};

/** Fails if any question failed; otherwise is skipped if any was not answered, with all that was not. */
export function combineVerdicts(verdicts: readonly (readonly [string, Verdict])[]): CheckResult {
  const problems = verdicts.flatMap(([question, verdict]) =>
    verdict.kind === 'failed' ? verdict.problems.map((problem) => `${question}: ${problem}`) : [],
  );
  const unanswered = verdicts.flatMap(([question, verdict]) =>
    verdict.kind === 'unanswered' ? [`${question}: ${verdict.reason}`] : [],
  );
  const notes = verdicts.flatMap(([question, verdict]) =>
    verdict.kind === 'verified' && verdict.note ? [`${question}: ${verdict.note}`] : [],
  );
  return {
    problems,
    skipped: unanswered.length > 0 ? `network: ${unanswered.join('; ')}` : undefined,
    note: notes.length > 0 ? notes.join('; ') : undefined,
  };
}

async function askNpm(
  args: readonly string[],
  directory: string,
  judge: (answer: NpmAnswer) => Verdict,
): Promise<Verdict> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn('npm', args, {
    cwd: join(root, directory),
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
  });
  const [stdout, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (exitCode === null)
    return { kind: 'unanswered', reason: `no answer within ${patienceMs / 1000} seconds` };
  return judge({ exitCode: Number(exitCode), stdout });
}

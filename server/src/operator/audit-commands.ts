import type { Command } from 'commander';
import type { Verification } from '../features/audit-seal/seal-verifier.ts';
import type { Run } from './operator.ts';
import { reasonOption } from './parse.ts';
import type { Answer } from './print.ts';

/** Adds the commands for the sealed audit trail. */
export function auditCommands(program: Command, run: Run): void {
  const audit = program.command('audit').description('the audit trail, and the seals that prove it');
  audit
    .command('seal')
    .description('seal the rows written so far; the product does so every few seconds')
    .action(() =>
      run(async ({ services }) => {
        const { roots, isComplete } = await services.auditSeal.seal();
        if (!isComplete) process.exitCode = 1;
        const done = isComplete
          ? `Every row written before is sealed; roots made: ${roots}.`
          : `Not every row is sealed, because a transaction that writes one has not ended, or there are too many; roots made: ${roots}. Run it again.`;
        return { done, facts: { roots, isComplete } };
      }),
    );
  audit
    .command('verify')
    .description(
      'compare every row, in the database and in archived months, with its seal and the roots outside; exit code 1 if one was ' +
        'altered, added or removed, or if sealing has stopped',
    )
    .action(() =>
      run(async ({ services, merchants }) => {
        const found = await services.auditSeal.verify();
        if (found.faults.length > 0) process.exitCode = 1;
        const codes = new Map((await merchants.list()).map(({ id, code }) => [id, code]));
        return answerOf(found, codes);
      }),
    );
  audit
    .command('accept')
    .description(
      'after a restore to an earlier moment, or a failover: accept that later roots are gone, so that sealing continues',
    )
    .requiredOption(
      '--reason <text>',
      'why they are gone; kept outside the database with the roots',
      reasonOption,
    )
    .action(({ reason }) =>
      run(async ({ services, actor }) => {
        const loss = await services.auditSeal.accept(actor, reason);
        if (!loss) throw new Error('Nothing is missing: the database has every root that is known outside.');
        return { done: sentenceOf(loss), facts: { ...loss } };
      }),
    );
}

/** Says which roots an operator has given up, and why. */
export function sentenceOf({ kept, lost, by, at, reason }: Verification['losses'][number]): string {
  const first = BigInt(kept) + 1n;
  const range = first < BigInt(lost) ? `roots ${first} to ${lost} are gone` : `root ${lost} is gone`;
  const what = first > BigInt(lost) ? `root ${lost} outside is not that of the database` : range;
  return `Accepted loss: ${what}: ${reason} (${by}, ${at})`;
}

/** Returns all findings, whether or not they include faults. `codes` are those of the merchants. */
function answerOf(found: Verification, codes: ReadonlyMap<bigint, string>): Answer {
  const { losses, unsealed, ...counts } = found;
  const faults = found.faults.map(({ merchantId, fault }) => ({
    merchant: merchantId ? (codes.get(merchantId) ?? String(merchantId)) : '–',
    fault,
  }));
  const unsealedSeconds = Math.round(unsealed.seconds);
  const outcome =
    faults.length === 0
      ? 'The audit trail is what was sealed.'
      : `The audit trail is not what was sealed, faults: ${faults.length}.`;
  return {
    done: [
      outcome,
      ...faults.map(({ merchant, fault }) => `${merchant}: ${fault}`),
      `Roots read: ${counts.roots}, sealed rows: ${counts.rows}, rows from before the first root: ${counts.earlierRows}.`,
      `Rows not sealed yet: ${unsealed.rows}${unsealed.rows > 0 ? `, the oldest for ${unsealedSeconds} s` : ''}.`,
      ...losses.map(sentenceOf),
    ],
    facts: { ...counts, faults, unsealedRows: unsealed.rows, unsealedSeconds, losses },
  };
}

import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { reasonOption } from './parse.ts';

/** Adds the commands for the sealed audit trail. */
export function auditCommands(program: Command, run: Run): void {
  const audit = program.command('audit').description('the audit trail, and the seals that prove it');
  audit
    .command('seal')
    .description('seal the rows written so far; the product does so every few seconds')
    .action(() =>
      run(async ({ services }) => {
        const roots = await services.auditSeal.seal();
        return {
          done: roots === 0 ? 'Every row was sealed already.' : 'Every row is sealed.',
          facts: { roots },
        };
      }),
    );
  audit
    .command('verify')
    .description(
      'compare every row, in the database and in archived months, with its seal and the roots outside; exit code 1 if one was ' +
        'altered, added or removed',
    )
    .action(() =>
      run(async ({ services, merchants }) => {
        const { faults, losses, unsealed, ...counts } = await services.auditSeal.verify();
        const waiting = { unsealedRows: unsealed.rows, unsealedSeconds: Math.round(unsealed.seconds) };
        if (faults.length === 0)
          return {
            done: `The audit trail is what was sealed: rows ${counts.rows}, roots ${counts.roots}, rows not sealed yet ${unsealed.rows}.`,
            facts: { ...counts, ...waiting, losses, faults },
          };
        process.exitCode = 1;
        const codes = new Map((await merchants.list()).map(({ id, code }) => [id, code]));
        return {
          rows: faults.map(({ merchantId, fault }) => ({
            merchant:
              merchantId === undefined || merchantId === 0n
                ? '–'
                : (codes.get(merchantId) ?? String(merchantId)),
            fault,
          })),
        };
      }),
    );
  audit
    .command('accept')
    .description('after a restore to an earlier moment: accept that later roots are gone, and go on sealing')
    .requiredOption(
      '--reason <text>',
      'why they are gone; kept outside the database with the roots',
      reasonOption,
    )
    .action(({ reason }) =>
      run(async ({ services, actor }) => {
        const loss = await services.auditSeal.accept(actor, reason);
        if (!loss) throw new Error('Nothing is missing: the database has every root that is known outside.');
        return {
          done: `Accepted: roots ${BigInt(loss.kept) + 1n} to ${loss.lost} are gone.`,
          facts: { ...loss },
        };
      }),
    );
}

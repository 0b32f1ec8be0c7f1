import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatAmount } from '@hengfu/contract/money';
import { evidenceLimits } from '@hengfu/contract/staff/evidence';
import { payoutOutcomeBody, payoutOutcomes } from '@hengfu/contract/staff/orders';
import { type Command, InvalidArgumentError } from 'commander';
import { isPhrase, translate } from '#domain/language.ts';
import { validate } from '#domain/validate.ts';
import { listLateJobs } from '#jobs/job-list.ts';
import type { Timeline } from '../features/watch/watch.service.ts';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { noteOption, oneOf, reasonOption } from './parse.ts';

const shownJobs = 200;
/** A job counts as late once it has been due for this long. */
const lateSeconds = 5;

/** Adds the commands for unfinished payouts and the job queue. */
export function payoutCommands(program: Command, run: Run): void {
  const payout = program.command('payout').description('payouts that have no final status yet');
  payout
    .command('list')
    .description('list unfinished payouts of all merchants, oldest first')
    .option('--older <minutes>', 'only payouts older than this', minutesOption, 10)
    .action(({ older }) =>
      run(async ({ services }) => ({
        rows: (await services.watch.unfinishedPayouts(older)).map((order) => ({
          trade_no: order.tradeNo,
          merchant: order.merchant,
          channel: order.channel,
          status: order.status,
          amount: `${formatAmount(order.amountMinor, order.currency)} ${order.currency}`,
          created_at: order.createdAt.toISOString(),
          sent_at: order.sentAt?.toISOString() ?? '–',
        })),
      })),
    );
  payout
    .command('show <trade_no>')
    .description('show the timeline of a payout')
    .action((tradeNo) =>
      run(async ({ services }) => ({
        rows: (await services.watch.timeline(tradeNo)).map(timelineRow),
      })),
    );
  payout
    .command('take-up <trade_no>')
    .description(
      'process a payout now: send it if it was never sent, otherwise ask the channel for its status',
    )
    .action((tradeNo) =>
      run(async ({ services, actor }) => {
        const step = await services.payoutTakeUp.takeUp(tradeNo, actor);
        return {
          done:
            step === 'send'
              ? `${tradeNo} will be sent immediately.`
              : `The channel will be asked for the status of ${tradeNo} immediately.`,
          facts: { done: step === 'send' ? 'sent' : 'asked' },
        };
      }),
    );
  addReject(payout, run);
  addOutcome(payout, run);

  program
    .command('job')
    .description('the job queue')
    .command('list')
    .description('list jobs that are overdue, or failed and waiting for their next attempt')
    .action(() =>
      run(async ({ ownerUrl, services: { database } }) => ({
        rows: (await listLateJobs(ownerUrl, database, lateSeconds, shownJobs)).map((job) => ({
          task: job.task,
          key: job.key ?? '–',
          attempts: job.attempts,
          run_at: job.runAt.toISOString(),
          at_work_since: job.lockedAt?.toISOString() ?? '–',
          last_error: job.lastError ?? '–',
        })),
      })),
    );
}

/** Formats a row of the timeline: codes, their meaning, and separately the bank's and operator's texts. */
export function timelineRow({ at, status, reason, refusal, detail }: Timeline[number]) {
  const meaning = refusal ? `payouts.refusal.${refusal}` : `payouts.reason.${reason}`;
  const isStaff = reason === 'staff_rejected';
  return {
    at: at.toISOString(),
    status,
    reason: reason ?? '–',
    refusal: refusal ?? '–',
    meaning: isPhrase(meaning) ? translate('en', meaning) : '–',
    bank_said: (!isStaff && detail) || '–',
    operator_said: (isStaff && detail) || '–',
  };
}

function addReject(payout: Command, run: Run): void {
  payout
    .command('reject [trade_no]')
    .description('reject a payout that was never sent, or all unsent payouts and waiting rows of a batch')
    .option('--batch <batch_no>', 'batch of a suspended merchant: reject its waiting rows and unsent payouts')
    .requiredOption('--reason <text>', 'reason; shown to the merchant', reasonOption)
    .addHelpText(
      'after',
      `
Amount and fee are returned to the merchant’s available funds. The command fails for a payout that may have reached its
channel: the product keeps asking the channel until the outcome is final. Suspend the merchant first, otherwise a worker may
send the payout before you reject it.

Examples:
  payout reject P26… --reason "not made by the merchant"
  payout reject --batch B26… --reason "not made by the merchant"`,
    )
    .action((tradeNo: string | undefined, { batch, reason }) =>
      run(async ({ services, actor }) => {
        if ((tradeNo === undefined) === (batch === undefined))
          throw new Error('Specify either a payout or --batch.');
        const dropped = batch && (await services.payoutBatches.dropWaiting(batch, actor, reason));
        const { rows, unsent } = dropped ?? { rows: 0, unsent: [tradeNo ?? ''] };
        for (const payoutNo of unsent) await services.payouts.rejectUnsent(payoutNo, actor, reason);
        return {
          done: `Rejected: ${unsent.length} unsent payouts, ${rows} waiting rows.`,
          facts: { rejected: unsent, rows },
        };
      }),
    );
}

function addOutcome(payout: Command, run: Run): void {
  payout
    .command('outcome <trade_no>')
    .description(
      'decide the unknown outcome of a payout by the bank’s statement, once somebody in the back office agrees',
    )
    .requiredOption('--outcome <outcome>', payoutOutcomes.join(', '), oneOf(payoutOutcomes))
    .requiredOption('--bank-reference <text>', 'reference of the line in the statement')
    .requiredOption('--reason <text>', 'reason, for the second person', noteOption)
    .requiredOption(
      '--evidence <file...>',
      'one to three files that show the line: PNG, JPEG or PDF, at most 5 MB each',
    )
    .addOption(breakGlassOption())
    .action((tradeNo: string, { outcome, bankReference, reason, evidence: paths, breakGlass }) =>
      run(async ({ withStaff, services: product, actor }) => {
        const request = await withStaff(async ({ services }) => {
          const files = await Promise.all((paths as string[]).map(readEvidence));
          const ids: string[] = [];
          for (const file of files)
            ids.push(String((await services.payoutEvidence.upload(tradeNo, file, actor)).id));
          const asked = validate(payoutOutcomeBody, { outcome, bankReference, reason, evidence: ids });
          return services.payoutOutcomes.ask(tradeNo, asked, actor, { breakGlass });
        });
        if (request !== undefined) return doneOrAsked(request, '');
        const status = await product.payoutOutcomeJob.applyAlone(tradeNo, { outcome, bankReference });
        const isAsDecided = status === (outcome === 'paid' ? 'processed' : 'rejected');
        const word = status === 'processed' ? 'paid' : status;
        return {
          done: isAsDecided
            ? `${tradeNo} is ${word}, as the statement shows.`
            : `${tradeNo} was reported as ${word} by its channel meanwhile, and stays so. The contradiction waits in the back office.`,
          facts: { trade_no: tradeNo, outcome, status },
        };
      }),
    );
}

/** Reads a file for a request. The limit is checked before it is read. */
async function readEvidence(path: string): Promise<{ name: string; bytes: Buffer }> {
  if ((await stat(path)).size > evidenceLimits.bytes) throw new Error(`${path} is larger than 5 MB.`);
  return { name: basename(path).slice(-evidenceLimits.nameLength), bytes: await readFile(path) };
}

function minutesOption(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('a number of minutes');
  return Number(text);
}

import { formatAmount } from '@hengfu/contract/money';
import { type Command, InvalidArgumentError } from 'commander';
import { listLateJobs } from '#jobs/job-list.ts';
import type { Run } from './operator.ts';

const shownJobs = 200;
/** A job may be due for some seconds before anybody calls it late. */
const lateSeconds = 5;

/** Payouts that do not get on, and the jobs that should see to them. */
export function payoutCommands(program: Command, run: Run): void {
  const payout = program.command('payout').description('payouts that have not come to their end');
  payout
    .command('list')
    .description('those of all merchants, the oldest first')
    .option('--older <minutes>', 'only those that are older', minutesOption, 10)
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
    .description('everything that happened to one')
    .action((tradeNo) =>
      run(async ({ services }) => ({
        rows: (await services.watch.timeline(tradeNo)).map(({ at, status, reason, detail }) => ({
          at: at.toISOString(),
          status,
          reason: reason ?? '–',
          detail: detail ?? '–',
        })),
      })),
    );
  payout
    .command('take-up <trade_no>')
    .description('do now what a job would do: send one that was never sent, ask the channel about any other')
    .action((tradeNo) =>
      run(async ({ services, actor }) => {
        const done = await services.payoutDispatch.takeUp(tradeNo, actor);
        return {
          done: `${tradeNo} will be ${done === 'sent' ? 'sent' : 'asked for'} at once.`,
          facts: { done },
        };
      }),
    );

  program
    .command('job')
    .description('the queue')
    .command('list')
    .description('jobs that are late, or failed and wait for their next try')
    .action(() =>
      run(async ({ ownerUrl }) => ({
        rows: (await listLateJobs(ownerUrl, lateSeconds, shownJobs)).map((job) => ({
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

function minutesOption(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('a number of minutes');
  return Number(text);
}

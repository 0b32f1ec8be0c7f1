import { formatAmount } from '@hengfu/contract/money';
import { parseRate } from '@hengfu/contract/rates';
import { type Command, InvalidArgumentError } from 'commander';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { amountIn, currencyOption, noteOption, oneOf } from './parse.ts';

/** Adds the commands for exchange rates and the review of withdrawals. */
export function withdrawalCommands(program: Command, run: Run): void {
  addRate(program, run);
  const withdrawal = program.command('withdrawal').description('review of withdrawals');
  addTerms(withdrawal, run);
  addReview(withdrawal, run);
}

function addRate(program: Command, run: Run): void {
  program
    .command('rate')
    .description(
      'set the exchange rate of one USDT in a local currency, from now on, once somebody in the back office agrees',
    )
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption('--currency <code>', 'local currency', currencyOption)
    .requiredOption('--usdt <rate>', 'units of the local currency per USDT, such as 7.15', rateText)
    .addOption(breakGlassOption())
    .action((_action, options) =>
      run(async ({ withStaff, actor }) => {
        const { currency, usdt: rate, breakGlass } = options;
        const request = await withStaff(({ services: { rateRequests } }) =>
          rateRequests.ask({ currency, rate }, actor, '', { breakGlass }),
        );
        return doneOrAsked(request, `One USDT is ${rate} ${currency} from now on.`);
      }),
    );
}

function addTerms(withdrawal: Command, run: Run): void {
  withdrawal
    .command('terms')
    .description(
      'set the withdrawal terms of a merchant, from now on; without terms a merchant cannot withdraw',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--fee <usdt>', 'fee per withdrawal, in USDT')
    .option(
      '--free <count>',
      'free withdrawals per day, in the merchant’s time zone; as before if absent, at first 0',
      countOption,
    )
    .option('--minimum <usdt>', 'minimum amount, in USDT; as before if absent, at first 10')
    .option('--reason <text>', 'reason, for the second person who has to agree', noteOption)
    .addOption(breakGlassOption())
    .action((options) =>
      run(async ({ withStaff, actor }) => {
        const terms = {
          feeUsdtMinor: amountIn(options.fee, 'USDT'),
          freePerDay: options.free,
          minimumUsdtMinor: options.minimum === undefined ? undefined : amountIn(options.minimum, 'USDT'),
        };
        const { merchant, reason = '', breakGlass } = options;
        const request = await withStaff(({ services: { withdrawalTermsRequests } }) =>
          withdrawalTermsRequests.ask(merchant, actor, terms, { reason, breakGlass }),
        );
        return doneOrAsked(request, `The withdrawal terms of ${options.merchant} apply from now on.`);
      }),
    );
}

function addReview(withdrawal: Command, run: Run): void {
  withdrawal
    .command('list')
    .description('list withdrawals awaiting review, oldest first')
    .action(() =>
      run(async ({ services }) => ({
        rows: (await services.withdrawalTerms.waiting()).map((order) => ({
          trade_no: order.tradeNo,
          merchant: order.merchant,
          status: order.status,
          usdt: formatAmount(order.usdtMinor, 'USDT'),
          network: order.network,
          address: order.address,
          createdAt: order.createdAt.toISOString(),
        })),
      })),
    );
  withdrawal
    .command('approve <trade_no>')
    .description('approve a withdrawal to be sent')
    .action((tradeNo) =>
      run(async ({ services, actor }) => {
        await services.withdrawalReview.approve(tradeNo, actor);
        return {
          done: `${tradeNo} is approved. Send it, then run: withdrawal pay ${tradeNo} --transaction <hash>`,
        };
      }),
    );
  withdrawal
    .command('pay <trade_no>')
    .description('mark a withdrawal as sent')
    .requiredOption('--transaction <hash>', 'transaction hash')
    .addOption(breakGlassOption())
    .action((tradeNo, { transaction, breakGlass }) =>
      run(async ({ withStaff, actor }) => {
        const request = await withStaff(({ services }) =>
          services.withdrawalPayments.pay(tradeNo, actor, transaction, { breakGlass }),
        );
        return doneOrAsked(request, `${tradeNo} is marked as paid.`);
      }),
    );
  withdrawal
    .command('reject <trade_no>')
    .description('reject a withdrawal: amount and fee are returned to the merchant')
    .requiredOption('--reason <text>', 'reason; shown to the merchant')
    .action((tradeNo, options) =>
      run(async ({ services, actor }) => {
        await services.withdrawalReview.reject(tradeNo, actor, options.reason);
        return { done: `${tradeNo} is rejected; amount and fee were returned.` };
      }),
    );
}

function rateText(text: string): string {
  if (parseRate(text) === undefined) throw new InvalidArgumentError('a rate, such as 7.15');
  return text;
}

function countOption(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
}

import { writeFile } from 'node:fs/promises';
import { formatAmount } from '@hengfu/contract/money';
import { networkCodes, networks } from '@hengfu/contract/wallets';
import type { Command } from 'commander';
import type { TopupToReview } from '../features/topups/topups.review.ts';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { amountIn, oneOf } from './parse.ts';

const networkOption = oneOf(networkCodes);

/** Adds the commands for the service's wallets and the review of top-ups. */
export function topupCommands(program: Command, run: Run): void {
  addWallets(program, run);
  const topup = program.command('topup').description('review of top-ups');
  addReading(topup, run);
  addReview(topup, run);
}

function addWallets(program: Command, run: Run): void {
  const wallet = program.command('wallet').description('wallets that merchants send USDT to');
  wallet
    .command('set')
    .description('set the wallet of a network, from now on, once somebody in the back office agrees')
    .requiredOption('--network <code>', networkCodes.join(', '), networkOption)
    .requiredOption('--address <address>', 'the wallet’s address')
    .option('--minimum <usdt>', 'minimum top-up, in USDT; as before if absent, at first 10')
    .addOption(breakGlassOption())
    .action(({ network, address, minimum, breakGlass }) =>
      run(async ({ withStaff, actor }) => {
        const minimumUsdtMinor = minimum === undefined ? undefined : amountIn(minimum, 'USDT');
        const wallet = { network, address, minimumUsdtMinor, isOpen: true };
        const request = await withStaff(({ services: { walletRequests } }) =>
          walletRequests.ask(wallet, actor, '', { breakGlass }),
        );
        const { name } = networks[networkOption(network)];
        return doneOrAsked(request, `Top-ups on ${name} go to ${address} from now on.`);
      }),
    );
  wallet
    .command('close <network>')
    .description('stop accepting top-ups on a network, for now, once somebody in the back office agrees')
    .addOption(breakGlassOption())
    .action((code, { breakGlass }) =>
      run(async ({ withStaff, actor }) => {
        const request = await withStaff(({ services: { walletRequests } }) =>
          walletRequests.askToClose(networkOption(code), actor, '', { breakGlass }),
        );
        return doneOrAsked(request, `${code} is closed for top-ups.`);
      }),
    );
  wallet
    .command('list')
    .description('list the wallet of each network')
    .action(() =>
      run(async ({ services }) => ({
        rows: (await services.depositWallets.list()).map((one) => ({
          network: one.network,
          address: one.address,
          open: one.isOpen,
          minimum: formatAmount(one.minimumUsdtMinor, 'USDT'),
          since: one.validFrom.toISOString(),
        })),
      })),
    );
}

function addReading(topup: Command, run: Run): void {
  topup
    .command('list')
    .description('list top-ups awaiting review, oldest first, 50 at a time')
    .option('--after <trade_no>', 'those behind this one')
    .action(({ after }) =>
      run(async ({ services }) => ({ rows: (await services.topupReview.waiting(after)).map(rowOf) })),
    );
  topup
    .command('show <trade_no>')
    .description('show a top-up and whether its screenshot or transaction was seen before')
    .option('--image <file>', 'write its screenshot to a file')
    .action((tradeNo, options) =>
      run(async ({ services }) => {
        const { topup: found, image } = await services.topupReview.show(tradeNo);
        if (options.image !== undefined) await writeFile(options.image, image.bytes);
        const picture = `${image.type}, ${image.bytes.length} bytes`;
        return { rows: [{ ...rowOf(found), address: found.address, image: options.image ?? picture }] };
      }),
    );
}

function addReview(topup: Command, run: Run): void {
  topup
    .command('approve <trade_no>')
    .description('approve a top-up that was received')
    .requiredOption('--arrived <usdt>', 'amount received, in USDT')
    .action((tradeNo, options) =>
      run(async ({ services, actor }) => {
        const moved = await services.topupReview.approve(tradeNo, actor, amountIn(options.arrived, 'USDT'));
        const worth = `${formatAmount(moved.amountMinor, moved.currency)} ${moved.currency}`;
        return { done: `${tradeNo} is approved: ${worth}. To credit it: topup credit ${tradeNo}` };
      }),
    );
  topup
    .command('credit <trade_no>')
    .description('credit an approved top-up to the merchant’s available funds')
    .addOption(breakGlassOption())
    .action((tradeNo, { breakGlass }) =>
      run(async ({ services, withStaff, actor }) => {
        const request = await withStaff(({ services: { topupCredits } }) =>
          topupCredits.credit(tradeNo, actor, { breakGlass }),
        );
        const { amountMinor, currency } = (await services.topupReview.show(tradeNo)).topup;
        const amount = `${formatAmount(amountMinor, currency)} ${currency}`;
        return doneOrAsked(request, `${tradeNo}: ${amount} credited.`);
      }),
    );
  topup
    .command('reject <trade_no>')
    .description('reject a top-up')
    .requiredOption('--reason <text>', 'reason; shown to the merchant')
    .action((tradeNo, options) =>
      run(async ({ services, actor }) => {
        await services.topupReview.reject(tradeNo, actor, options.reason);
        return { done: `${tradeNo} is rejected.` };
      }),
    );
}

/** Formats a top-up, with flags for its reviewer. */
function rowOf(topup: TopupToReview) {
  const { sameImage, sameTransaction, isCurrentWallet } = topup;
  const flags = [
    ...(sameImage.length > 0 ? [`same screenshot as ${sameImage.join(', ')}`] : []),
    ...(sameTransaction.length > 0 ? [`same transaction as ${sameTransaction.join(', ')}`] : []),
    ...(isCurrentWallet ? [] : ['earlier wallet']),
  ];
  return {
    trade_no: topup.tradeNo,
    merchant: topup.merchant,
    status: topup.status,
    usdt: formatAmount(topup.usdtMinor, 'USDT'),
    worth: `${formatAmount(topup.amountMinor, topup.currency)} ${topup.currency}`,
    network: topup.network,
    transaction: topup.transactionId,
    flags: flags.join('; '),
    createdAt: topup.createdAt.toISOString(),
  };
}

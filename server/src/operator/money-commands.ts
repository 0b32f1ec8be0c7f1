import type { Command } from 'commander';
import { violations } from '#ledger/ledger.ts';
import type { Proof } from '../features/ledger-proof/ledger-proof.service.ts';
import type { Run } from './operator.ts';
import { amountIn, oneOf, rateOption } from './parse.ts';

const shownProofs = 30;

/** Terms, channels, settlements and the ledger. */
export function moneyCommands(program: Command, run: Run): void {
  addTerms(program, run);
  addChannel(program, run);
  addLedger(program, run);
}

function addTerms(program: Command, run: Run): void {
  program
    .command('terms')
    .description('what a merchant pays, by channel; a merchant can use the channels it has terms for')
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--channel <code>', 'channel, such as CN_BANK')
    .option('--collection-rate <percent>', 'of each collection', rateOption, 6000)
    .option('--collection-fixed <amount>', 'of each collection, in the home currency', '0')
    .option('--payout-rate <percent>', 'of each payout', rateOption, 2000)
    .option('--payout-fixed <amount>', 'of each payout, in the home currency', '0')
    .action((_action, options) =>
      run(async ({ merchants }) => {
        const { id, currency } = await merchants.find(options.merchant);
        const { channel, collectionRate: collectionRatePpm, payoutRate: payoutRatePpm } = options;
        const collectionFixedMinor = amountIn(options.collectionFixed, currency);
        const payoutFixedMinor = amountIn(options.payoutFixed, currency);
        const terms = { channel, collectionRatePpm, collectionFixedMinor, payoutRatePpm, payoutFixedMinor };
        await merchants.setTerms(id, terms);
        return { done: `Terms of ${options.merchant} for ${channel} hold from now on.`, facts: terms };
      }),
    );
}

function addChannel(program: Command, run: Run): void {
  const channel = program.command('channel').description('payment channels of the service');
  channel
    .command('list')
    .description('all channels and whether they are open')
    .action(() => run(async ({ merchants }) => ({ rows: await merchants.listChannels() })));
  channel
    .command('install')
    .description('add the product’s channels where they are missing, spoken to by an adapter')
    .requiredOption('--adapter <name>', 'adapter, such as sandbox')
    .action((options) =>
      run(async ({ merchants }) => {
        await merchants.installChannels(options.adapter);
        return { done: 'The channels are there.', facts: { channels: await merchants.listChannels() } };
      }),
    );
  for (const [name, isOpen] of [
    ['open', true],
    ['close', false],
  ] as const) {
    channel
      .command(`${name} <code>`)
      .description(`${name} a channel for new orders; orders under way are finished either way`)
      .option('--only <kind>', 'collections or payouts', oneOf(['collections', 'payouts']))
      .action((code, options) =>
        run(async ({ merchants }) => {
          await merchants.setChannel(code, {
            ...(options.only !== 'payouts' && { collection: isOpen }),
            ...(options.only !== 'collections' && { payout: isOpen }),
          });
          return {
            done: `Channel ${code}: ${options.only ?? 'collections and payouts'} ${isOpen ? 'open' : 'closed'}.`,
          };
        }),
      );
  }
}

function addLedger(program: Command, run: Run): void {
  program
    .command('settlement')
    .description('settle a merchant now, besides its schedule: everything paid until now')
    .argument('<action>', 'run', oneOf(['run']))
    .requiredOption('--merchant <code>', 'merchant')
    .action((_action, options) =>
      run(async ({ merchants, services }) => {
        const { id } = await merchants.find(options.merchant);
        const settlementNo = await services.settlements.runNow(id, new Date());
        const done = settlementNo ? `Settled: ${settlementNo}.` : 'Nothing waits for settlement.';
        return { done, facts: { settlement_no: settlementNo ?? null } };
      }),
    );

  program
    .command('ledger')
    .description(
      'verify: every balance is the sum of its entries, every order agrees with the ledger; exit code 1 if not. ' +
        'proofs: what the daily job found',
    )
    .argument('<action>', 'verify or proofs', oneOf(['verify', 'proofs']))
    .action((action) =>
      run(async ({ services }) => {
        if (action === 'proofs') return { rows: (await services.proof.list(shownProofs)).map(toProofRow) };
        const found = await services.database.asSystem((tx) => violations(tx));
        if (found.length === 0) return { done: 'The ledger is sound.', facts: { violations: [] } };
        process.exitCode = 1;
        return { rows: found };
      }),
    );
}

function toProofRow({ begunAt, endedAt, violationCount, examples }: Proof) {
  const seconds = ((endedAt.getTime() - begunAt.getTime()) / 1000).toFixed(1);
  return { at: begunAt.toISOString(), seconds, violations: violationCount, first: JSON.stringify(examples) };
}

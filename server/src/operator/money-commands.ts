import { writeFile } from 'node:fs/promises';
import { type ChannelCode, channelCatalogue, channelCodes } from '@hengfu/contract/channels';
import { refundFees, refundFunds } from '@hengfu/contract/fees';
import { formatAmount } from '@hengfu/contract/money';
import { type Command, Option } from 'commander';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { violations } from '#ledger/ledger.ts';
import type { Proof } from '../features/ledger-proof/ledger-proof.service.ts';
import { firstFees } from '../features/merchants/terms/channel-terms.ts';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { amountIn, momentOption, noteOption, oneOf, rateOption, rateText } from './parse.ts';

const shownProofs = 30;

/** Adds the commands for terms, channels, settlements and the ledger. */
export function moneyCommands(program: Command, run: Run): void {
  addTerms(program, run);
  addChannel(program, run);
  addLedger(program, run);
}

function addTerms(program: Command, run: Run): void {
  program
    .command('terms')
    .description('fees of a merchant by channel; a merchant can use only the channels it has terms for')
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--channel <code>', 'channel, such as CN_BANK', oneOf(channelCodes))
    .option(
      '--collection-rate <percent>',
      `fee rate per collection; as before if absent, at first ${rateText(firstFees.collectionRatePpm)}`,
      rateOption,
    )
    .option(
      '--collection-fixed <amount>',
      'fixed fee per collection, in the local currency; as before if absent, at first 0',
    )
    .option(
      '--payout-rate <percent>',
      `fee rate per payout; as before if absent, at first ${rateText(firstFees.payoutRatePpm)}`,
      rateOption,
    )
    .option(
      '--payout-fixed <amount>',
      'fixed fee per payout, in the local currency; as before if absent, at first 0',
    )
    .option(
      '--refund-fee <what>',
      'fee of a payment that is given back: returned or kept; as before if absent',
      oneOf(refundFees),
    )
    .option(
      '--refund-funds <which>',
      'funds that pay refunds: unsettled or available; as before if absent',
      oneOf(refundFunds),
    )
    .option('--reason <text>', 'reason, for the second person who has to agree', noteOption)
    .addOption(breakGlassOption())
    .action((_action, options) =>
      run(async ({ merchants, withStaff, actor }) => {
        const { currency } = await merchants.find(options.merchant);
        const { channel, refundFee, refundFunds: funds } = options;
        const fixed = (text: string | undefined) =>
          text === undefined ? undefined : amountIn(text, currency);
        const named = {
          channel,
          collectionRatePpm: options.collectionRate,
          collectionFixedMinor: fixed(options.collectionFixed),
          payoutRatePpm: options.payoutRate,
          payoutFixedMinor: fixed(options.payoutFixed),
          ...(refundFee && { refundFeeKept: refundFee === 'kept' }),
          ...(funds && { refundFromAvailable: funds === 'available' }),
        };
        const { merchant, reason = '', breakGlass } = options;
        const { request, terms } = await withStaff(({ services: { channelTerms } }) =>
          channelTerms.askFor(merchant, actor, named, { reason, breakGlass }),
        );
        if (request !== undefined) return doneOrAsked(request, '');
        const facts = {
          channel,
          collectionRate: rateText(terms.collectionRatePpm),
          collectionFixed: formatAmount(terms.collectionFixedMinor, currency),
          payoutRate: rateText(terms.payoutRatePpm),
          payoutFixed: formatAmount(terms.payoutFixedMinor, currency),
        };
        return {
          done: [
            `The terms of ${options.merchant} for ${channel} apply from now on:`,
            `  per collection ${facts.collectionRate} + ${facts.collectionFixed} ${currency}`,
            `  per payout     ${facts.payoutRate} + ${facts.payoutFixed} ${currency}`,
          ],
          facts,
        };
      }),
    );
}

function addChannel(program: Command, run: Run): void {
  const channel = program.command('channel').description('payment channels of the service');
  channel
    .command('list')
    .description('list all channels and whether they are open')
    .action(() => run(async ({ merchants }) => ({ rows: await merchants.listChannels() })));
  channel
    .command('install')
    .description('add the product’s missing channels, served by an adapter')
    .requiredOption('--adapter <name>', 'adapter of the channels; the product contains one: sandbox')
    .action((options) =>
      run(async ({ merchants, config }) => {
        const isLive = options.adapter !== 'sandbox' || config.isSandboxLive;
        await merchants.installChannels(options.adapter, isLive);
        return { done: 'The channels are installed.', facts: { channels: await merchants.listChannels() } };
      }),
    );
  channel
    .command('statement <code>')
    .description('write the statement of the sandbox bank for a channel, to try the reconciliation with')
    .requiredOption(
      '--from <moment>',
      'begin of the bank’s day, such as 2026-01-31T00:00:00+08:00',
      momentOption,
    )
    .requiredOption('--until <moment>', 'end of the bank’s day', momentOption)
    .addOption(
      new Option('--format <format>', 'format of the file').choices(['csv', 'camt053']).default('csv'),
    )
    .option(
      '--faults <list>',
      'missing, extra, amount, duplicate, nextDay, fromPreviousDay; comma-separated',
      '',
    )
    .requiredOption('--to <file>', 'the file to write')
    .action((code, { to, faults, ...options }) =>
      run(async ({ services }) => {
        const adapter = await services.adapterOf(code);
        if (!(adapter instanceof SandboxAdapter)) throw new Error(`${code} is not served by a sandbox bank.`);
        const { currency } = channelCatalogue[code as ChannelCode];
        const text = await adapter.statement({
          ...options,
          method: code,
          currency,
          faults: faults.split(','),
        });
        await writeFile(to, text);
        const lines = linesOf(text);
        return {
          done: lines === 1 ? `Written: ${to}, with 1 line.` : `Written: ${to}, with ${lines} lines.`,
          facts: { file: to, lines, bytes: Buffer.byteLength(text) },
        };
      }),
    );
  for (const [name, isOpen] of [
    ['open', true],
    ['close', false],
  ] as const) {
    channel
      .command(`${name} <code>`)
      .description(`${name} a channel for new orders; orders in progress are completed either way`)
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
    .description('settle everything paid so far for a merchant now, in addition to its daily settlement')
    .argument('<action>', 'run', oneOf(['run']))
    .requiredOption('--merchant <code>', 'merchant')
    .action((_action, options) =>
      run(async ({ merchants, services }) => {
        const { id } = await merchants.find(options.merchant);
        const settlementNos = await services.settlements.runNow(id, new Date());
        const [settlementNo] = settlementNos;
        const done = settlementNo ? `Settled: ${settlementNos.join(', ')}.` : 'There is nothing to settle.';
        return { done, facts: { settlement_no: settlementNo ?? null, settlement_nos: settlementNos } };
      }),
    );

  program
    .command('ledger')
    .description(
      'verify: check that every balance is the sum of its entries and that every order matches the ledger; exit code 1 if ' +
        'not. proofs: list the results of the daily check',
    )
    .argument('<action>', 'verify or proofs', oneOf(['verify', 'proofs']))
    .action((action) =>
      run(async ({ services }) => {
        if (action === 'proofs') return { rows: (await services.proof.list(shownProofs)).map(toProofRow) };
        const found = await services.database.asSystem((tx) => violations(tx));
        if (found.length === 0) return { done: 'The ledger balances.', facts: { violations: [] } };
        process.exitCode = 1;
        return { rows: found };
      }),
    );
}

function toProofRow({ begunAt, endedAt, violationCount, examples }: Proof) {
  const seconds = ((endedAt.getTime() - begunAt.getTime()) / 1000).toFixed(1);
  return { at: begunAt.toISOString(), seconds, violations: violationCount, first: JSON.stringify(examples) };
}

/** Counts the movements on a statement of the sandbox bank, in either format. */
function linesOf(text: string): number {
  const entries = text.startsWith('<') ? text.matchAll(/<Ntry>/g) : text.trimEnd().matchAll(/\n/g);
  return [...entries].length;
}

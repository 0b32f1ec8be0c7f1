import { readFile } from 'node:fs/promises';
import { currencies, formatAmount } from '@hengfu/contract/money';
import type { Command } from 'commander';
import { type ChannelAdapter, ChannelUnavailable } from '#channels/channel.ts';
import { embeddedDirectory } from '#composition/database-location.ts';
import { releasePayouts } from '#composition/payout-hold.ts';
import { openRecoveryStore } from '#composition/recovery-store.ts';
import type { Config } from '#config.ts';
import {
  canBeRestored,
  compareWithChannel,
  type Discrepancy,
  unknownOwnNumbers,
} from '#recovery/comparison.ts';
import { listSystems, RecoveryArchive } from '#recovery/recovery-archive.ts';
import { amendHold, readHold } from '#recovery/recovery-hold.ts';
import { verifyArchive } from '#recovery/verification.ts';
import { sentenceOf } from './audit-commands.ts';
import { baseNow } from './base-now.ts';
import type { CommandContext, Run, RunWithConfig } from './operator.ts';
import { momentOption, reasonOption } from './parse.ts';
import type { Answer } from './print.ts';

/** Channels and this server may disagree about the time, and an order may have been on its way. */
const marginMs = 10 * 60_000;

/** Adds the commands for the archive of WAL, and for the time after a restore. */
export function recoveryCommands(program: Command, run: Run, runWithConfig: RunWithConfig): void {
  const recovery = program
    .command('recovery')
    .description('the archive of WAL and base backups, and the comparison with the channels after a restore');
  recovery
    .command('list')
    .description('list the base backups in the archive, and the span that a restore can reach')
    .action(() => runWithConfig(listArchive));
  recovery
    .command('base')
    .description('make a base backup now, while the product runs')
    .action(() => runWithConfig(baseNow));
  recovery
    .command('verify')
    .description(
      'read every file of the archive again and look for gaps; exit code 1 if one is missing or damaged',
    )
    .action(() => runWithConfig(verify));
  addCompare(recovery, run);
  recovery
    .command('restore-choices')
    .description(
      'ask the channels about the collections that a restore has left without their channel or their payment, and book what they say; exit ' +
        'code 1 if a channel did not answer about one',
    )
    .option('--since <moment>', 'as for compare', momentOption)
    .action(({ since }) => run((context) => restoreChoices(context, since)));
  recovery
    .command('release')
    .description(
      'after a restore and the comparison: open the channels for payouts again and start the workers',
    )
    .option(
      '--unreconciled <reason>',
      'release although the comparison is missing, lists orders, or could not ask a channel: how that was settled',
      reasonOption,
    )
    .action(({ unreconciled }) =>
      run(async ({ config, services, actor }) => {
        if (config.databaseUrl !== undefined)
          throw new Error('DATABASE_URL is set: only the embedded database is restored, and released, here.');
        const directory = embeddedDirectory(config);
        const { channels, loss } = await releasePayouts(directory, services, actor, unreconciled);
        return {
          done: [
            `Released: ${channels.length} channels pay out again, and the workers start.`,
            ...(loss ? [sentenceOf(loss)] : []),
          ],
          facts: { channels, loss },
        };
      }),
    );
}

function addCompare(recovery: Command, run: Run): void {
  recovery
    .command('compare')
    .description(
      'list the orders that the channels received since the restored moment and the database does not know, or whose outcome it ' +
        'would never get; exit code 1 if there are any',
    )
    .option(
      '--since <moment>',
      'compare from this moment on (default: ten minutes before the restored moment)',
      momentOption,
    )
    .option('--merchant <code>', 'compare the order numbers of a merchant’s own records instead')
    .option(
      '--orders <file>',
      'with --merchant: a file with one merchant order number per line, or a CSV with it first',
    )
    .action(({ since, merchant, orders }) =>
      run(async (context) => {
        if ((merchant === undefined) !== (orders === undefined))
          throw new Error('--merchant and --orders belong together.');
        if (merchant !== undefined) return compareWithMerchant(context, merchant, orders);
        return compareWithChannels(context, since);
      }),
    );
}

/** Returns the moment from which to compare, and the one from which a release needs it; undefined if the database was not restored. */
function momentsOf(
  { config }: CommandContext,
  since: Date | undefined,
): { from: Date; needed: Date | undefined } {
  const hold = config.databaseUrl === undefined ? readHold(embeddedDirectory(config)) : undefined;
  const needed = hold && new Date(hold.recoveredTo.getTime() - marginMs);
  const from = since ?? needed;
  if (!from) throw new Error('This database was not restored to a moment: say from when on with --since.');
  return { from, needed };
}

/** Compares with each adapter once, whichever channels it serves. The adapter is undefined for channels without one. */
async function* comparisonsFrom({ services, merchants }: CommandContext, from: Date) {
  const adapters = new Map<ChannelAdapter | undefined, string[]>();
  for (const { code } of await merchants.listChannels()) {
    const adapter = await services.adapterOf(code);
    adapters.set(adapter, [...(adapters.get(adapter) ?? []), code]);
  }
  for (const [adapter, codes] of adapters) {
    const channel = codes.join(' ');
    const found = adapter && (await compareWithChannel(services.database, channel, adapter, from));
    yield { channel, adapter, found };
  }
}

async function compareWithChannels(context: CommandContext, since: Date | undefined): Promise<Answer> {
  const { from, needed } = momentsOf(context, since);
  const rows: object[] = [];
  let listed = 0;
  let byHand = 0;
  for await (const { channel, found } of comparisonsFrom(context, from)) {
    if (found?.listed === undefined) {
      byHand++;
      rows.push(rowByHand(channel));
    }
    listed += found?.listed ?? 0;
    for (const discrepancy of found?.discrepancies ?? []) rows.push(toRow(discrepancy));
  }
  // One that begins later leaves out what was lost: it does not count for the release.
  if (needed && from <= needed)
    amendHold(embeddedDirectory(context.config), {
      comparison: { at: new Date(), from, unknown: rows.length - byHand, byHand },
    });
  if (rows.length === 0)
    return {
      done: `The channels received ${listed} orders since ${from.toISOString()}; the database knows each of them.`,
      facts: { since: from, listed, discrepancies: [] },
    };
  process.exitCode = 1;
  return { rows };
}

async function restoreChoices(context: CommandContext, since: Date | undefined): Promise<Answer> {
  const { services, actor } = context;
  const restored: string[] = [];
  const unanswered: string[] = [];
  for await (const { adapter, found } of comparisonsFrom(context, momentsOf(context, since).from))
    for (const discrepancy of found?.discrepancies ?? []) {
      if (!adapter || !canBeRestored(discrepancy)) continue;
      const { reference, method } = discrepancy.order;
      try {
        if (await services.lostChoices.restore(reference, { adapter, method }, actor))
          restored.push(reference);
      } catch (error) {
        if (!(error instanceof ChannelUnavailable)) throw error;
        unanswered.push(reference);
      }
    }
  const done = `The channels were asked about ${restored.length} collections, and what they said is booked. Compare again.`;
  const facts = { restored, unanswered };
  if (unanswered.length === 0) return { done, facts };
  process.exitCode = 1;
  return {
    done: [done, `No answer came about ${unanswered.join(', ')}: nothing has changed. Repeat the command.`],
    facts,
  };
}

async function compareWithMerchant(
  { services, merchants }: CommandContext,
  code: string,
  file: string,
): Promise<Answer> {
  const { id } = await merchants.find(code);
  const numbers = (await readFile(file, 'utf8'))
    .split(/\r?\n/)
    .map((line) => (line.split(',')[0] ?? '').trim().replace(/^"(.*)"$/, '$1'))
    .filter((number) => number !== '');
  const unknown = await unknownOwnNumbers(services.database, id, numbers);
  if (unknown.length === 0)
    return { done: `The database knows all ${numbers.length} orders of ${code}.`, facts: { unknown } };
  process.exitCode = 1;
  return {
    rows: unknown.map((outTradeNo) => ({ merchant: code, out_trade_no: outTradeNo, here: 'unknown' })),
  };
}

/** The row of a channel whose orders nobody can list. */
function rowByHand(channel: string) {
  return {
    channel,
    kind: '–',
    trade_no: 'gives no list of its orders: compare with its statement',
    amount: '–',
    at_channel: '–',
    here: '–',
    created_at: '–',
  };
}

const lackOf = {
  channel: 'without a channel',
  question: 'too late for status queries',
  approval: 'without the merchant’s approval',
  reactivation: 'without an active merchant',
} as const;

function toRow({ channel, order, here }: Discrepancy) {
  const { kind, reference, status, createdAt } = order;
  const [amount, amountHere] = [amountOf(order), here && amountOf(here)];
  const lacks = here?.lacks ? [lackOf[here.lacks]] : [];
  return {
    channel,
    kind,
    trade_no: reference,
    amount,
    at_channel: status,
    here: here
      ? [here.status, ...lacks, ...(amountHere === amount ? [] : [amountHere])].join(', ')
      : 'unknown',
    created_at: createdAt.toISOString(),
  };
}

function amountOf({ amountMinor, currency }: { amountMinor: bigint; currency: string }): string {
  const known = currencies.find((each) => each === currency);
  return `${known ? formatAmount(amountMinor, known) : `${amountMinor} minor units of`} ${currency}`;
}

/** Opens the archives of all database systems in the configured place. */
async function archivesOf({ walArchive }: Config): Promise<RecoveryArchive[]> {
  if (!walArchive) throw new Error('WAL_ARCHIVE_URL and WAL_ARCHIVE_KEY are not set.');
  const store = await openRecoveryStore(walArchive);
  return (await listSystems(store)).map(
    (system) => new RecoveryArchive(system, { store, keys: walArchive.keys }),
  );
}

async function listArchive(config: Config): Promise<Answer> {
  const rows: object[] = [];
  for (const archive of await archivesOf(config)) {
    const { wal } = await archive.list();
    for (const base of await archive.readBases())
      rows.push({
        database: archive.system,
        base: base.label,
        timeline: base.timeline,
        from: base.stoppedAt.toISOString(),
        last_segment: wal.filter((name) => name.length === 24).at(-1) ?? '–',
        files: base.files,
        mib: Math.round(base.bytes / 1024 ** 2),
      });
  }
  return { rows };
}

async function verify(config: Config): Promise<Answer> {
  const faults: object[] = [];
  const remarks: object[] = [];
  const counts = { bases: 0, segments: 0 };
  for (const archive of await archivesOf(config)) {
    const found = await verifyArchive(archive);
    counts.bases += found.bases;
    counts.segments += found.segments;
    faults.push(...found.faults.map((fault) => ({ database: archive.system, fault })));
    remarks.push(
      ...found.remarks.map((fault) => ({ database: archive.system, fault: `harmless: ${fault}` })),
    );
  }
  if (faults.length > 0) {
    process.exitCode = 1;
    return { rows: [...faults, ...remarks] };
  }
  const gaps = remarks.length === 0 ? 'without a gap' : `with ${remarks.length} missing before a base backup`;
  return {
    done: `Every file is as it was written: ${counts.bases} base backups and ${counts.segments} segments ${gaps}.`,
    facts: { ...counts, faults, remarks },
  };
}

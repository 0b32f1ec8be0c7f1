import type { ChannelCode } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import { type BatchField, type BatchRow, readBatchRow } from '@hengfu/contract/payout-batch-rows';
import type { BatchCheck } from '@hengfu/contract/payout-batches';
import { phrase } from '@hengfu/contract/phrase';
import { create } from 'zustand';
import { asRow, hasLostDigits } from './batch-file.rules.ts';

/** A row of a file that was read. */
export interface DraftRow {
  /** Its place in the file, from 1. */
  line: number;
  fields: BatchRow;
  isLeftOut: boolean;
  /** The person means it although it looks like an earlier payment. */
  isConfirmed: boolean;
  /** Why it failed in an earlier batch. */
  reason?: ErrorCode;
}

/** A batch before it is applied for. */
export interface Draft {
  name: string;
  channel: ChannelCode;
  rows: readonly DraftRow[];
  /** Headings that mean nothing here. */
  ignored: readonly string[];
  /** Another one with each change of what would be sent. */
  version: number;
}

/** What the server found, with the file's line of each row that was sent. */
export type Checked = BatchCheck & { version: number; lines: readonly number[] };

let versions = 0;

/** The draft outlives the page: who looks something up finds it as it was. A reload forgets it. */
const useDraftStore = create<{ draft: Draft | undefined }>(() => ({ draft: undefined }));
export const useDraft = (): Draft | undefined => useDraftStore((state) => state.draft);

export function startDraft(
  given: Pick<Draft, 'name' | 'channel' | 'ignored'>,
  rows: readonly { line: number; fields: BatchRow; reason?: ErrorCode }[],
): void {
  const fresh = rows.map((row) => ({ ...row, isLeftOut: false, isConfirmed: false }));
  useDraftStore.setState({ draft: { ...given, rows: fresh, version: ++versions } });
}

export function dropDraft(): void {
  useDraftStore.setState({ draft: undefined });
}

/** Changes rows of the draft. */
function change(lines: ReadonlySet<number>, how: (row: DraftRow, draft: Draft) => DraftRow): void {
  useDraftStore.setState(({ draft }) => {
    if (!draft) return {};
    const rows = draft.rows.map((row) => (lines.has(row.line) ? how(row, draft) : row));
    return { draft: { ...draft, rows, version: ++versions } };
  });
}

/** A cell was typed in. */
export function editCell(line: number, field: BatchField, text: string): void {
  change(new Set([line]), ({ reason: _reason, ...row }, { channel }) => {
    const fields = { ...row.fields, [field]: text };
    // Another bank has another name.
    if (field === 'bank' && channel === 'CN_BANK') fields.bankName = '';
    return { ...row, fields: asRow(fields, channel), isConfirmed: false };
  });
}

export function leaveOut(lines: Iterable<number>, isLeftOut = true): void {
  change(new Set(lines), (row) => ({ ...row, isLeftOut }));
}

export function confirmRows(lines: Iterable<number>): void {
  change(new Set(lines), (row) => ({ ...row, isConfirmed: true }));
}

export function sentRows(rows: readonly DraftRow[]): DraftRow[] {
  return rows.filter(({ isLeftOut }) => !isLeftOut);
}

export const rowStates = ['fine', 'faulty', 'asked', 'leftOut'] as const;
export type RowState = (typeof rowStates)[number];

/** A row and everything that is known of it. */
export interface JudgedRow extends DraftRow {
  state: RowState;
  faults: ReadonlyMap<BatchField, string>;
  similar?: BatchCheck['similar'][number];
  isNewAccount: boolean;
  isChangedAccount: boolean;
}

const localFaults = new WeakMap<BatchRow, ReadonlyMap<BatchField, string>>();

/** Faults that need no server; looked for once for each content of a row. */
function faultsOf(channel: ChannelCode, row: BatchRow): ReadonlyMap<BatchField, string> {
  const known = localFaults.get(row);
  if (known) return known;
  const faults = new Map(readBatchRow(channel, row).faults);
  if (hasLostDigits(row.payeeAccount ?? '')) faults.set('payeeAccount', phrase('payoutBatches.digitsLost'));
  localFaults.set(row, faults);
  return faults;
}

/** Rows with what is known of each: by the rules here, and by the server's last check. */
export function judge({ channel, rows }: Draft, checked: Checked | undefined): JudgedRow[] {
  const lineOf = (sent: number) => checked?.lines[sent - 1];
  const byLine = Map.groupBy(checked?.faults ?? [], ({ line }) => lineOf(line));
  const similar = new Map((checked?.similar ?? []).map((each) => [lineOf(each.line), each]));
  const fresh = new Set(checked?.newAccounts.map(lineOf));
  const changed = new Set(checked?.changedAccounts.map(lineOf));
  return rows.map((row) => {
    const found = byLine.get(row.line) ?? [];
    const local = faultsOf(channel, row.fields);
    // A cell that was mended after the check is judged here; what only the server sees stands until the next one.
    const remote = found.filter(({ message }) => serverOnly.has(message));
    const faults = remote.length === 0 ? local : new Map([...remote.map(toFault), ...local]);
    const twin = similar.get(row.line);
    return {
      ...row,
      faults,
      state: stateOf(row, faults, twin),
      ...(twin && { similar: inFile(twin, lineOf) }),
      isNewAccount: fresh.has(row.line),
      isChangedAccount: changed.has(row.line),
    };
  });
}

const serverOnly: ReadonlySet<string> = new Set([
  phrase('errors.out_trade_no_used'),
  phrase('validation.ifsc'),
]);

function toFault({ field, message }: BatchCheck['faults'][number]): [BatchField, string] {
  return [field as BatchField, message];
}

function inFile(twin: BatchCheck['similar'][number], lineOf: (sent: number) => number | undefined) {
  return { ...twin, earlierLine: twin.earlierLine === null ? null : (lineOf(twin.earlierLine) ?? null) };
}

function stateOf(
  row: DraftRow,
  faults: ReadonlyMap<BatchField, string>,
  similar: BatchCheck['similar'][number] | undefined,
): RowState {
  if (row.isLeftOut) return 'leftOut';
  if (faults.size > 0) return 'faulty';
  return similar && (similar.isUnknown || !row.isConfirmed) ? 'asked' : 'fine';
}

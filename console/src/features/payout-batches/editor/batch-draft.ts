import type { ChannelCode } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import { type BatchField, type BatchRow, readBatchRow } from '@hengfu/contract/payout-batch-rows';
import type { BatchCheck } from '@hengfu/contract/payout-batches';
import { phrase } from '@hengfu/contract/phrase';
import { create } from 'zustand';
import { recognizeBank } from '../../../shared/payments/card-bank.ts';
import { hasLostDigits, normalizeRow, type OwnColumn } from './batch-file.rules.ts';
import { withCardBank } from './row-bank.rules.ts';

/** A row read from a file. */
export interface DraftRow {
  /** Its position in the file, from 1. */
  line: number;
  fields: BatchRow;
  isLeftOut: boolean;
  /** The user has confirmed it although it looks like an earlier payment. */
  isConfirmed: boolean;
  /** The code of the bank that its card's digits filled in; absent once the user has chosen one. */
  suggestedBank?: string;
  /** Why it failed in an earlier batch. */
  reason?: ErrorCode;
}

/** A batch before it is submitted. */
export interface Draft {
  name: string;
  channel: ChannelCode;
  rows: readonly DraftRow[];
  /** Fields that a heading of the file names. */
  named: readonly BatchField[];
  /** Columns under other headings, mapped to a field or not. */
  columns: readonly OwnColumn[];
  /** Changes whenever the rows to send change. */
  version: number;
}

/** The server's findings, with the line in the file of each row that was sent. */
export type CheckResult = BatchCheck & { version: number; lines: readonly number[] };

let versions = 0;

/** The draft outlives the page, so that users can leave and come back. A reload discards it. */
const useDraftStore = create<{ draft: Draft | undefined }>(() => ({ draft: undefined }));
export const useDraft = (): Draft | undefined => useDraftStore((state) => state.draft);

export function startDraft(
  given: Pick<Draft, 'name' | 'channel' | 'named' | 'columns'>,
  rows: readonly { line: number; fields: BatchRow; reason?: ErrorCode }[],
): void {
  const fresh = rows.map((row) => ({ ...row, isLeftOut: false, isConfirmed: false }));
  useDraftStore.setState({ draft: { ...given, rows: fresh, version: ++versions } });
}

export function dropDraft(): void {
  useDraftStore.setState({ draft: undefined });
}

/** Changes rows of the draft. */
function change(lines: ReadonlySet<number>, update: (row: DraftRow, draft: Draft) => DraftRow): void {
  useDraftStore.setState(({ draft }) => {
    if (!draft) return {};
    const rows = draft.rows.map((row) => (lines.has(row.line) ? update(row, draft) : row));
    return { draft: { ...draft, rows, version: ++versions } };
  });
}

/** Changes cells: new texts by field, for each line of the file. Cards get their banks a moment later. */
export function editCells(edits: ReadonlyMap<number, BatchRow>): void {
  change(new Set(edits.keys()), ({ reason: _reason, ...row }, { channel }) => {
    const edit = edits.get(row.line) ?? {};
    if (edit.bank !== undefined) delete row.suggestedBank;
    const fields = { ...row.fields, ...edit };
    // The name belonged to the previous bank.
    if (edit.bank !== undefined && edit.bankName === undefined && channel === 'CN_BANK') fields.bankName = '';
    return { ...row, fields: normalizeRow(fields, channel), isConfirmed: false };
  });
  const cards = [...edits].filter(([, edit]) => edit.payeeAccount !== undefined && edit.bank === undefined);
  void suggestBanks(new Set(cards.map(([line]) => line)));
}

/** Fills in the banks of cards by their first digits (decision 0025), where the file has none and the user chose none. */
async function suggestBanks(lines: ReadonlySet<number>): Promise<void> {
  const { draft } = useDraftStore.getState();
  if (!draft) return;
  const { channel } = draft;
  const banks = new Map<string, string | undefined>();
  for (const { line, fields } of draft.rows)
    if (lines.has(line) && fields.payeeAccount !== undefined) banks.set(fields.payeeAccount, undefined);
  for (const account of banks.keys()) banks.set(account, (await recognizeBank(channel, account))?.code);
  const suggest = (row: DraftRow) => {
    const { payeeAccount } = row.fields;
    // Left alone if it was edited again meanwhile.
    const isAsked = lines.has(row.line) && payeeAccount !== undefined && banks.has(payeeAccount);
    return isAsked ? withCardBank(row, banks.get(payeeAccount), channel) : row;
  };
  const changed = useDraftStore.getState().draft?.rows.filter((row) => suggest(row) !== row) ?? [];
  if (changed.length > 0) change(new Set(changed.map(({ line }) => line)), suggest);
}

/** Changes a cell. */
export function editCell(line: number, field: BatchField, text: string): void {
  editCells(new Map([[line, { [field]: text }]]));
}

/**
 * Fills a field from a column of the file, or from none if `field` is undefined. The field that the column
 * filled before, and the column that filled this field before, become empty.
 */
export function mapColumn(at: number, field: BatchField | undefined): void {
  useDraftStore.setState(({ draft }) => {
    const column = draft?.columns[at];
    if (!draft || !column) return {};
    const columns = draft.columns.map((other, index) => {
      if (index === at) return { ...other, field };
      return other.field === field ? { ...other, field: undefined } : other;
    });
    const rows = draft.rows.map(({ reason: _reason, ...row }) => {
      const fields = { ...row.fields };
      if (column.field) delete fields[column.field];
      if (field) fields[field] = column.values[row.line - 1] ?? '';
      // The name came from the previous bank's code.
      const isBankChanged = field === 'bank' || column.field === 'bank';
      if (isBankChanged && !hasColumn(draft, 'bankName')) delete fields.bankName;
      return { ...row, fields: normalizeRow(fields, draft.channel), isConfirmed: false };
    });
    return { draft: { ...draft, columns, rows, version: ++versions } };
  });
}

/** Whether a column of the file fills a field. */
export function hasColumn({ named, columns }: Pick<Draft, 'named' | 'columns'>, field: BatchField): boolean {
  return named.includes(field) || columns.some((column) => column.field === field);
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

/** A row with the result of its validation. */
export interface ValidatedRow extends DraftRow {
  state: RowState;
  faults: ReadonlyMap<BatchField, string>;
  similar?: BatchCheck['similar'][number];
  isNewAccount: boolean;
  isChangedAccount: boolean;
}

const localFaults = new WeakMap<BatchRow, ReadonlyMap<BatchField, string>>();

/** Finds the faults that need no server. Cached by the row's content. */
function faultsOf(channel: ChannelCode, row: BatchRow): ReadonlyMap<BatchField, string> {
  const known = localFaults.get(row);
  if (known) return known;
  const faults = new Map(readBatchRow(channel, row).faults);
  if (hasLostDigits(row.payeeAccount ?? '')) faults.set('payeeAccount', phrase('payoutBatches.digitsLost'));
  localFaults.set(row, faults);
  return faults;
}

/** Validates the rows by the rules here, and adds the findings of the server's last check. */
export function validateRows({ channel, rows }: Draft, checked: CheckResult | undefined): ValidatedRow[] {
  const lineOf = (sent: number) => checked?.lines[sent - 1];
  const byLine = Map.groupBy(checked?.faults ?? [], ({ line }) => lineOf(line));
  const similar = new Map((checked?.similar ?? []).map((each) => [lineOf(each.line), each]));
  const fresh = new Set(checked?.newAccounts.map(lineOf));
  const changed = new Set(checked?.changedAccounts.map(lineOf));
  return rows.map((row) => {
    const found = byLine.get(row.line) ?? [];
    const local = faultsOf(channel, row.fields);
    // Cells corrected since the check are validated here; faults that only the server sees stay until the
    // next check.
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

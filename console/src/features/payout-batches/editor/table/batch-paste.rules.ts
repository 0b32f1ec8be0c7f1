import type { BatchField, BatchRow } from '@hengfu/contract/payout-batch-rows';

/** Reads what a spreadsheet puts on the clipboard; undefined if it is a single cell, which the browser pastes itself. */
export function readClipboard(text: string): string[][] | undefined {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.length === 1 && !text.includes('\t')) return undefined;
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
}

interface PasteTarget {
  /** The lines of the rows shown, in their order. */
  lines: readonly number[];
  /** The columns, in their order. */
  fields: readonly BatchField[];
  /** The cell that was pasted into. */
  line: number;
  field: BatchField;
}

/** Places pasted cells to the right of a cell and below it, as a spreadsheet does. What exceeds the table is dropped. */
export function placeCells(
  cells: readonly (readonly string[])[],
  { lines, fields, line, field }: PasteTarget,
): Map<number, BatchRow> {
  const below = lines.slice(lines.indexOf(line));
  const beside = fields.slice(fields.indexOf(field));
  const edits = new Map<number, BatchRow>();
  for (const [index, texts] of cells.slice(0, below.length).entries()) {
    const entries = texts.slice(0, beside.length).map((text, at) => [beside[at], text] as const);
    const to = below[index];
    if (to !== undefined) edits.set(to, Object.fromEntries(entries));
  }
  return edits;
}

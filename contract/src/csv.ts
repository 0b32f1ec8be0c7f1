/**
 * What a spreadsheet takes for the start of a formula: the four signs, and every character that Unicode's compatibility
 * forms turn into one of them (East Asian versions of Excel do so on reading), and the minus sign.
 */
const trigger = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼₌⁺₊﬩−⁻₋]';
/** What a reader may drop before it looks at a cell: white space, control and invisible characters, quotes. */
const dropped = `\\s\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}"'`;

const formulaAtStart = new RegExp(`^(?:[${dropped}]*${trigger}|'*[\\t\\r\\n])`, 'u');
/** A run of separators and of what is dropped; the group is there where a formula follows. */
const runs = new RegExp(`[;${dropped}]+(?=(${trigger})?)`, 'gu');

/** Texts that need neither an apostrophe nor a second quote: most. */
const harmless = /^[A-Za-z0-9\u4E00-\u9FFF][^";\t\r\n]*$/;

/**
 * Writes a text as a cell of CSV (RFC 4180), always in quotes. An apostrophe goes wherever a spreadsheet could start a
 * formula: at the start, and inside the text behind a line break, a tab, or the `;` that separates cells for half of the
 * world's spreadsheets. `withoutMarks` removes exactly these.
 */
export function csvText(text: string): string {
  if (harmless.test(text)) return `"${text}"`;
  const marked = atCellStarts(text, (run) => run.replaceAll(/[;\t\r\n]/g, "$&'"));
  return `"${formulaAtStart.test(text) ? "'" : ''}${marked.replaceAll('"', '""')}"`;
}

/** Returns the text that `csvText` was given, from the cell that a reader found; any other text as it is. */
export function withoutMarks(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = atCellStarts(cell, (run) => run.replaceAll(/([;\t\r\n])'/g, '$1'));
  return text.startsWith("'") && formulaAtStart.test(text.slice(1)) ? text.slice(1) : text;
}

/**
 * Changes the runs before what would be a formula if a cell started there, and before the text's end, from their last `;`
 * on. Takes linear time.
 */
function atCellStarts(text: string, change: (run: string) => string): string {
  return text.replaceAll(runs, (run: string, follower: string | undefined, at: number) => {
    if (follower === undefined && at + run.length < text.length) return run;
    const from = Math.max(0, run.lastIndexOf(';'));
    return run.slice(0, from) + change(run.slice(from));
  });
}

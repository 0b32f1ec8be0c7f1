/**
 * Characters that a spreadsheet takes for the start of a formula: the four signs, every character whose
 * Unicode compatibility form begins with one of them (East Asian versions of Excel convert on reading), and the minus
 * sign.
 */
const trigger = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼₌⩵⩶⁺₊﬩−⁻₋]';
/**
 * Characters that a reader may drop before it looks at a cell: white space, control and invisible characters,
 * quotes.
 */
const dropped = `\\s\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}"'`;

const formulaAtStart = new RegExp(`^(?:[${dropped}]*${trigger}|'*[\\t\\r\\n])`, 'u');
/**
 * Texts that a spreadsheet takes for a number and changes: it drops leading zeros, writes twelve digits and more
 * with an exponent, keeps only fifteen of them, and calculates `12E34`.
 */
const numberLike = new RegExp(
  `^[${dropped}]*(?:[0０][0-9０-９]+|[0-9０-９]{12,}|[0-9０-９]+[eEｅＥ][-+＋－]?[0-9０-９]+)[${dropped}]*$`,
  'u',
);
/** A run of separators and dropped characters; the group matches if a formula follows. */
const runs = new RegExp(`[;${dropped}]+(?=(${trigger})?)`, 'gu');

/** Texts that need neither an apostrophe nor a second quote unless they are like numbers, which is most of them. */
const harmless = /^[A-Za-z0-9\u4E00-\u9FFF][^";\t\r\n]*$/;

/** Whether an apostrophe keeps a text from being run as a formula, or changed as a number. */
export function needsMark(text: string): boolean {
  return formulaAtStart.test(text) || numberLike.test(text);
}

/**
 * Writes a text as a CSV cell (RFC 4180), always in quotes. Adds an apostrophe before a text that a spreadsheet
 * would change as a number, and wherever it could start a formula: at the start, and after a line break, a tab,
 * or the `;` that separates cells in many locales. `withoutMarks` removes exactly these.
 */
export function csvText(text: string): string {
  if (harmless.test(text) && !numberLike.test(text)) return `"${text}"`;
  const marked = atCellStarts(text, (run) => run.replaceAll(/[;\t\r\n]/g, "$&'"));
  return `"${needsMark(text) ? "'" : ''}${marked.replaceAll('"', '""')}"`;
}

/**
 * Returns the text that was passed to `csvText`, given the cell that a reader found; returns any other text
 * unchanged.
 */
export function withoutMarks(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = atCellStarts(cell, (run) => run.replaceAll(/([;\t\r\n])'/g, '$1'));
  return text.startsWith("'") && needsMark(text.slice(1)) ? text.slice(1) : text;
}

/**
 * Applies `change` to the places where a spreadsheet could start a cell with a formula: in each run of separators
 * before such a formula, or at the end of the text, the part from the last `;` on. Takes linear time.
 */
function atCellStarts(text: string, change: (run: string) => string): string {
  return text.replaceAll(runs, (run: string, follower: string | undefined, at: number) => {
    if (follower === undefined && at + run.length < text.length) return run;
    const from = Math.max(0, run.lastIndexOf(';'));
    return run.slice(0, from) + change(run.slice(from));
  });
}

/**
 * Characters that a spreadsheet takes for the start of a formula: the four signs, every character whose
 * Unicode compatibility form is one of them (East Asian versions of Excel convert on reading), and the minus
 * sign.
 */
const trigger = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁼₌⁺₊﬩−⁻₋]';
/**
 * Characters that a reader may drop before it looks at a cell: white space, control and invisible characters,
 * quotes.
 */
const dropped = `\\s\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}"'`;

const formulaAtStart = new RegExp(`^(?:[${dropped}]*${trigger}|'*[\\t\\r\\n])`, 'u');
/** A run of separators and dropped characters; the group matches if a formula follows. */
const runs = new RegExp(`[;${dropped}]+(?=(${trigger})?)`, 'gu');

/** Texts that need neither an apostrophe nor a second quote, which is most of them. */
const harmless = /^[A-Za-z0-9\u4E00-\u9FFF][^";\t\r\n]*$/;

/**
 * Writes a text as a CSV cell (RFC 4180), always in quotes. Adds an apostrophe wherever a spreadsheet could
 * start a formula: at the start, and after a line break, a tab, or the `;` that separates cells in many
 * locales. `withoutMarks` removes exactly these.
 */
export function csvText(text: string): string {
  if (harmless.test(text)) return `"${text}"`;
  const marked = atCellStarts(text, (run) => run.replaceAll(/[;\t\r\n]/g, "$&'"));
  return `"${formulaAtStart.test(text) ? "'" : ''}${marked.replaceAll('"', '""')}"`;
}

/**
 * Returns the text that was passed to `csvText`, given the cell that a reader found; returns any other text
 * unchanged.
 */
export function withoutMarks(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = atCellStarts(cell, (run) => run.replaceAll(/([;\t\r\n])'/g, '$1'));
  return text.startsWith("'") && formulaAtStart.test(text.slice(1)) ? text.slice(1) : text;
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

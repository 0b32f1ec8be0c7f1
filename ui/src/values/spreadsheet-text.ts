const formulaStart = /^[=+@\t\r-]/;
const number = /^[+-]?[\d.,\s\u00a0\u202f]+(\s?\p{Lu}{3,4})?$/u;

/** A cell's text as a spreadsheet may take it in: an apostrophe keeps what it would run as a formula from running. */
export function spreadsheetText(text: string): string {
  return formulaStart.test(text) && !number.test(text) ? `'${text}` : text;
}

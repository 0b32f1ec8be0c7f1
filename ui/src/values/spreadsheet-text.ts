import { csvText, needsMark } from '@hengfu/contract/csv';

/** A signed amount as lists show it, with or without its currency. A spreadsheet reads it as the number that it is. */
const signedAmount = /^[+\-−](?:\d{1,9}|\d{1,3}(?:[.,]\d{2,3})*)(?:[.,]\d+)?(?:\s?\p{Lu}{3,4})?$/u;

/** A cell's text as a spreadsheet may take it in: an apostrophe keeps it from being run as a formula, or changed as a number. */
export function spreadsheetText(text: string): string {
  return needsMark(text) && !signedAmount.test(text) ? `'${text}` : text;
}

/** The same as a cell of a CSV file. */
export function spreadsheetCell(text: string): string {
  return signedAmount.test(text) ? `"${text}"` : csvText(text);
}

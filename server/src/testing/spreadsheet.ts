/**
 * Parses CSV as a spreadsheet with this list separator does: a quote opens a quoted part only at the start of
 * a cell, text after the closing quote belongs to the cell, and any other quote is literal.
 */
export function readAsSpreadsheet(text: string, separator: ',' | ';'): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' = 'start';
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
    state = 'start';
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (state === 'quoted') {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[at++];
      else state = 'plain';
    } else if (char === '"' && state === 'start') state = 'quoted';
    else if (char === separator) endCell();
    else if (char === '\n' || char === '\r') {
      endCell();
      if (char === '\r' && text[at + 1] === '\n') at++;
      rows.push([]);
    } else {
      cell += char;
      state = 'plain';
    }
  }
  endCell();
  return rows;
}

/** Whether a spreadsheet would run a cell as a formula, whatever it trims first. */
export function isFormula(cell: string): boolean {
  return /^[=+\-@\u2212]/.test(
    cell.replace(/^[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}"]+/u, '').normalize('NFKC'),
  );
}

/**
 * Reads CSV as a spreadsheet with this list separator does: a quote opens a quoted part at the start of a cell only, what
 * stands behind its closing quote belongs to the cell, and any other quote is a character.
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
    const sign = text[at] as string;
    if (state === 'quoted') {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[at++];
      else state = 'plain';
    } else if (sign === '"' && state === 'start') state = 'quoted';
    else if (sign === separator) endCell();
    else if (sign === '\n' || sign === '\r') {
      endCell();
      if (sign === '\r' && text[at + 1] === '\n') at++;
      rows.push([]);
    } else {
      cell += sign;
      state = 'plain';
    }
  }
  endCell();
  return rows;
}

/** Whether a spreadsheet would run a cell, whatever it trims before it looks. */
export function isFormula(cell: string): boolean {
  return /^[=+\-@\u2212]/.test(
    cell.replace(/^[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}"]+/u, '').normalize('NFKC'),
  );
}

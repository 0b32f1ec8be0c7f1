import { type Delimiter, delimiters } from '@hengfu/contract/staff/statement-mapping';

/** The start of a file that is read for the preview. */
const previewBytes = 64 * 1024;
const previewRows = 4;

/** How a file is cut into cells. */
export interface Cut {
  delimiter: Delimiter;
  encoding: string;
  headingRow: number;
}

/** The headings and first rows of a file. */
export interface Preview {
  headings: string[];
  rows: string[][];
}

/** Reads the headings and first rows of a CSV file; undefined if it cannot be read in this way. */
export async function previewOf(file: Blob, cut: Cut): Promise<Preview | undefined> {
  const { default: papa } = await import('papaparse');
  try {
    const bytes = await file.slice(0, previewBytes).arrayBuffer();
    const decoder = new TextDecoder(cut.encoding, { fatal: true });
    // The last character may be cut.
    const text = decoder.decode(bytes, { stream: true });
    const { data } = papa.parse<string[]>(text, {
      delimiter: delimiters[cut.delimiter],
      preview: cut.headingRow + previewRows,
    });
    const headings = data[cut.headingRow - 1]?.map((heading) => heading.trim());
    return headings && headings.length > 1 ? { headings, rows: data.slice(cut.headingRow) } : undefined;
  } catch {
    return undefined;
  }
}

/** Guesses how a file is cut, from its start. */
export async function guessCut(file: Blob): Promise<Cut> {
  const bytes = await file.slice(0, previewBytes).arrayBuffer();
  let encoding = 'utf-8';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    encoding = 'gb18030';
  }
  const [first = ''] = new TextDecoder(encoding).decode(bytes).split('\n');
  const counts = Object.entries(delimiters).map(
    ([name, sign]) => [name as Delimiter, first.split(sign).length] as const,
  );
  const [delimiter] = counts.toSorted(([, one], [, other]) => other - one)[0] ?? ['comma' as const];
  return { delimiter, encoding, headingRow: 1 };
}

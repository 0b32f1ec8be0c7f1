import type { Currency } from '@hengfu/contract/money';
import { SaxesParser } from 'saxes';
import { placeUnder } from './camt-places.rules.ts';
import { CamtReader, type OpenElement } from './camt-reader.ts';
import { type ParsedLine, type StatedBalances, UnreadableStatement } from './line-fields.rules.ts';
import { decoded } from './statement-text.ts';

const namespaces = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d{2}$/;
const maxDepth = 32;
/** Characters of one text, tag or comment. */
const maxTokenLength = 64 * 1024;

/**
 * Refuses the first error. It does so without a handler, because a parser may have six: it keeps them as properties of its own, and with
 * a seventh V8 turns the parser into a dictionary, which takes three times as long for every character (decision 0038).
 */
class StrictParser extends SaxesParser<{ xmlns: true }> {
  readonly #refuse: () => never;

  constructor(refuse: () => never) {
    super({ xmlns: true });
    this.#refuse = refuse;
  }

  override fail(): this {
    return this.#refuse();
  }
}

interface CamtFile {
  currency: Currency;
  /** The day that it must be about, as it calls it: YYYY-MM-DD. */
  day: string;
}

/**
 * Reads the movements of an ISO 20022 camt.053 file, one portion per chunk of the file; returns the balances that it states. Lines are
 * numbered as they come. Throws {@link UnreadableStatement} at the first thing that cannot be read: any DTD is one, so that there are
 * no entities to expand.
 */
export async function* readCamt(
  chunks: AsyncIterable<Buffer>,
  file: CamtFile,
): AsyncGenerator<ParsedLine[], StatedBalances> {
  const reader = new CamtReader(file.currency, file.day);
  const path: OpenElement[] = [];
  /** Characters since the last token: a token that never ends must not fill the memory. A processing instruction belongs to the next one. */
  let open = 0;
  const refuse = (fault: ConstructorParameters<typeof UnreadableStatement>[0]): never => {
    throw new UnreadableStatement(fault, reader.lineNo);
  };
  const parser = new StrictParser(() => refuse('markup'));
  parser.on('doctype', () => refuse('doctype'));
  parser.on('opentag', ({ local, uri, attributes }) => {
    open = 0;
    if (path.length >= maxDepth) refuse('markup');
    if (path.length === 0) {
      const { encoding } = parser.xmlDecl;
      if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') refuse('encoding');
      if (local !== 'Document' || !namespaces.test(uri)) refuse('notCamt');
    }
    // Only elements without others have a text that matters; the white space between entries would add up.
    const parent = path.at(-1);
    if (parent) parent.text = '';
    const element = { place: placeUnder(path, local), text: '', currency: attributes.Ccy?.value };
    path.push(element);
    reader.opened(element);
  });
  const addText = (text: string) => {
    open = 0;
    const element = path.at(-1);
    if (!element) return;
    element.text += text;
    if (element.text.length > maxTokenLength) refuse('tooLong');
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('comment', () => {
    open = 0;
  });
  parser.on('closetag', () => {
    open = 0;
    const element = path.pop();
    if (element) reader.closed(element);
  });
  for await (const text of decoded(chunks, 'utf-8')) {
    open += text.length;
    parser.write(text);
    // A chunk is no longer than a token may be, and its own tokens have ended before its last one.
    if (open > text.length + maxTokenLength) refuse('tooLong');
    const lines = reader.take();
    if (lines.length > 0) yield lines;
  }
  parser.close();
  return reader.end();
}

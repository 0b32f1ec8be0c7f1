import type { Currency } from '@hengfu/contract/money';
import { SaxesParser } from 'saxes';
import { CamtReader, type OpenElement } from './camt-reader.ts';
import { type ParsedLine, type StatedBalances, UnreadableStatement } from './line-fields.rules.ts';
import { decoded } from './statement-text.ts';

const namespaces = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d{2}$/;
const maxDepth = 32;
/** Characters of one text, tag or comment. */
const maxTokenLength = 64 * 1024;

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
  const parser = new SaxesParser({ xmlns: true });
  const path: OpenElement[] = [];
  /** Characters since the last token: a token that never ends must not fill the memory. */
  let open = 0;
  const refuse = (fault: ConstructorParameters<typeof UnreadableStatement>[0]): never => {
    throw new UnreadableStatement(fault, reader.lineNo);
  };
  parser.on('error', () => refuse('markup'));
  parser.on('doctype', () => refuse('doctype'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') refuse('encoding');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    open = 0;
    if (path.length >= maxDepth) refuse('markup');
    if (path.length === 0 && (local !== 'Document' || !namespaces.test(uri))) refuse('notCamt');
    // Only elements without others have a text that matters; the white space between entries would add up.
    const parent = path.at(-1);
    if (parent) parent.text = '';
    const element = { name: local, text: '', currency: attributes.Ccy?.value };
    path.push(element);
    reader.opened(path);
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
  for (const event of ['comment', 'processinginstruction'] as const)
    parser.on(event, () => {
      open = 0;
    });
  parser.on('closetag', () => {
    open = 0;
    reader.closed(path);
    path.pop();
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

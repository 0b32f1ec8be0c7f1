import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParsedLine, UnreadableStatement } from './line-fields.rules.ts';
import { readCamt } from './read-camt.ts';

const uri = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

interface Parts {
  prolog?: string;
  /** Attributes of the root. */
  root?: string;
  /** More elements of the entry. */
  more?: string;
  reference?: string;
  after?: string;
}

/** A statement with one entry, for `camt` to read. */
function message({
  prolog = '<?xml version="1.0" encoding="UTF-8"?>',
  root = '',
  more = '',
  reference = 'C1',
  after = '',
}: Parts): string {
  return (
    `${prolog}<Document xmlns="${uri}"${root}><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="CNY">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>${more}` +
    `<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>${after}`
  );
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads the references of all lines, or the fault and its line. */
async function camt(file: string | Buffer | AsyncIterable<Buffer>, size = 7): Promise<string[] | string> {
  const chunks = typeof file === 'string' || Buffer.isBuffer(file) ? cut(Buffer.from(file), size) : file;
  const lines: ParsedLine[] = [];
  try {
    for await (const portion of readCamt(chunks, { currency: 'CNY', day: '2026-11-24' }))
      lines.push(...portion);
    return lines.map(({ reference }) => reference);
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error;
    return `${error.fault} ${error.line}`;
  }
}

describe('markup that XML does not allow is refused', () => {
  it.each([
    ['closing tags in the wrong order', { more: '<a><b></a></b>' }],
    ['a closing tag without an opening one', { more: '</a>' }],
    ['a closing tag of another case', { more: '<a></A>' }],
    ['a closing tag without a name', { more: '<a></>' }],
    ['a closing tag with another prefix', { root: ' xmlns:p="u" xmlns:q="u"', more: '<p:a></q:a>' }],
    ['two roots', { after: '<Document/>' }],
    ['text after the root', { after: 'x' }],
    ['text before the root', { prolog: 'x' }],
    ['a late declaration', { prolog: ' <?xml version="1.0"?>' }],
    ['a second declaration', { more: '<?xml version="1.0"?>' }],
    ['a prefix that is not declared', { more: '<p:a/>' }],
    ['a prefix that is no longer declared', { more: '<a xmlns:p="u"/><p:a/>' }],
    ['an attribute with a prefix that is not declared', { more: '<a p:b="1"/>' }],
    ['a prefix that is undeclared again', { root: ' xmlns:p="u"', more: '<a xmlns:p=""/>' }],
    ['a reserved prefix', { more: '<xmlns:a/>' }],
    ['a reserved namespace', { more: '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>' }],
    ['a name with two prefixes', { root: ' xmlns:p="u"', more: '<p:p:a/>' }],
    ['an attribute twice', { more: '<a b="1" b="1"/>' }],
    [
      'an attribute twice, by two prefixes',
      { root: ' xmlns:p="u" xmlns:q="u"', more: '<a p:b="1" q:b="1"/>' },
    ],
    ['two default namespaces', { root: ` xmlns="${uri}"` }],
    ['an attribute without quotes', { more: '<a b=1/>' }],
    ['an attribute without a value', { more: '<a b/>' }],
    ['attributes without a space', { more: '<a b="1"c="2"/>' }],
    ['a tag in an attribute', { more: '<a b="<"/>' }],
    ['a space before a name', { more: '< a/>' }],
    ['the end of a CDATA section in a text', { reference: 'C]]>1' }],
    ['a CDATA section outside the root', { after: '<![CDATA[x]]>' }],
    ['a comment with two hyphens', { more: '<!-- a -- b -->' }],
    ['a bare ampersand', { reference: 'C & 1' }],
    ['an entity that nobody declared', { reference: '&l9;' }],
    ['an entity of HTML', { reference: '&eacute;' }],
    ['a reference to no character', { reference: '&#0;' }],
    ['a reference to half a character', { reference: '&#xD800;' }],
    ['a reference beyond all characters', { reference: '&#x110000;' }],
    ['a control character', { reference: 'C\u0001' }],
    ['a reference to a control character', { reference: '&#1;' }],
    ['a character that XML excludes', { reference: 'C\ufffe' }],
    ['a document type inside', { more: '<!DOCTYPE a>' }],
    ['a declaration of an entity inside', { more: '<!ENTITY a "b">' }],
  ] satisfies [string, Parts][])('%s', async (_name, parts) => {
    for (const size of [7, 65_536]) expect(await camt(message(parts), size)).toMatch(/^markup \d$/);
  });
});

describe('files of other kinds are refused', () => {
  it.each([
    ['another namespace', message({}).replace(uri, 'urn:x'), 'notCamt 1'],
    ['a namespace that only begins alike', message({}).replace(uri, `${uri}.x`), 'notCamt 1'],
    ['no namespace', message({}).replace(` xmlns="${uri}"`, ''), 'notCamt 1'],
    ['the namespace under an unused prefix', message({}).replace('xmlns=', 'xmlns:p='), 'notCamt 1'],
    ['another root', message({}).replaceAll('Document', 'Report'), 'notCamt 1'],
    [
      'another declared encoding',
      message({ prolog: '<?xml version="1.0" encoding="latin1"?>' }),
      'encoding 1',
    ],
    ['UTF-16 without a mark', Buffer.from(message({}), 'utf16le'), 'encoding 0'],
    ['bytes that are no UTF-8', Buffer.from(message({ reference: 'C\u00e9' }), 'latin1'), 'encoding 0'],
    ['an overlong NUL', Buffer.concat([Buffer.from('<Document>'), Buffer.from([0xc0, 0x80])]), 'encoding 0'],
    ['a NUL', message({ reference: 'C\0' }), 'encoding 0'],
    [
      'half a character at the end',
      Buffer.concat([Buffer.from(message({})), Buffer.from([0xe6])]),
      'encoding 0',
    ],
  ])('%s', async (_name, file, fault) => {
    expect(await camt(file)).toBe(fault);
  });

  it('a file that ends early, wherever', async () => {
    const whole = Buffer.from(message({ more: '<!-- 收 --><a b="c"/><![CDATA[d]]>', reference: 'C&amp;1' }));
    for (let end = 0; end < whole.length; end++)
      expect(await camt(whole.subarray(0, end), 65_536)).toMatch(/^(?:markup|encoding) \d$/);
    expect(await camt(whole)).toEqual(['C&1']);
  });

  it('an empty value date', async () => {
    for (const day of ['', ' ', '<x/>'])
      expect(await camt(message({ more: `<ValDt><Dt>${day}</Dt></ValDt>` }))).toBe('date 1');
  });
});

describe('what XML allows is read', () => {
  it.each([
    ['CDATA sections', '<![CDATA[C]]><![CDATA[<1>]]>', 'C<1>'],
    ['comments inside a text', 'C<!-- ]]> <b> &x; -->1', 'C1'],
    ['instructions inside a text', 'C<?x ]]> <b> &x; ?>1', 'C1'],
    ['the five entities', '&lt;&gt;&amp;&quot;&apos;', '<>&"\''],
    ['references to characters', '&#67;&#x31;&#x1F4B0;', 'C1💰'],
    ['entities that only look nested', '&amp;lt;', '&lt;'],
    ['white space around', '\r\n C1\t', 'C1'],
  ])('%s', async (_name, reference, expected) => {
    for (const size of [1, 7, 65_536]) expect(await camt(message({ reference }), size)).toEqual([expected]);
  });

  it('a prefix instead of the default namespace', async () => {
    const prefixed = message({})
      .replace(/<(\/?)(?=\w)/g, '<$1d:')
      .replace('xmlns=', 'xmlns:d=');
    expect(await camt(prefixed)).toEqual(['C1']);
    expect(await camt(message({ more: `<p:a xmlns:p="u" p:b="1" b="2"/>` }))).toEqual(['C1']);
  });

  it('elements of the same names elsewhere, which mean nothing', async () => {
    const names = ['Ntry', 'TxDtls', 'Stmt', 'Bal', 'Amt', 'constructor', '__proto__'];
    const more = names.map((name) => `<Othr><${name} ${name}="1"><x>2</x></${name}></Othr>`).join('');
    expect(await camt(message({ more }))).toEqual(['C1']);
    expect(await camt(message({ after: '<!-- x --><?x y?>\n' }))).toEqual(['C1']);
  });

  it('long comments, and many of them', async () => {
    const more = `<!--${'-x'.repeat(20_000)}-->`.repeat(20);
    expect(await camt(message({ more }), 65_536)).toEqual(['C1']);
  });
});

it.each([
  ['elements in elements', '', '<x>', 'markup 1'],
  ['attributes', '<x', ' a$="1"', 'tooLong 1'],
  ['an attribute', '<x a="', 'x', 'tooLong 1'],
  ['references in an attribute', '<x a="', '&#65;', 'tooLong 1'],
  ['a name', '<x', 'x', 'tooLong 1'],
  ['the name of an attribute', '<x ', 'x', 'tooLong 1'],
  ['the name of a closing tag', '</x', 'x', 'tooLong 1'],
  ['an entity', '&', 'x', 'tooLong 1'],
  ['references in a text', '<x>', '&amp;', 'tooLong 1'],
  ['CDATA sections in a text', '<x>', '<![CDATA[xxxxxxxx]]>', 'tooLong 1'],
  ['comments in a text', '<x>', 'x<!---->', 'tooLong 1'],
  ['an open CDATA section', '<![CDATA[', ']', 'tooLong 1'],
  ['an open comment', '<!--', '-x', 'tooLong 1'],
  ['an instruction', '<?x ', '?', 'tooLong 1'],
  ['instructions', '', '<?x?>', 'tooLong 1'],
  ['spaces in a tag', '<x', ' ', 'tooLong 1'],
])('%s without an end are refused early', async (_name, start, endless, fault) => {
  let given = 0;
  async function* bytes(): AsyncGenerator<Buffer> {
    yield Buffer.from(`<Document xmlns="${uri}"><BkToCstmrStmt><Stmt>${start}`);
    for (let number = 0; ; ) {
      let text = '';
      while (text.length < 65_536) text += endless.replace('$', () => String(number++));
      given += text.length;
      yield Buffer.from(text);
    }
  }
  expect(await camt(bytes())).toBe(fault);
  expect(given).toBeLessThan(20 * 65_536);
});

const pieces = [
  ...[
    '<',
    '>',
    '&',
    '"',
    "'",
    '/',
    '=',
    ':',
    ' ',
    '\r',
    '\n',
    ']]>',
    '-->',
    '?>',
    '<!--',
    '<?x ',
    '<![CDATA[',
  ],
  ...[
    '<x>',
    '</x>',
    '<x/>',
    '<p:x/>',
    ' xmlns:p="u"',
    ' xmlns=""',
    ' Ccy="CNY"',
    '&amp;',
    '&#65;',
    '&x;',
    '收',
    '💰',
  ],
  ...[
    '<Ntry>',
    '</Ntry>',
    '</Stmt>',
    '<TxDtls/>',
    '<Amt Ccy="CNY">1</Amt>',
    '<!DOCTYPE d>',
    '\u0001',
    '\ufffe',
  ],
];

it('damaged files mean the same however they are cut', async () => {
  const whole = message({ more: '<ValDt><Dt>2026-11-24</Dt></ValDt>' });
  const damage = fc.record({
    at: fc.integer({ min: 0, max: whole.length }),
    removed: fc.nat({ max: 9 }),
    added: fc.constantFrom('', ...pieces),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { maxLength: 3 }), async (damages) => {
      const text = damages.reduce(
        (text, { at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed),
        whole,
      );
      const inOne = await camt(text, 65_536);
      for (const size of [1, 2, 13]) expect(await camt(text, size)).toEqual(inOne);
    }),
    { numRuns: 300 },
  );
});

/** Texts that are no amount of any currency: each is refused wherever an amount is asked for. */
export const badAmounts: readonly string[] = [
  ...[
    '-1',
    '+1',
    '1e3',
    '0x10',
    '１００',
    '1,000',
    '1.000.000',
    '.5',
    '5.',
    '01',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
  ],
  ...['0.001', '1.123456789', '9'.repeat(40), `1.${'0'.repeat(40)}`, '', '١٢', '1_000', '½', '0b1', '1\n'],
];

/** Texts that PostgreSQL can't keep: each is refused in any field. */
export const unkeepable: readonly string[] = ['\0', 'a\0b', '\ud800', 'x\udfffy', '\udc00\ud800'];

/** Texts that break what is careless with them. */
export const hostileTexts: readonly string[] = [
  ...unkeepable,
  ...["' or 1=1 --", '"; drop table payout; --', '%', '_', '\\', '$1', '{{7*7}}', '../../etc/passwd'],
  ...[
    '<script>alert(1)</script>',
    '=1+1',
    '@SUM(A1)',
    'javascript:alert(1)',
    'http://[',
    'http://localhost\u0000/',
  ],
  ...[
    '\u202e\u200b\ufeff',
    '\r\nX-Evil: 1',
    'true',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    'n,999999999999999,999999999999999999',
    '0',
    '-1',
    '1e999',
    '9'.repeat(30),
    'é'.normalize('NFD'),
    '😀'.repeat(20),
  ],
  ...[
    '2026-02-30',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
    '1970-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-12:00',
    '0001-01-01T00:00:00+14:00',
    `2026-01-01T00:00:00.${'9'.repeat(200)}Z`,
    '0000-01-01',
    '9999-12-31',
  ],
  ...['x'.repeat(128), 'x'.repeat(129), 'x'.repeat(3000), 'ﷺ'.repeat(30), 'İ', 'ß', '\u0130'.repeat(20)],
  // Cursors that are well made, of nothing that is there.
  ...['n,999999999999999,999999999999999999', 'p,0,0', 'n,0,0', 'p,999999999999999,1'].map((text) =>
    Buffer.from(text).toString('base64url'),
  ),
];

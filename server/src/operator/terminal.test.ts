import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { runOperator } from '../testing/operator-run.ts';
import { operatorMain } from '../testing/product-process.ts';
import { testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { operatorProgram } from './commands.ts';

/** Sets the terminal's title, moves the cursor, reverses the text direction, hides text, forges a line. */
const hostile = 'x\u001b]0;y\u0007\u009b2j\u007f\u202ez\u2066\u200b\u2028\r\nlook: all is well';
const shown = 'x\\u001b]0;y\\u0007\\u009b2j\\u007f\\u202ez\\u2066\\u200b\\u2028\\r\\nlook: all is well';
/** Characters that no terminal may be sent; only line feeds are allowed. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

let product: TestProduct;
let merchant: TestMerchant;
let tradeNo = '';
let topupNo = '';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('spoofed');
  await product.person(merchant);
  await product.fund(merchant, '100.00');
  const { json } = await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: '1',
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: '20.00',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222 0212 3456 7890 128',
  });
  tradeNo = json.trade_no;
  await store();
  vi.stubEnv('DATABASE_URL', product.ownerUrl);
  vi.stubEnv('APP_KEY', testKey);
  vi.stubEnv('DATA_DIR', product.dataDirectory);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await product.close();
});

/** Stores the text wherever a command reads one, bypassing validation. */
async function store(): Promise<void> {
  const { id } = merchant;
  await product.services.database.asSystemFor(id, async (tx) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(tx.query);
    await run(sql`update merchant set name = ${hostile} where id = ${id}`);
    await run(sql`update app_user set name = ${hostile}, email = ${hostile}
      where id in (select user_id from membership where merchant_id = ${id})`);
    await run(sql`update payout set created_at = now() - interval '1 hour' where merchant_id = ${id}`);
    await run(sql`insert into payout_event (merchant_id, payout_id, status, reason, detail)
      select merchant_id, id, status, ${hostile}, ${hostile} from payout where merchant_id = ${id}`);
    // A number with the merchant's lane, by which it is found.
    topupNo = tradeNo.replace(/^P/, 'T');
    await run(sql`with made as (insert into topup (merchant_id, trade_no, usdt_minor, currency, amount_minor, usdt_rate,
        network, address, transaction_id, created_by)
        values (${id}, ${topupNo}, 1, 'CNY', 1, 7, 'TRC20', ${hostile}, ${hostile}, 'user:1') returning id)
      insert into topup_image (merchant_id, topup_id, type, bytes, sha256)
      select ${id}, id, 'image/png', '\\x00', sha256('\\x00') from made`);
    await run(sql`insert into withdrawal (merchant_id, trade_no, request_hash, usdt_minor, fee_usdt_minor, currency,
        amount_minor, fee_minor, usdt_rate, network, address, created_by)
      values (${id}, 'W1', '\\x00', 1, 0, 'CNY', 1, 0, 7, 'TRC20', ${hostile}, 'user:1')`);
  });
  await asOwner(product.ownerUrl, async (client) => {
    await client.query('alter table staff_user drop constraint staff_user_name');
    for (const statement of [
      `insert into contact_way (kind, value, note_en, note_vi) values ('email', $1, $1, $1)`,
      `insert into status_incident (source, impact, title_en, started_at) values ('operator', 'degraded', $1, now())`,
      `insert into staff_user (email, name, password_hash, roles) values ('a@b.test', $1, '', '{ADMIN}')`,
      `insert into deposit_wallet (network, address, minimum_usdt_minor) values ('TRC20', $1, 1)`,
      `insert into announcement (kind, text_en, starts_at) values ('information', $1, now())`,
      `insert into ledger_proof (begun_at, violation_count, examples) values (now(), 1, jsonb_build_array($1::text))`,
      `insert into archived_month (table_name, month, file_key, archived_at, row_count, bytes, sha256)
        values ('payout_event', '2000-01-01', $1, now(), 0, 0, '')`,
      `select graphile_worker.add_job($1, run_at => now() - interval '1 hour')`,
    ])
      await client.query(statement, [hostile]);
  });
}

const outputOf = async (...args: string[]) => (await runOperator(...args)).text;

/** Finds the commands without required arguments and options: those that list stored data. */
function listing(command: Command, names: readonly string[] = []): string[][] {
  if (command.commands.length > 0)
    return command.commands.flatMap((inner) => listing(inner, [...names, inner.name()]));
  const needsArgument = command.registeredArguments.some(({ required }) => required);
  return needsArgument || command.options.some(({ mandatory }) => mandatory) ? [] : [[...names]];
}

/**
 * Without commands that print no stored text and need more than a database: a second key, an archive of WAL, or a restored
 * database (`recovery.test`, `comparison.test` and the torture `point-in-time` run those).
 */
const listings = listing(operatorProgram()).filter(
  (words) => words.join(' ') !== 'key rotate' && !['restore', 'recovery'].includes(words[0] ?? ''),
);

const shows = [
  ['ledger', 'proofs'],
  ['topup', 'show', 'the topup'],
  ['payout', 'show', 'the payout'],
  ['recovery', 'compare', '--since', '2026-01-01T00:00:00Z'],
];

describe.each([...listings, ...shows].map((words) => words.join(' ')))('%s', (name) => {
  const args = () => name.replace('the payout', tradeNo).replace('the topup', topupNo).split(' ');

  it('prints stored text escaped on a terminal', async () => {
    const text = await outputOf(...args());
    expect(text).not.toMatch(unseen);
    if (showsStoredText(args())) expect(text).toContain(shown);
  });

  it('prints JSON that parses to the stored text, and contains nothing that a terminal obeys', async () => {
    const text = await outputOf(...args(), '--json');
    expect(text).not.toMatch(unseen);
    const parsed = JSON.parse(text);
    if (showsStoredText(args())) expect(textsIn(parsed).join('\n')).toContain(hostile);
  });
});

/** Whether a command prints text that others than operators can set. */
function showsStoredText(args: readonly string[]): boolean {
  return ![
    'audit seal',
    'audit verify',
    'channel list',
    'database login',
    'database status',
    'payout list',
    'recovery compare',
    'withdrawal terms',
  ].includes(args.slice(0, 2).join(' '));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...(value.startsWith('[') ? textsIn(JSON.parse(value)) : [])];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

it('error messages, also those of the command-line parser, escape the input that they repeat', async () => {
  const env = { ...process.env, DATABASE_URL: product.ownerUrl, APP_KEY: testKey };
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [operatorMain, ...args], { env }).then(
      () => expect.fail('it worked'),
      ({ stderr }: { stderr: string }) => stderr,
    );
  const errors = [
    await run('payout', 'list', '--older', hostile),
    await run(hostile),
    await run('topup', 'approve', 'T1', '--arrived', hostile),
  ];
  for (const text of errors) {
    expect(text).not.toMatch(unseen);
    expect(text.replaceAll('\\n', '\n')).toContain('x\\u001b]0;y');
  }
});

it('only print.ts writes output', async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) =>
    /^(?!.*\.test\.)(?!print).*\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(10);
  for (const file of files)
    expect(await readFile(`${import.meta.dirname}/${file}`, 'utf8')).not.toMatch(
      /console\.\w+\(|process\.std(out|err)/,
    );
});

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCollection, openCollection } from '@hengfu/contract/collections.open';
import { fundFlowRow } from '@hengfu/contract/fund-flow';
import { openError, openListReply } from '@hengfu/contract/open-api';
import { createPayout } from '@hengfu/contract/payouts.open';
import { openRefund } from '@hengfu/contract/refunds.open';
import { settlementRow } from '@hengfu/contract/settlements';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import * as z from 'zod';
import { freePort } from '#db/embedded/server-process.ts';
import { blocksOf, CheckedDocument } from '../../testing/code-blocks.ts';
import { fundMerchant } from '../../testing/keyed-merchants.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { signatureOf } from '../signature.ts';

const run = promisify(execFile);
const openApi = new CheckedDocument('docs/open-api.md');
const payouts = new CheckedDocument('docs/open-api-payouts.md');
const quickstart = new CheckedDocument('docs/quickstart.md');
const versions = new CheckedDocument('docs/open-api-versions.md');
const documents = { openApi, payouts, quickstart, versions };

const programs = [
  ['js', 'node', 'mjs'],
  ['python', 'python3', 'py'],
  ['php', 'php', 'php'],
] as const;
type Language = (typeof programs)[number][0];
const inEach = (holds: RegExp) =>
  Object.fromEntries(programs.map(([language]) => [language, openApi.take(language, holds)])) as Record<
    Language,
    string
  >;

/** The blocks of the documents: each is used by a test below. */
const shown = {
  order: openApi.take('json', /^\{"out_trade_no"/),
  callback: openApi.take('json', /^\{"type":"collection.paid"/),
  replies: openApi.takeAll('json'),
  genuine: inEach(/is_?genuine/i),
  whole: openApi.take('js', /function\* whole/),
  create: inEach(/BASE|base/),
  limits: openApi.take('http', /RateLimit-Policy/),
  repeated: openApi.take('http', /Idempotency-Key/),
  // Their signatures are compared with those that the service computes.
  signed: [openApi.take('http', /X-Signature/), openApi.take('http', /webhook-signature/)],
  payout: payouts.take('json'),
  version: versions.take('http', /^Hengfu-Version/),
  // `versions.test` sends this reply.
  deprecated: versions.take('http', /Sunset/),
  steps: quickstart.takeAll('js'),
  commands: quickstart.takeAll('sh'),
};

let product: TestProduct;
let merchant: TestMerchant;
let folder: string;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  merchant = await product.merchant('reader');
  await fundMerchant(product, merchant, '100.00');
  folder = await mkdtemp(join(tmpdir(), 'hengfu-examples-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await product.close();
});

/** Replaces the demo's address and key by those of the test; each must be there. */
function forTest(code: string, more: Readonly<Record<string, string>> = {}): string {
  const { id, secret } = merchant.program.key;
  const replaced = {
    'http://127.0.0.1:8080': product.url,
    ak_demo_hengfu: id,
    sk_demo_hengfu_2026: secret,
    ...more,
  };
  return Object.entries(replaced).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, code);
}

/** Returns the callback that the document shows, with its headers and the time at which it was sent. */
function shownCallback() {
  const values = /webhook-id: (\S+)\nwebhook-timestamp: (\S+)\nwebhook-signature: (\S+)/.exec(
    shown.signed.join('\n'),
  );
  const [, id = '', timestamp = '', signature = ''] = values ?? [];
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { body: shown.callback, headers, at: Number(timestamp) };
}

const hasProgram = (name: string) =>
  run(name, ['--version']).then(
    () => true,
    () => false,
  );
const installed = new Map(
  await Promise.all(programs.map(async ([, program]) => [program, await hasProgram(program)] as const)),
);

describe('open-api.md', () => {
  it('has a worked example with the signatures that the service expects', () => {
    const body = shown.order;
    expect(Buffer.byteLength(body)).toBe(202);
    const signed = { timestamp: '1795190400', method: 'POST', pathWithQuery: '/openapi/v1/collections' };
    const post = { ...signed, nonce: '5f0c9b1e7a3d4c52', body: Buffer.from(body) };
    expect(openApi.text).toContain(createHash('sha256').update(body).digest('hex'));
    expect(shown.signed[0]).toContain(`X-Signature: ${signatureOf('sk_demo_hengfu_2026', post)}`);
    const get = {
      ...signed,
      method: 'GET',
      pathWithQuery: '/openapi/v1/collections?out_trade_no=SO-20261120-0001',
      nonce: '8d1f6c0a4b7e4e93',
      body: Buffer.alloc(0),
    };
    expect(openApi.text).toContain(`X-Signature: ${signatureOf('sk_demo_hengfu_2026', get)}`);
  });

  it.each(programs.filter(([, program]) => installed.get(program)))(
    'has %s code that creates an order',
    async (language, program, extension) => {
      const file = join(folder, `create.${extension}`);
      await writeFile(file, forTest(shown.create[language]));
      const { stdout } = await run(program, [file]);
      expect(stdout.trim()).toMatch(new RegExp(`^${product.url}/pay/[\\w-]+$`));
    },
  );

  it.each(programs.filter(([, program]) => installed.get(program)))(
    'has %s code that recognizes genuine callbacks, and no others',
    async (language, program, extension) => {
      const { body, headers, at } = shownCallback();
      const json = (value: unknown) => JSON.stringify(value);
      const calls = {
        js: `console.log([0, 301].map((late) => isGenuine('sk_demo_hengfu_2026', ${json(headers)}, ${json(body)}, ${at} + late)).join(), isGenuine('sk_other', ${json(headers)}, ${json(body)}, ${at}));`,
        python: `import json\nh, b = json.loads(${json(json(headers))}), ${json(body)}.encode()\nprint(str([is_genuine("sk_demo_hengfu_2026", h, b, ${at} + late) for late in (0, 301)])[1:-1].replace(" ", "").lower(), str(is_genuine("sk_other", h, b, ${at})).lower())`,
        php: `$h = json_decode(${json(json(headers)).replaceAll('$', '\\$')}, true); $b = ${`'${body}'`};\n$t = fn($s, $late) => isGenuine($s, $h, $b, ${at} + $late) ? 'true' : 'false';\necho $t('sk_demo_hengfu_2026', 0), ',', $t('sk_demo_hengfu_2026', 301), ' ', $t('sk_other', 0);`,
      };
      const file = join(folder, `genuine.${extension}`);
      await writeFile(file, `${shown.genuine[language]}\n${calls[language]}\n`);
      expect((await run(program, [file])).stdout.trim()).toBe('true,false false');
    },
  );

  it('shows a signature of a callback that the library it recommends accepts', () => {
    const { body, headers, at } = shownCallback();
    const library = new Webhook(Buffer.from('sk_demo_hengfu_2026').toString('base64'));
    vi.useFakeTimers({ now: at * 1000, toFake: ['Date'] });
    try {
      expect(library.verify(body, headers)).toMatchObject({ type: 'collection.paid' });
      expect(() => library.verify(`${body} `, headers)).toThrow();
    } finally {
      vi.useRealTimers();
    }
  });

  it('has code that reads a whole list', async () => {
    for (let n = 0; n < 3; n++) await merchant.program.create(`listed-${n}`);
    const file = join(folder, 'whole.mjs');
    await writeFile(file, `${forTest(shown.create.js)}\n${shown.whole.replace("'100'", "'2'")}\n`);
    const lines = (await run('node', [file])).stdout.trim().split('\n').slice(1);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('shows replies as the service sends them', () => {
    const shapes: [holds: string, z.ZodType][] = [
      ['"cashierUrl"', openCollection.strict()],
      ['"refund_no"', openRefund.strict()],
      ['"settlement_no"', settlementRow.strict()],
      ['"entry_no"', fundFlowRow.strict()],
      ['"instance"', openError.strict()],
      ['"next_cursor"', openListReply(z.never()).strict()],
      ['{"out_trade_no"', createCollection],
      ['"type": "collection.paid"', z.looseObject({ data: openCollection.partial().loose() })],
      ['{"type":"collection.paid"', z.looseObject({ data: openCollection.partial().loose() })],
    ];
    const codes = [shown.order, shown.callback, ...shown.replies.map(({ code }) => code)];
    expect(codes).toHaveLength(shapes.length);
    for (const code of codes) {
      const [, shape] = shapes.find(([holds]) => code.includes(holds)) ?? [];
      expect(shape?.safeParse(JSON.parse(code)).error, code).toBeUndefined();
    }
  });

  it('shows headers as the service sends them', async () => {
    const { headers } = await merchant.program.get('/openapi/v1/payouts/list');
    expect(shown.limits).toContain(`RateLimit-Policy: ${headers.get('ratelimit-policy')}`);
    const digits = (text: string | null) => text?.replaceAll(/\d+/g, '0');
    expect(digits(shown.limits)).toContain(`RateLimit: ${digits(headers.get('ratelimit'))}`);
  });
});

it('shows a repeated call and the version as the service accepts them', async () => {
  const [, path = '', key = ''] = /^POST (\S+) HTTP\/1.1\nIdempotency-Key: (\S+)$/.exec(shown.repeated) ?? [];
  const { json: order } = await merchant.program.create('repeated', { channel: 'CN_BANK' });
  await product.services.collections.report({
    reference: order.trade_no,
    status: 'paid',
    bankReference: 'b-repeated',
    amountMinor: 10_000n,
    currency: 'CNY',
    reason: null,
  });
  const [, version = ''] = /^Hengfu-Version: (\S+)$/.exec(shown.version) ?? [];
  const call = () =>
    merchant.program.post(path.replace('C261120160000618033989', order.trade_no), undefined, {
      headers: { 'idempotency-key': key, 'hengfu-version': version },
    });
  expect([(await call()).status, (await call()).headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(shown.deprecated).toContain(`Hengfu-Version: ${version}`);
});

it('open-api-payouts.md has a payout that the service accepts', async () => {
  const body: unknown = JSON.parse(shown.payout);
  expect(createPayout.safeParse(body).success).toBe(true);
  await fundMerchant(product, merchant, '2000.00');
  const { status, json } = await merchant.program.post('/openapi/v1/payouts', body);
  expect([status, json.payee]).toEqual([201, '王芳']);
});

describe('quickstart.md', () => {
  it('leads to a paid order, by its own code', async () => {
    const port = await freePort(0);
    const script: string[] = ['set -e', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT"];
    let files = 0;
    for (const { language, code, before } of blocksOf(quickstart.text)) {
      if (language === 'sh') script.push(code.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`));
      else {
        const [, name = ''] = /`(\w+\.mjs)`[^`]*$/.exec(before) ?? [];
        expect(name).not.toBe('');
        files++;
        const own = name === 'hengfu.mjs' ? forTest(code) : code;
        const adapted = own.replaceAll('3000', String(port));
        await writeFile(join(folder, name), adapted);
      }
    }
    expect([files, script.length - 2]).toEqual([shown.steps.length, shown.commands.length]);
    const { output, status } = await bash(script.join('\n'));
    expect(status, output).toBe(0);
    expect(output).toMatch(/available: '\d+\.\d\d'/);
    expect(output).toMatch(/^http\S+\/pay\/\S+$/m);
    expect(output).toMatch(/^paid$/m);
    expect(output).toMatch(/^success: 100\.05, fee \d+\.\d\d$/m);
    expect(output).toMatch(/^collection\.paid SO-\d+$/m);
    expect(output).toMatch(/^C\d{21}-R1 (processing|refunded)$/m);
    expect(output).toMatch(/^SO-\d+ \w+ 100\.05$/m);
  }, 120_000);
});

it.each(Object.entries(documents))('%s has no block that no test above takes', (_, document) => {
  expect(document.left).toEqual([]);
});

/** Runs a script in the folder of the examples. */
async function bash(script: string): Promise<{ output: string; status: number | null }> {
  const child: ChildProcess = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (part: Buffer) => {
    output += part;
  });
  child.stderr?.on('data', (part: Buffer) => {
    output += part;
  });
  const status = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  return { output, status };
}

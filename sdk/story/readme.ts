import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '@hengfu/tools/free-port';
import { Webhook } from 'standardwebhooks';
import { sdkFolder } from '../generate/files.ts';
import type { Command, Library } from './languages.ts';
import { runCommand, startCommand } from './play.ts';

const templates = join(import.meta.dirname, 'readme');
/** The blocks of a README: the quick start, a receiver of callbacks, a list, and errors. A further one needs a place in the templates. */
const blockCount = 4;

/** Reads the programs of a library's README. Throws an error if there are more, or fewer, than the tests run. */
function readmeBlocks({ folder }: Library): string[] {
  const text = readFileSync(join(sdkFolder, folder, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)\n *```$/gm)].map(([, code = '']) => code);
  if (blocks.length !== blockCount)
    throw new Error(
      `${blocks.length} blocks instead of ${blockCount}: give the new one a place in sdk/story/readme`,
    );
  return blocks;
}

/** Runs the first program of the library's README against the product: it must print the link of an order. */
export async function runQuickStart(library: Library, base: string): Promise<void> {
  const [program = ''] = readmeBlocks(library);
  write(library, library.quickStart.file, forProduct(program, base));
  const output = await runCommand(library, library.quickStart);
  if (!output.trim().startsWith(`${base}/pay/`)) throw new Error(`no link of an order: ${output}`);
}

/**
 * Runs the other programs of the README, each within what the text around it presumes: the receiver must deliver a genuine callback and refuse a
 * forged one, the list must have orders, and a payout beyond the funds must be recognized.
 */
export async function runReadme(
  library: Library,
  base: string,
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  const { readme } = library;
  const port = await freePort();
  for (const { template, file } of readme.files) {
    const program = forProduct(filled(library, template), base)
      .replaceAll('ak_demo_hengfu', id)
      .replaceAll('sk_demo_hengfu_2026', secret);
    write(library, file, program.replaceAll('8000', String(port)));
  }
  const variables = {
    HENGFU_BASE: base,
    HENGFU_KEY: id,
    HENGFU_SECRET: secret,
    CALLBACK: JSON.stringify(genuineCallback(secret)),
  };
  const outputs = readme.receiver ? [await receive(library, readme.receiver, variables, port)] : [];
  outputs.push(await runCommand(library, readme, variables));
  assertOutput(outputs.join('\n'));
}

/** Puts the blocks of the README into a template, with its own indentation. */
function filled(library: Library, template: string): string {
  const blocks = readmeBlocks(library);
  return readFileSync(join(templates, template), 'utf8').replace(
    /^([ \t]*)@block (\d)$/gm,
    (_, indent: string, place: string) => (blocks[Number(place) - 1] ?? '').replace(/^(?=.)/gm, indent),
  );
}

function forProduct(program: string, base: string): string {
  return program.replaceAll('http://127.0.0.1:8080', base);
}

function write({ folder }: Library, path: string, text: string): void {
  const file = join(sdkFolder, folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const callbackId = '0192f1c6-8f0b-7a51-9a3c-0d6f3c1b7e21';

const paidOrder = {
  trade_no: 'C1',
  out_trade_no: 'SO-1',
  status: 'paid',
  amount: '100.00',
  fee: '0.60',
  currency: 'CNY',
  channel: 'CN_BANK',
  subject: null,
  cashierUrl: 'https://pay.example/pay/C1',
  refundedAt: null,
  failureCode: null,
  failureReason: null,
  refunded: '0.00',
  refundPending: false,
  refundApprovalState: null,
};

function genuineCallback(secret: string) {
  const now = new Date();
  const body = JSON.stringify({
    type: 'collection.paid',
    timestamp: now,
    data: { ...paidOrder, createdAt: now, expiresAt: now, paidAt: now },
  });
  const signature = new Webhook(Buffer.from(secret).toString('base64')).sign(callbackId, now, body);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    headers: { 'webhook-id': callbackId, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    body,
  };
}

/** Starts a receiver that a web server runs, and sends it both callbacks. Returns what it printed. */
async function receive(
  library: Library,
  command: Command,
  variables: Record<string, string>,
  port: number,
): Promise<string> {
  const args = command.args.map((argument) => argument.replace('8000', String(port)));
  const child = startCommand(library, { ...command, args }, variables);
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  try {
    const { headers, body } = genuineCallback(variables.HENGFU_SECRET ?? '');
    for (const text of [body, '{}']) {
      const reply = await sendWhenReady(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
      output += `\ncallback ${reply.status}\n`;
    }
    return output;
  } finally {
    child.kill();
  }
}

const startupMs = 20_000;

async function sendWhenReady(url: string, init: RequestInit): Promise<Response> {
  const deadline = Date.now() + startupMs;
  for (;;) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}

/** Asserts what the programs have printed, whatever their language. */
function assertOutput(output: string): void {
  const expected = [
    new RegExp(`delivered ${callbackId} C1`),
    /^callback 204$/m,
    /^callback 401$/m,
    /^C\d{21}$/m,
    /insufficient_funds/,
  ];
  const missing = expected.filter((pattern) => !pattern.test(output));
  if (missing.length > 0 || output.includes('unknown'))
    throw new Error(`${missing.join(', ')} is not in the output:\n${output.slice(-4000)}`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OpenCollection } from '@hengfu/contract/collections.open';
import type { OpenPayout } from '@hengfu/contract/payouts.open';
import type { OpenRefund } from '@hengfu/contract/refunds.open';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { sdkFolder } from '../generate/files.ts';
import type { Command, Library } from './languages.ts';
import { forge, pay } from './payer.ts';

/** A story that is stuck is ended after this time. */
const patienceMs = 300_000;

/** The numbers that a program writes at its end. */
interface Done {
  readonly order: string;
  readonly refund: string;
  readonly payout: string;
  readonly refused: number;
}

type Line =
  | { readonly step: 'pay'; readonly cashierUrl: string; readonly notifyUrl: string }
  | ({ readonly step: 'done' } & Done);

/** Runs a command in the library's folder, and returns its output. Throws an error with it if the command fails. */
export async function runCommand(
  library: Library,
  command: Command,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = startCommand(library, command, variables);
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0)
    throw new Error(`${command.program} exited with code ${exitCode}\n${output.slice(-4000)}`);
  return output;
}

/** Plays the story with a library. Throws an error that says what differs. */
export async function playStory(
  library: Library,
  product: { base: string; shop: ShopProgram; payout: string; hasLists: boolean },
): Promise<void> {
  const { base, shop } = product;
  const before = await totalFunds(shop);
  const done = await follow(library, {
    HENGFU_BASE: base,
    HENGFU_KEY: shop.key.id,
    HENGFU_SECRET: shop.key.secret,
    STORY_NAME: `sdk-${library.folder}-${Date.now()}`,
    STORY_PAYOUT: product.payout,
    STORY_LISTS: product.hasLists ? '1' : '',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  });
  const order = await read<OpenCollection>(shop, `collections/${done.order}`);
  const refund = await read<OpenRefund>(shop, `refunds/${done.refund}`);
  const payout = await read<OpenPayout>(shop, `payouts/${done.payout}`);
  same('the order', [order.status, order.amount, order.refunded], ['success', '100.00', '30.00']);
  same('the refund', [refund.status, refund.amount, refund.trade_no], ['refunded', '30.00', done.order]);
  same('the payout', [payout.status, payout.amount], ['processed', product.payout]);
  same('the number of refused callbacks', done.refused, 1);
  const received = minor(order.amount) - minor(order.fee) - (minor(refund.amount) - minor(refund.fee));
  same('the funds', await totalFunds(shop), before + received - minor(payout.amount) - minor(payout.fee));
}

/** Starts a command in the library's folder. */
export function startCommand(
  library: Library,
  { program, args, env }: Command,
  variables: Readonly<Record<string, string>>,
) {
  return spawn(program, [...args], {
    cwd: join(sdkFolder, library.folder),
    env: { ...process.env, ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the program, and pays when it asks for it. */
async function follow(library: Library, env: Record<string, string>): Promise<Done> {
  const child = startCommand(library, library.story, env);
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  try {
    let done: Done | undefined;
    for await (const text of createInterface({ input: child.stdout })) {
      const line: Line = JSON.parse(text);
      if (line.step === 'done') done = line;
      else {
        same('the reply to a forged callback', await forge(line.notifyUrl), 401);
        await pay(line.cashierUrl);
      }
    }
    const [exitCode, signal] = await closed;
    if (exitCode !== 0 || !done)
      throw new Error(`the program ended with ${exitCode ?? signal}\n${errors.slice(-4000)}`);
    return done;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

async function read<R>(shop: ShopProgram, path: string): Promise<R> {
  const { status, json } = await shop.get(`/openapi/v1/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
  return json as R;
}

/** Returns the merchant's funds, settled or not, in minor units. */
async function totalFunds(shop: ShopProgram): Promise<bigint> {
  return minor((await read<{ total: string }>(shop, 'balance')).total);
}

const minor = (amount: string) => BigInt(amount.replace('.', ''));

function same(subject: string, found: unknown, expected: unknown): void {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
  if (text(found) !== text(expected))
    throw new Error(`${subject}: ${text(found)} instead of ${text(expected)}`);
}

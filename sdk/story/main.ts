import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { operator } from '@hengfu/e2e/people.ts';
import { startProduct } from '@hengfu/e2e/product.ts';
import { skipReason } from '@hengfu/server/testing/obstacle.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { countsLine, type StageResult, type TestNote } from '@hengfu/tools/stage';
import { inOrder } from '../generate/document.ts';
import type { OpenDocument } from '../generate/model.ts';
import { type Library, libraries } from './languages.ts';
import { playStory, runCommand } from './play.ts';
import { runQuickStart, runReadme } from './readme.ts';

/**
 * The stage `sdk` of `npm test`: the tests of the libraries, and their shared story (README.md) against the running
 * product. Writes its result to STAGE_FILE. Arguments select libraries by a substring of their folder.
 */
const failures: TestNote[] = [];
const skipped: TestNote[] = [];
let passed = 0;

async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  try {
    await work();
    passed++;
    console.log(`  ✓ ${name} (${Math.round(performance.now() - startedAt)} ms)`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    failures.push({ name: `sdk › ${name}`, message });
    console.log(`  ✗ ${name}\n${message}`);
  }
}

const wanted = process.argv.slice(2);
const chosen = libraries.filter(
  ({ folder }) => wanted.length === 0 || wanted.some((each) => folder.includes(each)),
);
const runnable: Library[] = [];
for (const library of chosen) {
  const obstacle = library.obstacle();
  if (obstacle) skipped.push({ name: `sdk › ${library.name}`, message: skipReason(obstacle) });
  else runnable.push(library);
}

for (const library of runnable) {
  await attempt(`${library.name} › its own tests`, async () => {
    for (const command of library.tests) await runCommand(library, command);
  });
}

/** The key of the demo's test merchant, which has a few orders: the READMEs list all of them. */
const testKey = { id: 'ak_test_demo_hengfu', secret: 'sk_test_demo_hengfu_2026' };

if (runnable.length > 0) {
  const stop = await startProduct();
  const base = process.env.E2E_URL ?? '';
  const shop = new ShopProgram(base, { id: 'ak_demo_hengfu', secret: 'sk_demo_hengfu_2026' });
  const checked: OpenDocument = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const hasLists = '/openapi/v1/collections/list' in checked.paths;
  await attempt('the document that the product serves is the checked one', async () => {
    const served = (await (await fetch(`${base}/api/docs/open.json`)).json()) as OpenDocument;
    if (!isDeepStrictEqual(inOrder(served), checked)) throw new Error('it differs from sdk/openapi.json');
  });
  for (const [index, library] of runnable.entries()) {
    // An amount of its own: the same one to the same account is refused as similar.
    const product = { base, shop, payout: `12.${30 + index}`, hasLists };
    await attempt(`${library.name} › the quick start of its README`, () => runQuickStart(library, base));
    await attempt(`${library.name} › the other programs of its README`, () =>
      runReadme(library, base, testKey),
    );
    await attempt(`${library.name} › the shared story`, () => playStory(library, product));
  }
  await attempt('the ledger is sound after all stories', async () => {
    await operator('ledger', 'verify');
  });
  await stop();
}

const result: StageResult = { passed, failed: failures.length, failures, skipped };
if (process.env.STAGE_FILE) writeFileSync(process.env.STAGE_FILE, JSON.stringify(result));
for (const { name, message } of skipped) console.log(`  – ${name}: ${message}`);
console.log(countsLine([result]));
process.exitCode = failures.length > 0 ? 1 : 0;

import { parseArgs } from 'node:util';
import { startDemo, withFolder } from '@hengfu/server/testing/test-installation.ts';
import { type Finding, formatFinding, reasonOf, unexplained } from './findings.ts';
import { pages } from './pages.ts';
import { ScanProxy } from './proxy.ts';
import { missingTools, runSqlmap, runWapiti, type ScanContext } from './scanners.ts';
import { readTargets, type Target, writtenTargets } from './targets.ts';

/**
 * `npm run scan [-- wapiti sqlmap] [--only=part of a path] [--minutes=N]`: starts the product with demo data
 * on loopback and runs installed scanners on it, signed in. Exits with 0 if every finding is accepted, with 1
 * if one is not, and with 2 if a scanner is not installed.
 */
const tools = ['wapiti', 'sqlmap'];
const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, minutes: { type: 'string', default: '30' } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : tools;
const missing = wanted.every((tool) => tools.includes(tool)) ? await missingTools(wanted) : undefined;
if (missing === undefined) {
  console.error(`npm run scan -- [${tools.join('] [')}]`);
  process.exit(1);
}
if (missing.length > 0) {
  console.error(`Not installed: ${missing.join(', ')}. On Debian: apt-get install ${missing.join(' ')}`);
  process.exit(2);
}

// No demo activity during the scan.
process.env.DEMO_AUTOPILOT = '0';
// A scanner sends thousands of variations of the same list.
process.env.SIGNED_LISTS_PER_MINUTE = '1000000';
const findings = await withFolder(async (folder) => {
  const product = await startDemo(folder);
  const proxy = await ScanProxy.open({
    url: product.url,
    person: { email: 'demo@hengfu.test', password: 'Demo-pass-2026' },
    key: { id: 'ak_demo_hengfu', secret: 'sk_demo_hengfu_2026' },
  });
  try {
    const found = await scan({ url: proxy.url, folder }, proxy);
    const statuses = [...proxy.statuses].sort(([one], [other]) => one - other);
    console.log(`answers: ${statuses.map(([status, count]) => `${count} × ${status}`).join(', ')}`);
    return [...found, ...proxy.findings];
  } finally {
    await proxy.close();
    await product.stop();
  }
});

const open = unexplained(findings);
for (const [line, reason] of new Map(findings.map((finding) => [formatFinding(finding), reasonOf(finding)])))
  console.log(reason === undefined ? `  FOUND ${line}` : `  accepted ${line}\n    ${reason}`);
console.log(`scan: ${open.length === 0 ? 'HELD' : `BROKEN, ${open.length} findings`}`);
if (open.length > 0) process.exitCode = 1;

async function scan(context: ScanContext, proxy: ScanProxy): Promise<Finding[]> {
  const read = (await readTargets(proxy)).filter(isWanted);
  const found: Finding[] = [];
  if (wanted.includes('wapiti')) {
    const begunAt = performance.now();
    const addresses = [...pages.filter((path) => path.includes(values.only)), ...read.map(plainPath)];
    found.push(...(await runWapiti(context, addresses, Number(values.minutes) * 60)));
    console.log(`wapiti: ${addresses.length} addresses, ${secondsSince(begunAt)} s`);
  }
  if (wanted.includes('sqlmap')) {
    const begunAt = performance.now();
    const targets = [...read, ...writtenTargets().filter(isWanted)];
    let testedCount = 0;
    for (const target of targets) {
      const outcome = await runSqlmap(context, target);
      console.log(`  sqlmap: ${target.method} ${target.name}: ${outcome.tested.length} parameters`);
      if (outcome.tested.length === 0) throw new Error(`sqlmap tested no parameter of ${target.name}`);
      found.push(...outcome.findings);
      testedCount += outcome.tested.length;
    }
    console.log(`sqlmap: ${targets.length} addresses, ${testedCount} parameters, ${secondsSince(begunAt)} s`);
  }
  return found;
}

function isWanted({ name }: Target): boolean {
  return name.includes(values.only);
}

/** The path without sqlmap's injection marks. */
function plainPath({ path }: Target): string {
  return path.replaceAll('*', '');
}

function secondsSince(begunAt: number): number {
  return Math.round((performance.now() - begunAt) / 1000);
}

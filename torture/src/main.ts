import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { skipReason } from '@hengfu/server/testing/obstacle.ts';
import { Random } from './torture.ts';
import { tortures } from './tortures.ts';

/**
 * `npm run torture -- [names] [--seed=N] [--short]`: runs the long forms of the tortures that `npm test` runs
 * in short, and prints one verdict line each. A seed repeats the choices, but not the interleaving of two
 * processes.
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const unknown = positionals.filter((name) => !Object.hasOwn(tortures, name));
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  console.error(`npm run torture -- [${Object.keys(tortures).join(', ')}] [--seed=N] [--short]`);
  process.exit(1);
}

const skipped: string[] = [];
const verdicts = { held: 0, broken: 0 };
for (const [name, torture] of Object.entries(tortures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const obstacle = await torture.obstacle();
  if (obstacle) {
    skipped.push(`${name} (${skipReason(obstacle)})`);
    console.log(`${name}: SKIPPED · ${skipReason(obstacle)}`);
    continue;
  }
  console.log(`${name}: ${torture.title} (seed ${seed})`);
  const begunAt = performance.now();
  const { counts, faults } = await torture.run(values.short ? 'short' : 'long', new Random(seed));
  const seconds = Math.round((performance.now() - begunAt) / 1000);
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const verdict = faults.length === 0 ? 'HELD' : `BROKEN, ${faults.length} faults`;
  console.log(`${name}: ${verdict} · ${figures.join(', ')} · seed ${seed} · ${seconds} s`);
  verdicts[faults.length === 0 ? 'held' : 'broken']++;
}
const skippedNames = skipped.length > 0 ? `: ${skipped.join(', ')}` : '';
console.log(`${verdicts.held} held, ${verdicts.broken} broken, ${skipped.length} skipped${skippedNames}`);
if (verdicts.broken > 0 || verdicts.held === 0) process.exitCode = 1;

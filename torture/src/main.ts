import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Random } from './torture.ts';
import { tortures } from './tortures.ts';

/**
 * `npm run torture -- [names] [--seed=N] [--short]`: the long forms of what `npm test` does in short, one verdict line
 * each. The same seed makes the same choices; what two processes do at one moment is not in it.
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

for (const [name, torture] of Object.entries(tortures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const obstacle = await torture.obstacle();
  if (obstacle !== undefined) {
    console.log(`${name}: not done here: ${obstacle}`);
    continue;
  }
  console.log(`${name}: ${torture.title} (seed ${seed})`);
  const begunAt = performance.now();
  const { counts, faults } = await torture.run(values.short ? 'short' : 'long', new Random(seed));
  const seconds = Math.round((performance.now() - begunAt) / 1000);
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  const told = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  const verdict = faults.length === 0 ? 'HELD' : `BROKEN, ${faults.length} faults`;
  console.log(`${name}: ${verdict} · ${told.join(', ')} · seed ${seed} · ${seconds} s`);
  if (faults.length > 0) process.exitCode = 1;
}

import { violations } from '@hengfu/server/ledger/ledger.ts';
import { countRows } from '@hengfu/server/testing/loader.sql.ts';
import { atLeast, atMost, type Figure } from './figures.ts';
import type { FilledInstallation } from './filled-installation.ts';

const limitMinutes = 15;
/** Minimum number of rows, in all tables, per collection. */
const rowsPerCollection = 5;

/** Measures how long generating a year took, and verifies it with the checks of `operator ledger verify`. */
export async function measureLoad(installation: FilledInstallation): Promise<Figure[]> {
  const startedAt = performance.now();
  const found = await installation.runtime.services.database.asSystem(violations);
  const verifyMinutes = (performance.now() - startedAt) / 60_000;
  const [first] = found;
  if (first) process.stderr.write(`${first.rule}: ${first.detail}\n`);
  return [
    { name: 'collections of the merchant', value: installation.collections, unit: '' },
    atLeast(
      'rows in all tables',
      await countRows(installation.ownerUrl),
      '',
      installation.collections * rowsPerCollection,
    ),
    { name: 'time to load', value: installation.fillMinutes, unit: 'min' },
    { name: 'time to verify', value: verifyMinutes, unit: 'min' },
    atMost('time to load and verify', installation.fillMinutes + verifyMinutes, 'min', limitMinutes),
    atMost('violations', found.length, '', 0),
  ];
}

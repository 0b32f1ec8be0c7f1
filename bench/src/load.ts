import { violations } from '@hengfu/server/ledger/ledger.ts';
import { countRows } from '@hengfu/server/testing/loader.sql.ts';
import { atLeast, atMost, type Figure } from './figures.ts';
import type { FilledInstallation } from './filled-installation.ts';

const limitMinutes = 15;
/** Of ten million collections, in all the tables. */
const rowsPerCollection = 5;

/** How long a year took to fill in, and to prove by the passes of `ledger verify`. */
export async function measureLoad(installation: FilledInstallation): Promise<Figure[]> {
  const begunAt = performance.now();
  const found = await installation.runtime.services.database.asSystem(violations);
  const provedIn = (performance.now() - begunAt) / 60_000;
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
    { name: 'filled in', value: installation.filledIn, unit: 'min' },
    { name: 'proved in', value: provedIn, unit: 'min' },
    atMost('filled and proved in', installation.filledIn + provedIn, 'min', limitMinutes),
    atMost('violations', found.length, '', 0),
  ];
}

import { readSource } from '../sources.ts';
import { licensesPath, licensesText } from './licenses.ts';
import { productionOf } from './production.ts';
import { sbomPath, sbomText } from './sbom.ts';

/** Generates the files that describe the lock file, by path. */
export function inventoryFiles(readFile: (path: string) => string = readSource): Map<string, string> {
  const product = JSON.parse(readFile('package.json'));
  const production = productionOf(JSON.parse(readFile('package-lock.json')));
  return new Map([
    [sbomPath(product), sbomText(product, production)],
    [licensesPath, licensesText(production)],
  ]);
}

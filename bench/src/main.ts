import { measureConsole } from './console.ts';
import { measureCreates } from './creates.ts';
import { measureExports } from './exports.ts';
import { type Figure, printFigures, saveFigures } from './figures.ts';
import { measureFlood } from './flood.ts';
import { measureLists } from './lists.ts';
import { measureStart } from './start.ts';

/** Every benchmark by its name. */
const benchmarks: Record<string, { title: string; measure: () => Promise<Figure[]> }> = {
  creates: { title: 'Signed creates through the Open API', measure: measureCreates },
  console: { title: 'The console, cold', measure: measureConsole },
  start: { title: 'Start and rest', measure: measureStart },
  flood: { title: 'A flood of bad sign-ins', measure: measureFlood },
  exports: { title: 'Exports', measure: () => measureExports() },
  lists: { title: 'Lists', measure: () => measureLists() },
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.\n`,
  );
  process.exit(1);
}
for (const [name, { title, measure }] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const figures = await measure();
  printFigures(title, figures);
  await saveFigures(name, figures);
}

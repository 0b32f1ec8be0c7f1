import { randomInt } from 'node:crypto';
import { measureConsole } from './console.ts';
import { measureCreates } from './creates.ts';
import { measureDashboard } from './dashboard.ts';
import { measureEvents } from './events.ts';
import { measureExports } from './exports.ts';
import { type Figure, type Measured, printFigures, printReport, saveFigures } from './figures.ts';
import { type FilledInstallation, openFilledInstallation } from './filled-installation.ts';
import { measureFlood } from './flood.ts';
import { measureHostile } from './hostile.ts';
import { keepRun, runOf } from './kept-runs.ts';
import { measureLists } from './lists.ts';
import { measureLoad } from './load.ts';
import { joined, measureMachine } from './machine.ts';
import { measureOffice } from './office.ts';
import { measurePayouts } from './payouts.ts';
import { measurePictures } from './pictures.ts';
import { measureReconciliation } from './reconciliation.ts';
import { measureRequestLog } from './request-log.ts';
import { measureStart } from './start.ts';
import { measureYear } from './year.ts';

interface Benchmark {
  title: string;
  /** Benchmarks that need a merchant's year share one installation. */
  measure: (year: () => Promise<FilledInstallation>) => Promise<Figure[]>;
}

/** Every benchmark, by name. */
const benchmarks: Record<string, Benchmark> = {
  creates: { title: 'Signed creates through the Open API', measure: measureCreates },
  requests: { title: 'Creates with and without the request log', measure: () => measureRequestLog() },
  payouts: { title: 'Signed payouts through the Open API', measure: () => measurePayouts() },
  console: { title: 'The console, cold and warm', measure: () => measureConsole(optionOf('against')) },
  start: { title: 'Start and rest', measure: measureStart },
  flood: { title: 'A flood of bad sign-ins', measure: measureFlood },
  pictures: { title: 'Pictures that arrive at once', measure: measurePictures },
  hostile: { title: 'The costliest call of each route', measure: () => measureHostile(seed) },
  events: { title: 'Live updates', measure: () => measureEvents() },
  load: { title: 'A year of one merchant', measure: async (year) => measureLoad(await year()) },
  lists: { title: 'Lists', measure: async (year) => measureLists(await year()) },
  dashboard: { title: 'Dashboard and daily report', measure: async (year) => measureDashboard(await year()) },
  exports: { title: 'Exports', measure: async (year) => measureExports(await year()) },
  office: { title: 'Orders of a thousand merchants', measure: () => measureOffice(rows) },
  reconciliation: { title: 'A statement of a million lines', measure: () => measureReconciliation() },
  year: { title: 'A year at 100 million orders a day, multiplied', measure: measureYear },
};

const defaultRows = 5_000_000;
const daysOfYear = 365;
const args = process.argv.slice(2);
const isKept = args.includes('--keep');
const names = args.filter((arg) => arg !== '--keep' && !/^--(rows|years|seed|against)=/.test(arg));
const optionOf = (name: string) =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const rows = Number(optionOf('rows') ?? defaultRows);
const years = Number(optionOf('years') ?? 1);
const seedArg = optionOf('seed');
/** Seed of the search for hostile calls; the same seed repeats it. */
const seed = seedArg === undefined ? randomInt(2 ** 31) : Number(seedArg);
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
// A part of the benchmarks is not a run to compare others with.
const isPartKept = isKept && args.length > 1;
if (
  unknown.length > 0 ||
  isPartKept ||
  ![rows, years, seed].every(Number.isSafeInteger) ||
  rows < 1 ||
  years < 1
) {
  const choice = Object.keys(benchmarks).join(', ');
  process.stderr.write(
    `npm run bench -- [${choice}] [--rows=<collections, ${defaultRows}>] [--years=<spread over, 1>] [--seed=N] [--against=<another checkout, console only>] [--keep]\n`,
  );
  process.exit(1);
}

let filled: Promise<FilledInstallation> | undefined;
const year = () => {
  filled ??= openFilledInstallation(rows, years * daysOfYear);
  return filled;
};
const all: Measured[] = [];
try {
  for (const [name, { title, measure }] of Object.entries(benchmarks)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const before = await measureMachine();
    const figures = await measure(year);
    const measured = { name, title, figures, machine: joined(before, await measureMachine()) };
    printFigures(measured);
    await saveFigures(measured);
    all.push(measured);
  }
  printReport(all);
  if (isKept) await keepRun(runOf(all, new Date()));
} finally {
  await (await filled)?.close();
}

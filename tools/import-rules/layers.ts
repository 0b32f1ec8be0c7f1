/** A part of the tree and what it may import. A file belongs to the first layer whose pattern fits. */
export interface Layer {
  readonly name: string;
  /** Fits the file's path; `(?<feature>…)` keeps the layer's features apart. */
  readonly files: RegExp;
  /** Layers that it may import beside itself; a feature never imports another one, whichever layer it is in. */
  readonly mayImport: readonly string[];
}

const shared = ['contract', 'phrases'];
/** What any part of the server may use: it knows no feature and, except for the database's room, no SQL. */
const serverBasics = [
  'server settings',
  'server domain',
  'server security',
  'server observability',
  'server threads',
];
const serverServices = [...serverBasics, 'server db', 'server ledger', 'server adapters'];
const serverFeatures = ['server modules', 'server routes', 'server services', 'server sql', 'server rules'];
const serverLayers = [
  ...serverServices,
  ...serverFeatures,
  'server http',
  'server composition',
  'server demo',
  'server process',
];
const consoleLayers = ['console platform', 'console ui', 'console features', 'console routes', 'console app'];

/** Who may import whom, as CONTRIBUTING.md explains it. */
export const layers: readonly Layer[] = [
  { name: 'settings', files: /^([^/]+\/)?[^/]+\.config\.ts$/, mayImport: ['tools', 'e2e', ...shared] },
  { name: 'phrases', files: /^phrases\//, mayImport: [] },
  { name: 'contract', files: /^contract\//, mayImport: ['phrases'] },
  { name: 'sandbox', files: /^sandbox\//, mayImport: [] },
  { name: 'e2e', files: /^e2e\//, mayImport: shared },
  { name: 'bench', files: /^bench\//, mayImport: ['torture', 'server tests', ...serverLayers, ...shared] },
  {
    name: 'torture',
    files: /^torture\//,
    mayImport: ['server tests', 'sandbox', ...serverLayers, ...shared],
  },
  { name: 'tools', files: /^(tools|console\/vite)\//, mayImport: shared },

  {
    name: 'server tests',
    files: /^server\/(.*\.test\.ts$|src\/testing\/)/,
    mayImport: [...serverLayers, 'server operator', 'sandbox', ...shared],
  },
  // Before the SQL: demo data is written through the ledger, its own SQL included.
  {
    name: 'server demo',
    files: /^server\/src\/demo\//,
    mayImport: ['server services', 'server sql', 'server composition', ...serverServices, ...shared],
  },
  {
    name: 'server rules',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.rules\.ts$/,
    mayImport: ['server security', 'contract'],
  },
  {
    name: 'server sql',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.sql\.ts$/,
    mayImport: ['server rules', 'server db', ...serverBasics, 'contract'],
  },
  {
    name: 'server routes',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.routes\.ts$/,
    mayImport: ['server services', 'server rules', 'server http', ...serverServices, ...shared],
  },
  // What a feature adds to the product: the one place of a feature where its services and its calls meet.
  {
    name: 'server modules',
    files: /^server\/src\/features\/((?<feature>[^/]+)\/[^/]+\.)?module\.ts$/,
    mayImport: ['server routes', 'server services', 'server http', ...serverServices, ...shared],
  },
  {
    name: 'server services',
    files: /^server\/src\/features\/(?<feature>[^/]+)\//,
    mayImport: ['server rules', 'server sql', ...serverServices, ...shared],
  },
  // Callers, refusals, languages: the words that every part of the server speaks. Its `*.sql.ts` belong to the SQL above.
  { name: 'server domain', files: /^server\/src\/domain\//, mayImport: ['server threads', ...shared] },
  {
    name: 'server security',
    files: /^server\/src\/security\//,
    mayImport: ['server domain', 'server threads', ...shared],
  },
  {
    name: 'server observability',
    files: /^server\/src\/observability\//,
    mayImport: ['server security', ...shared],
  },
  { name: 'server threads', files: /^server\/src\/threads\//, mayImport: shared },
  {
    name: 'server db',
    files: /^server\/src\/db\//,
    mayImport: ['server security', ...shared],
  },
  {
    name: 'server ledger',
    files: /^server\/src\/ledger\//,
    mayImport: ['server db', ...serverBasics, ...shared],
  },
  {
    name: 'server adapters',
    files: /^server\/src\/(jobs|files|channels|callbacks)\//,
    mayImport: ['server sql', 'server db', ...serverBasics, ...shared],
  },
  {
    name: 'server http',
    files: /^server\/src\/http\//,
    mayImport: ['server sql', 'server db', ...serverBasics, ...shared],
  },
  {
    name: 'server operator',
    files: /^server\/src\/operator\//,
    mayImport: ['server services', 'server composition', 'server process', ...serverServices, ...shared],
  },
  // Wires services together for whoever runs them: the web server, the operator, the demo, tests.
  {
    name: 'server composition',
    files: /^server\/src\/composition\//,
    mayImport: [...serverFeatures, 'server http', 'server demo', ...serverServices, ...shared],
  },
  {
    name: 'server settings',
    files: /^server\/src\/config\.ts$/,
    mayImport: ['server security', 'server adapters', ...shared],
  },
  {
    name: 'server process',
    files: /^server\/src\/(process\/.+|main)\.ts$/,
    mayImport: [...serverLayers, ...shared],
  },

  { name: 'console tests', files: /^console\/.*\.test\.tsx?$/, mayImport: [...consoleLayers, ...shared] },
  { name: 'console platform', files: /^console\/src\/platform\//, mayImport: shared },
  { name: 'console ui', files: /^console\/src\/ui\//, mayImport: ['console platform', ...shared] },
  {
    name: 'console features',
    files: /^console\/src\/features\/(?<feature>[^/]+)\//,
    mayImport: ['console ui', 'console platform', ...shared],
  },
  {
    name: 'console routes',
    files: /^console\/src\/routes\//,
    mayImport: ['console features', 'console ui', 'console platform', ...shared],
  },
  { name: 'console app', files: /^console\/src\/app\//, mayImport: [...consoleLayers, ...shared] },
];

/** Packages that only some files may import. */
export const reservedPackages: readonly { packages: RegExp; onlyIn: RegExp }[] = [
  // Loaded only where traces are wanted.
  { packages: /^@opentelemetry\//, onlyIn: /^server\/src\/observability\/tracing\/exporter\.ts$/ },
  {
    packages: /^(kysely|pg)$/,
    onlyIn: /\.sql\.ts$|\.test\.ts$|^torture\/|^server\/src\/(db|ledger|jobs|testing)\//,
  },
];

/** Files that may import no package and nothing of Node's that does I/O: pure decisions, the same every time. */
export const pureFiles = {
  files: /\.rules\.tsx?$/,
  allowedPackages: /^(zod|node:crypto|otpauth|@zxcvbn-ts\/language-common)$/,
};

/** Names that hide what a module is for behind a folder's name. */
export const forbiddenNames = /(^|\/)index\.[a-z]+$/;

/** A part of the tree and what it may import. A file belongs to the first layer whose pattern matches. */
export interface Layer {
  readonly name: string;
  /** Matches the file's path; `(?<feature>…)` captures its feature. */
  readonly files: RegExp;
  /** Layers that it may import besides itself. A feature never imports another feature, in any layer. */
  readonly mayImport: readonly string[];
}

const shared = ['contract', 'contract vocabulary', 'phrases'];
/** Layers that any part of the server may use. They know no feature, and no SQL. */
const serverBasics = [
  'server settings',
  'server domain',
  'server security',
  'server observability',
  'server threads',
];
const serverServices = [...serverBasics, 'server folders', 'server db', 'server ledger', 'server adapters'];
const serverFeatures = ['server modules', 'server routes', 'server services', 'server sql', 'server rules'];
const serverLayers = [
  ...serverServices,
  ...serverFeatures,
  'server http',
  'server composition',
  'server demo',
  'server process',
];
/** Rooms of the shared workspace: language, theme and messages; then controls and values; then what is made of them. */
const uiLayers = ['ui basics', 'ui controls', 'ui', 'ui words'];
const consoleLayers = [
  'console platform',
  'console shared',
  'console features',
  'console routes',
  'console app',
];

const backofficeLayers = [
  'backoffice platform',
  'backoffice shared',
  'backoffice features',
  'backoffice routes',
  'backoffice app',
];

/** Which layer may import which; CONTRIBUTING.md explains the rules. */
export const layers: readonly Layer[] = [
  { name: 'settings', files: /^([^/]+\/)?[^/]+\.config\.ts$/, mayImport: ['tools', ...shared] },
  { name: 'phrases', files: /^phrases\//, mayImport: [] },
  // Amounts, channels and their banks, cells of spreadsheets, languages, contrast of colors, pages of rows and pictures: all that `ui` may know of
  // the contract. No calls.
  {
    name: 'contract vocabulary',
    files: /^contract\/src\/(banks|channels|contrast|csv|images|languages|lists|money|phrase)\.ts$/,
    mayImport: ['phrases'],
  },
  { name: 'contract', files: /^contract\//, mayImport: ['contract vocabulary', 'phrases'] },
  { name: 'sandbox', files: /^sandbox\//, mayImport: [] },
  { name: 'e2e', files: /^e2e\//, mayImport: ['tools', ...shared] },
  {
    name: 'bench',
    files: /^bench\//,
    mayImport: ['tools', 'torture', 'server tests', ...serverLayers, ...shared],
  },
  {
    name: 'torture',
    files: /^torture\//,
    mayImport: ['server tests', 'sandbox', ...serverLayers, ...shared],
  },
  // Installed by merchants, so it imports nothing of the product.
  { name: 'sdk library', files: /^sdk\/typescript\//, mayImport: [] },
  {
    name: 'sdk',
    files: /^sdk\//,
    mayImport: ['e2e', 'tools', 'server tests', 'server http', ...shared],
  },
  { name: 'tools', files: /^(tools|console\/vite)\//, mayImport: ['server folders', ...shared] },

  {
    name: 'server tests',
    files: /^server\/(.*\.test\.ts$|src\/testing\/)/,
    mayImport: [...serverLayers, 'server operator', 'sandbox', ...shared],
  },
  // Before `server sql`, so that the demo's own SQL belongs here: it writes demo data through the ledger.
  {
    name: 'server demo',
    files: /^server\/src\/demo\//,
    mayImport: ['server services', 'server sql', 'server composition', ...serverServices, ...shared],
  },
  {
    name: 'server rules',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.rules\.ts$/,
    mayImport: ['server security', 'contract', 'contract vocabulary'],
  },
  {
    name: 'server sql',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.sql\.ts$/,
    mayImport: ['server rules', 'server db', ...serverBasics, 'contract', 'contract vocabulary'],
  },
  {
    name: 'server routes',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.routes\.ts$/,
    mayImport: ['server services', 'server rules', 'server http', ...serverServices, ...shared],
  },
  // The module of a feature: the one place that combines its services and its routes.
  {
    name: 'server modules',
    files: /^server\/src\/features\/((?<feature>[^/]+)\/(?:[^/]+\/)?[^/]+\.)?module\.ts$/,
    mayImport: ['server routes', 'server services', 'server http', ...serverServices, ...shared],
  },
  {
    name: 'server services',
    files: /^server\/src\/features\/(?<feature>[^/]+)\//,
    mayImport: ['server rules', 'server sql', ...serverServices, ...shared],
  },
  // Where the product's files are, from its sources and from a build.
  { name: 'server folders', files: /^server\/src\/folders\.ts$/, mayImport: [] },
  // Vocabulary of the whole server: callers, refusals, languages. Its `*.sql.ts` belong to `server sql`.
  { name: 'server domain', files: /^server\/src\/domain\//, mayImport: ['server threads', ...shared] },
  {
    name: 'server security',
    files: /^server\/src\/security\//,
    mayImport: ['server domain', 'server threads', ...shared],
  },
  {
    name: 'server observability',
    files: /^server\/src\/observability\//,
    mayImport: ['server security', 'server folders', ...shared],
  },
  { name: 'server threads', files: /^server\/src\/threads\//, mayImport: shared },
  {
    name: 'server db',
    files: /^server\/src\/db\//,
    mayImport: ['server security', 'server folders', ...shared],
  },
  {
    name: 'server ledger',
    files: /^server\/src\/ledger\//,
    mayImport: ['server db', ...serverBasics, ...shared],
  },
  {
    name: 'server adapters',
    files: /^server\/src\/(archive|jobs|files|channels|callbacks|recovery)\//,
    mayImport: ['server rules', 'server sql', 'server db', 'server folders', ...serverBasics, ...shared],
  },
  {
    name: 'server http',
    files: /^server\/src\/http\//,
    mayImport: ['server sql', 'server db', 'server folders', ...serverBasics, ...shared],
  },
  {
    name: 'server operator',
    files: /^server\/src\/operator\//,
    mayImport: ['server services', 'server composition', 'server process', ...serverServices, ...shared],
  },
  // Wires the services together for the web server, the operator commands, the demo and the tests.
  {
    name: 'server composition',
    files: /^server\/src\/composition\//,
    mayImport: [...serverFeatures, 'server http', ...serverServices, ...shared],
  },
  {
    name: 'server settings',
    files: /^server\/src\/(config\.ts$|settings\/)/,
    mayImport: ['server security', 'server adapters', ...shared],
  },
  {
    name: 'server process',
    files: /^server\/src\/(process\/.+|main)\.ts$/,
    mayImport: [...serverLayers, ...shared],
  },

  // The workspace that the console shares with other apps. It knows no call, no user and no feature.
  {
    name: 'ui tests',
    files: /^ui\/.*\.test\.tsx?$/,
    mayImport: [...uiLayers, ...shared],
  },
  {
    name: 'ui basics',
    files: /^ui\/src\/(browser|language|theme|feedback)\//,
    mayImport: ['contract vocabulary', 'phrases'],
  },
  {
    name: 'ui controls',
    files: /^ui\/src\/(controls|overlays|values)\//,
    mayImport: ['ui basics', 'contract vocabulary', 'phrases'],
  },
  // The words of the audit log, which both apps show: it knows every state that the contract names.
  {
    name: 'ui words',
    files: /^ui\/src\/audit\//,
    mayImport: ['ui basics', 'ui controls', 'ui', ...shared],
  },
  { name: 'ui', files: /^ui\//, mayImport: ['ui basics', 'ui controls', 'contract vocabulary', 'phrases'] },

  // Calls and streams of any app, by the contract. It knows no user, and shows nothing.
  { name: 'client', files: /^client\//, mayImport: shared },

  {
    name: 'console tests',
    files: /^console\/.*\.test\.tsx?$/,
    mayImport: [...consoleLayers, 'client', ...uiLayers, ...shared],
  },
  // Of `ui` it needs languages, messages and storage, but shows nothing itself.
  {
    name: 'console platform',
    files: /^console\/src\/platform\//,
    mayImport: ['client', 'ui basics', ...shared],
  },
  // Parts of the console that know calls, the user or the business, and that several features need.
  {
    name: 'console shared',
    files: /^console\/src\/shared\//,
    mayImport: ['console platform', 'client', ...uiLayers, ...shared],
  },
  {
    name: 'console features',
    files: /^console\/src\/features\/(?<feature>[^/]+)\//,
    mayImport: ['console shared', 'console platform', 'client', ...uiLayers, ...shared],
  },
  {
    name: 'console routes',
    files: /^console\/src\/routes\//,
    mayImport: ['console features', 'console shared', 'console platform', 'client', ...uiLayers, ...shared],
  },
  {
    name: 'console app',
    files: /^console\/src\/app\//,
    mayImport: [...consoleLayers, 'client', ...uiLayers, ...shared],
  },

  // The back office has the same shape as the console, and never meets it.
  {
    name: 'backoffice platform',
    files: /^backoffice\/src\/platform\//,
    mayImport: ['client', 'ui basics', ...shared],
  },
  {
    name: 'backoffice shared',
    files: /^backoffice\/src\/shared\//,
    mayImport: ['backoffice platform', 'client', ...uiLayers, ...shared],
  },
  {
    name: 'backoffice features',
    files: /^backoffice\/src\/features\/(?<feature>[^/]+)\//,
    mayImport: ['backoffice shared', 'backoffice platform', 'client', ...uiLayers, ...shared],
  },
  {
    name: 'backoffice routes',
    files: /^backoffice\/src\/routes\//,
    mayImport: [
      'backoffice features',
      'backoffice shared',
      'backoffice platform',
      'client',
      ...uiLayers,
      ...shared,
    ],
  },
  {
    name: 'backoffice app',
    files: /^backoffice\/src\/app\//,
    mayImport: [...backofficeLayers, 'client', ...uiLayers, ...shared],
  },
];

/** Packages that only some files may import. */
export const reservedPackages: readonly { packages: RegExp; onlyIn: RegExp }[] = [
  // Loaded only if tracing is enabled.
  { packages: /^@opentelemetry\//, onlyIn: /^server\/src\/observability\/tracing\/exporter\.ts$/ },
  {
    packages: /^(kysely|pg)$/,
    onlyIn: /\.sql\.ts$|\.test\.ts$|^torture\/|^server\/src\/(db|ledger|jobs|testing)\//,
  },
];

/** Files with pure, deterministic decisions. They may import only these packages, none of which does I/O. */
export const pureFiles = {
  files: /\.rules\.tsx?$/,
  allowedPackages: /^(zod|node:crypto|otpauth|@zxcvbn-ts\/language-common)$/,
};

/** File names that say nothing about the module's purpose. */
export const forbiddenNames = /(^|\/)index\.[a-z]+$/;

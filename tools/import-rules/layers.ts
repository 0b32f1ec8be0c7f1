/** A part of the tree and what it may import. A file belongs to the first layer whose pattern fits. */
export interface Layer {
  readonly name: string;
  /** Fits the file's path; `(?<feature>…)` keeps the layer's features apart. */
  readonly files: RegExp;
  /** Layers that it may import beside itself; a feature never imports another one, whichever layer it is in. */
  readonly mayImport: readonly string[];
}

const shared = ['contract', 'phrases'];
const serverServices = ['server basics', 'server db', 'server ledger', 'server adapters'];
const serverFeatures = ['server routes', 'server services', 'server sql', 'server rules'];
const serverLayers = [
  ...serverServices,
  ...serverFeatures,
  'server http',
  'server composition',
  'server demo',
  'server app',
];
const consoleLayers = ['console platform', 'console ui', 'console features', 'console routes', 'console app'];

/** Who may import whom, as CONTRIBUTING.md explains it. */
export const layers: readonly Layer[] = [
  { name: 'settings', files: /^([^/]+\/)?[^/]+\.config\.ts$/, mayImport: ['tools', 'e2e', ...shared] },
  { name: 'phrases', files: /^phrases\//, mayImport: [] },
  { name: 'contract', files: /^contract\//, mayImport: ['phrases'] },
  { name: 'sandbox', files: /^sandbox\//, mayImport: [] },
  { name: 'e2e', files: /^e2e\//, mayImport: shared },
  { name: 'bench', files: /^bench\//, mayImport: ['server tests', ...serverLayers, ...shared] },
  {
    name: 'torture',
    files: /^torture\//,
    mayImport: ['server tests', 'sandbox', ...serverLayers, ...shared],
  },
  { name: 'tools', files: /^(tools|console\/vite)\//, mayImport: shared },

  {
    name: 'server tests',
    files: /^server\/(.*\.test\.ts$|src\/testing\/)/,
    mayImport: [...serverLayers, 'sandbox', ...shared],
  },
  {
    name: 'server rules',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.rules\.ts$/,
    mayImport: ['contract'],
  },
  {
    name: 'server sql',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.sql\.ts$/,
    mayImport: ['server rules', 'server db', 'server basics', 'contract'],
  },
  {
    name: 'server routes',
    files: /^server\/src\/(?:features\/(?<feature>[^/]+)\/)?.*\.routes\.ts$/,
    mayImport: ['server services', 'server rules', 'server http', ...serverServices, ...shared],
  },
  {
    name: 'server services',
    files: /^server\/src\/features\/(?<feature>[^/]+)\//,
    mayImport: ['server rules', 'server sql', ...serverServices, ...shared],
  },
  { name: 'server db', files: /^server\/src\/db\//, mayImport: ['server basics', ...shared] },
  {
    name: 'server ledger',
    files: /^server\/src\/ledger\//,
    mayImport: ['server db', 'server basics', ...shared],
  },
  {
    name: 'server adapters',
    files: /^server\/src\/(jobs|files|channels|callbacks)\//,
    mayImport: ['server sql', 'server db', 'server basics', ...shared],
  },
  {
    name: 'server http',
    files: /^server\/src\/http\//,
    mayImport: ['server sql', 'server db', 'server basics', ...shared],
  },
  {
    name: 'server demo',
    files: /^server\/src\/demo\//,
    mayImport: ['server services', 'server sql', 'server composition', ...serverServices, ...shared],
  },
  {
    name: 'server operator',
    files: /^server\/src\/operator\//,
    mayImport: ['server services', 'server composition', ...serverServices, ...shared],
  },
  // The composition wires services together for whoever runs them: the web server, the operator, the demo, tests.
  {
    name: 'server composition',
    files:
      /^server\/src\/(services|exportables|export-(store|thread|thread-work)|own-thread|list-sources|runtime|database-place|databases)\.ts$/,
    mayImport: ['server services', 'server sql', 'server http', ...serverServices, ...shared],
  },
  {
    name: 'server basics',
    files:
      /^server\/src\/(caller|compiled|config|fair-queue|images|language|metrics|passwords|refusal|request-hash|secrets|storage-url)\.ts$/,
    mayImport: shared,
  },
  { name: 'server app', files: /^server\/src\/[^/]+\.ts$/, mayImport: [...serverLayers, ...shared] },

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
  {
    packages: /^(kysely|pg)$/,
    onlyIn: /\.sql\.ts$|\.test\.ts$|^torture\/|^server\/src\/(db|ledger|jobs|testing)\//,
  },
];

/** Files that may import no package and nothing of Node's that does I/O: pure decisions, the same every time. */
export const pureFiles = {
  files: /\.rules\.tsx?$/,
  allowedPackages: /^(zod|node:crypto|otpauth|ipaddr\.js|@zxcvbn-ts\/language-common)$/,
};

/** Names that hide what a module is for behind a folder's name. */
export const forbiddenNames = /(^|\/)index\.[a-z]+$/;

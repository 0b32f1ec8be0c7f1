import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedDocument } from './document.ts';
import { goTypesFile } from './go.ts';
import { javaTypesFiles } from './java.ts';
import { namedTypes } from './model.ts';
import { phpTypesFiles } from './php.ts';
import { pythonTypesFile } from './python.ts';
import { typescriptTypes } from './typescript.ts';
import { callbackVectors, requestVectors } from './vectors.ts';

/** Folder of the libraries. */
export const sdkFolder = join(import.meta.dirname, '..');

const phpFolder = 'php/src/Types';
const javaFolder = 'java/src/main/java/com/hengfu/sdk/types';
/** Folders in which every file is generated but the named ones. */
const generatedFolders = { [phpFolder]: [], [javaFolder]: ['Fields.java'] };

/** Generates all files. Returns their texts by path, relative to the folder of the libraries. */
async function generateFiles(): Promise<Map<string, string>> {
  const document = await signedDocument();
  const types = namedTypes(document);
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    ['openapi.json', json(document)],
    ['vectors/requests.json', json(requestVectors())],
    ['vectors/callbacks.json', json(callbackVectors())],
    ['typescript/src/types.ts', await typescriptTypes(types)],
    ['go/types.go', goTypesFile(types)],
    ['python/src/hengfu/types.py', pythonTypesFile(types)],
    ...phpTypesFiles(types).map(([name, text]) => [`${phpFolder}/${name}`, text] as const),
    ...javaTypesFiles(types).map(([name, text]) => [`${javaFolder}/${name}`, text] as const),
  ]);
}

/** A generated file as it is, and as it should be; undefined if it does not or should not exist. */
export interface GeneratedFile {
  readonly path: string;
  readonly found: string | undefined;
  readonly expected: string | undefined;
}

/** Compares the generated files with what the contract says now. Lists those that differ. */
export async function staleFiles(): Promise<GeneratedFile[]> {
  const expected = await generateFiles();
  const extra = Object.entries(generatedFolders).flatMap(([folder, others]: [string, readonly string[]]) =>
    namesIn(folder)
      .filter((name) => !others.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  return [...new Set([...expected.keys(), ...extra])]
    .map((path) => ({ path, found: read(path), expected: expected.get(path) }))
    .filter((file) => file.found !== file.expected);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(sdkFolder, path), 'utf8');
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(join(sdkFolder, folder));
  } catch {
    return [];
  }
}

import { readSource } from './sources.ts';

/** Directories of the packages that make up the product, as package.json lists them. */
export function workspaceDirectories(): string[] {
  return JSON.parse(readSource('package.json')).workspaces;
}

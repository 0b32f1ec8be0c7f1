import { readSource } from './sources.ts';

/** Returns the directories of the workspaces, as package.json lists them. */
export function workspaceDirectories(): string[] {
  return JSON.parse(readSource('package.json')).workspaces;
}

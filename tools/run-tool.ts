import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runChild } from './bootstrap/child.mjs';
import { root } from './sources.ts';

/** How a development tool ended. */
export interface ToolResult {
  readonly exitCode: number;
  /** stdout and stderr, when they were captured. */
  readonly output: string;
}

export interface ToolOptions {
  /** The output goes to the terminal and is not captured. */
  readonly show?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs instead of the root directory. */
  readonly cwd?: string;
}

/**
 * Runs a tool in the root directory, on the Node that runs us. Ctrl-C during it ends us too, once it is gone.
 * @param name a program of node_modules/.bin, or an absolute path
 */
export async function runTool(name: string, args: string[], options: ToolOptions = {}): Promise<ToolResult> {
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  const path = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { exitCode, signal } = await runChild(name, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, PATH: path, ...options.env },
    onOutput: options.show ? undefined : keep,
  });
  if (signal) process.exit(128 + constants.signals[signal]);
  return { exitCode, output };
}

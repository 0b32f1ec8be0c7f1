import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runChild } from './bootstrap/child.mjs';
import { root } from './sources.ts';

/** Result of running a development tool. */
export interface ToolResult {
  readonly exitCode: number;
  /** stdout and stderr, if they were captured. */
  readonly output: string;
}

export interface ToolOptions {
  /** Sends the output to the terminal instead of capturing it. */
  readonly show?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; the root directory by default. */
  readonly cwd?: string;
}

/**
 * Runs a tool in the root directory, on the Node that runs us. If Ctrl-C interrupts it, we exit after it.
 * @param name a program in node_modules/.bin or PATH, or an absolute path
 */
export async function runTool(name: string, args: string[], options: ToolOptions = {}): Promise<ToolResult> {
  let output = '';
  const capture = (chunk: Buffer) => {
    output += chunk;
  };
  const path = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { exitCode, signal } = await runChild(name, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, PATH: path, ...options.env },
    onOutput: options.show ? undefined : capture,
  });
  if (signal) process.exit(128 + constants.signals[signal]);
  return { exitCode, output };
}

import { vi } from 'vitest';
import { operatorProgram } from '../operator/commands.ts';

/** Runs an operator's command in this process, with its environment. Returns the output and the exit code. */
export async function runOperator(...args: string[]): Promise<{ text: string; exitCode: number }> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    await operatorProgram().parseAsync(args, { from: 'user' });
    return { text, exitCode: Number(process.exitCode ?? 0) };
  } finally {
    write.mockRestore();
    process.exitCode = undefined;
  }
}

import { operatorProgram } from '../operator/commands.ts';

/** The outcome of a command: what it printed, its exit code, and the error that ended it, if any. */
export interface CommandOutcome {
  text: string;
  exitCode: number;
  error?: unknown;
}

/** Runs an operator's command in this process, with its environment. */
export async function outcomeOf(args: readonly string[]): Promise<CommandOutcome> {
  const { write } = process.stdout;
  let text = '';
  process.stdout.write = ((chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  }) as typeof write;
  try {
    await operatorProgram().parseAsync(args, { from: 'user' });
    return { text, exitCode: Number(process.exitCode ?? 0) };
  } catch (error) {
    return { text, exitCode: 1, error };
  } finally {
    process.stdout.write = write;
    process.exitCode = undefined;
  }
}

/** Like {@link outcomeOf}, but throws the error that ended the command. */
export async function runOperator(...args: string[]): Promise<{ text: string; exitCode: number }> {
  const { text, exitCode, error } = await outcomeOf(args);
  if (error !== undefined) throw error;
  return { text, exitCode };
}

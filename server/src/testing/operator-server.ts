/**
 * A program that runs operators' commands, one after the other, for the process that forked it. A process for each command would spend most
 * of its time on starting.
 */
import { Readable } from 'node:stream';
import { Refusal } from '#domain/refusal.ts';
import { refusalText } from '../operator/refusal-text.ts';
import { outcomeOf } from './operator-run.ts';

/** A command of an operator: its arguments, and what is on its standard input. */
interface OperatorCall {
  args: readonly string[];
  input: string;
}

let last = Promise.resolve();
process.on('message', (call: OperatorCall) => {
  last = last.then(async () => {
    process.send?.(await replyTo(call));
  });
});
process.once('disconnect', () => process.exit());

/** Returns the text that a command printed, and why it failed, if it did. */
async function replyTo({ args, input }: OperatorCall): Promise<{ text: string; failure?: string }> {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([input]) });
  const { text, exitCode, error } = await outcomeOf(args);
  Object.defineProperty(process, 'stdin', stdin);
  if (exitCode === 0) return { text };
  if (error instanceof Refusal) return { text, failure: refusalText(error, args) };
  return { text, failure: error instanceof Error ? error.message : `exit code ${exitCode}` };
}

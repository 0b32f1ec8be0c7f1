import { Readable } from 'node:stream';
import { Refusal } from '#domain/refusal.ts';
import { operatorProgram } from '../operator/commands.ts';
import { refusalText } from '../operator/refusal-text.ts';

/** A command of an operator: its arguments, and what is on its standard input. */
interface OperatorCall {
  args: readonly string[];
  input: string;
}

/** The text that a command printed, and why it failed, if it did. */
interface OperatorReply {
  text: string;
  failure?: string;
}

/**
 * Runs operators' commands, one after the other, for the process that forked this one. A process for each command would spend most of its
 * time on starting.
 */
let last = Promise.resolve();
process.on('message', (call: OperatorCall) => {
  last = last.then(async () => {
    process.send?.(await replyTo(call));
  });
});
process.once('disconnect', () => process.exit());

async function replyTo({ args, input }: OperatorCall): Promise<OperatorReply> {
  const { write } = process.stdout;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += chunk;
    return true;
  };
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([input]) });
  try {
    await operatorProgram().parseAsync(args, { from: 'user' });
    return process.exitCode ? { text, failure: `exit code ${process.exitCode}` } : { text };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { text, failure: error instanceof Refusal ? refusalText(error, args) : message };
  } finally {
    process.exitCode = undefined;
    process.stdout.write = write;
    Object.defineProperty(process, 'stdin', stdin);
  }
}

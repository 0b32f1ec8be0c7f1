import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { passwordLength } from '@hengfu/contract/profile';
import { translate } from '#domain/language.ts';
import { isCommonPassword } from '#security/common-passwords.ts';
import { printPrompt } from './print.ts';

/**
 * Reads a new password: the first line of standard input, or typed twice and hidden at a terminal. Never an
 * argument, which every user of the machine can read. Throws if its length is wrong, if it is too common for somebody with this email,
 * or if the two differ.
 */
export async function readPassword(email: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  const password = isTerminal ? await ask('Password: ') : await firstLine();
  const { min, max } = passwordLength;
  const length = [...password].length;
  if (length < min || length > max)
    throw new Error(
      `The password must have ${min} to ${max} characters. It is read from standard input: printf %s "$PASSWORD" | … user …`,
    );
  if (await isCommonPassword(password, email)) throw new Error(translate('en', 'validation.passwordCommon'));
  if (isTerminal && (await ask('Confirm password: ')) !== password)
    throw new Error('The two passwords do not match.');
  return password;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return '';
}

/** Prompts at the terminal and hides the answer. */
async function ask(question: string): Promise<string> {
  printPrompt(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve);
      terminal.once('SIGINT', () => reject(new Error('Nothing was done.')));
    });
  } finally {
    terminal.close();
    printPrompt('\n');
  }
}

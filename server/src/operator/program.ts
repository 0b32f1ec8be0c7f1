import { Refusal } from '#refusal.ts';
import { operatorProgram } from './commands.ts';

const sentences: Partial<Record<string, string>> = {
  not_found: 'There is none of that name.',
  conflict: 'That name is taken.',
  validation_failed: 'That value is not of its kind: --help shows what it takes.',
};

try {
  await operatorProgram().parseAsync();
} catch (error) {
  const text =
    error instanceof Refusal
      ? (sentences[error.code] ?? error.code)
      : error instanceof Error
        ? error.message
        : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

import { Refusal } from '#domain/refusal.ts';
import { operatorProgram } from './commands.ts';
import { printError } from './print.ts';
import { refusalText } from './refusal-text.ts';

try {
  await operatorProgram().parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  printError(error instanceof Refusal ? refusalText(error, process.argv.slice(2)) : message);
  process.exitCode = 1;
}

import { visible, visibleJson, visibleLines } from '#security/visible.ts';

/**
 * The answer of a command: rows for a table, or a sentence (or several, each on its own line) with the facts
 * behind it.
 */
export type Answer =
  | { rows: readonly object[] }
  | { done: string | readonly [string, ...string[]]; facts?: object };

/**
 * Prints an answer for people, or as JSON for scripts. Escapes control and invisible characters of stored
 * texts.
 */
export function print(answer: Answer, asJson: boolean): void {
  const text = asJson
    ? visibleJson(JSON.stringify(factsOf(answer), bigintAsText))
    : linesOf(answer).map(visible).join('\n');
  process.stdout.write(`${text}\n`);
}

/** Prints a prompt to standard error, apart from the answer. */
export function printPrompt(text: string): void {
  process.stderr.write(text);
}

/** Prints why a command failed. */
export function printError(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** Prints a message of the command-line parser, with its line breaks. */
export function printUsage(text: string): void {
  process.stderr.write(visibleLines(text));
}

function factsOf(answer: Answer): unknown {
  return 'rows' in answer ? answer.rows : { done: sentencesOf(answer.done).join('\n'), ...answer.facts };
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function sentencesOf(done: string | readonly string[]): readonly string[] {
  return typeof done === 'string' ? [done] : done;
}

function linesOf(answer: Answer): readonly string[] {
  if ('done' in answer) return sentencesOf(answer.done);
  const [first] = answer.rows;
  if (!first) return ['none'];
  const names = Object.keys(first);
  // Escaped first, so that the columns align.
  const cells = [names, ...answer.rows.map((row) => Object.values(row).map(String))].map((line) =>
    line.map(visible),
  );
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

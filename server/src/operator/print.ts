import { visible, visibleJson, visibleLines } from '#security/visible.ts';

/**
 * What a command answers: rows for a table, or a sentence with the facts behind it; several as a list, each on a line of
 * its own.
 */
export type Answer =
  | { rows: readonly object[] }
  | { done: string | readonly [string, ...string[]]; facts?: object };

/**
 * Prints an answer for people, or as JSON for scripts. Whatever is stored in it, nothing reaches the terminal that it would
 * obey or hide.
 */
export function print(answer: Answer, asJson: boolean): void {
  const text = asJson
    ? visibleJson(JSON.stringify(factsOf(answer), bigintAsText))
    : linesOf(answer).map(visible).join('\n');
  process.stdout.write(`${text}\n`);
}

/** Prints a question of ours beside what a command answers. */
export function printPrompt(text: string): void {
  process.stderr.write(text);
}

/** Prints why a command failed. */
export function printError(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** Prints what the reader of the command line says of it; its line breaks are its own. */
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
  // Escaped first, so that the columns stand where they should.
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

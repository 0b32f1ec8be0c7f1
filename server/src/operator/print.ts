/** What a command answers: rows for a table, or one sentence with the facts behind it. */
export type Answer = { rows: readonly object[] } | { done: string; facts?: object };

/** Prints an answer for people, or as JSON for scripts. */
export function print(answer: Answer, asJson: boolean): void {
  process.stdout.write(`${asJson ? JSON.stringify(factsOf(answer), bigintAsText) : textOf(answer)}\n`);
}

function factsOf(answer: Answer): unknown {
  return 'rows' in answer ? answer.rows : { done: answer.done, ...answer.facts };
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function textOf(answer: Answer): string {
  if ('done' in answer) return answer.done;
  const [first] = answer.rows;
  if (!first) return 'none';
  const names = Object.keys(first);
  const cells = [names, ...answer.rows.map((row) => Object.values(row).map(String))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The imports of each file; all paths are relative to the root. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Finds cycles: each lists its files in order of import, with the first file again at the end. */
export function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    if (finished.has(file)) return;
    const start = path.indexOf(file);
    if (start !== -1) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

import { matchesGlob } from 'node:path';

/** One line of a Dockerfile, continued lines joined. */
export interface Instruction {
  readonly line: number;
  /** In capitals: COPY, RUN … */
  readonly name: string;
  /** `--from=build` and the like. */
  readonly flags: readonly string[];
  readonly rest: string;
}

/** From one FROM to the next. */
export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, in order. Throws where it does not begin with one. */
export function parseDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    if (line.endsWith('\\')) throw new Error(`line ${index + 1}: one line each, please`);
    const [, name = '', all = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const words = all.split(/\s+/);
    const flags = words.slice(
      0,
      words.findIndex((word) => !word.startsWith('--')),
    );
    const rest = words.slice(flags.length).join(' ');
    const instruction = { line: index + 1, name: name.toUpperCase(), flags, rest };
    if (instruction.name === 'FROM') {
      const [, base = '', as] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ base, name: as, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`line ${index + 1}: ${name} before the first FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** What a COPY takes, from where, to where. */
export function copyOf({ flags, rest }: Instruction): { from?: string; sources: string[]; target: string } {
  const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length);
  const words = rest.split(' ');
  return { ...(from !== undefined && { from }), sources: words.slice(0, -1), target: words.at(-1) ?? '' };
}

/** Whether .dockerignore leaves a path out: one pattern a line, whole folders with it; exceptions (`!`) are not known. */
export function isIgnored(path: string, dockerignore: string): boolean {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

import { matchesGlob } from 'node:path';

/** An instruction of a Dockerfile, on one line. */
export interface Instruction {
  readonly line: number;
  /** In upper case: COPY, RUN … */
  readonly name: string;
  /** Options such as `--from=build`. */
  readonly flags: readonly string[];
  readonly rest: string;
}

/** A build stage: the instructions from one FROM to the next. */
export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Parses a Dockerfile into its stages. Throws if an instruction precedes the first FROM or spans lines. */
export function parseDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    if (line.endsWith('\\')) throw new Error(`line ${index + 1}: an instruction must not span several lines`);
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

/** Parses a COPY: the stage it copies from, if any, its sources, and its target. */
export function parseCopy({ flags, rest }: Instruction): {
  from?: string;
  sources: string[];
  target: string;
} {
  const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length);
  const paths = rest.split(' ');
  return { ...(from !== undefined && { from }), sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

/** Whether .dockerignore excludes a path, itself or with its folder. Exceptions (`!`) are not supported. */
export function isIgnored(path: string, dockerignore: string): boolean {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

import {
  type Instruction,
  isIgnored,
  parseCopy,
  parseDockerfile,
  type Stage,
} from '../container/dockerfile.ts';
import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** Checks the Dockerfile without building it; `npm run container` executes its steps. */
export const container: Check = {
  name: 'container',
  run: async () => ({
    problems: checkDockerfile(readSource('Dockerfile'), {
      files: listFiles(),
      dockerignore: readSource('.dockerignore'),
      node: JSON.parse(readSource('tools/runtime/package.json')).version,
      nodeFlags: JSON.parse(readSource('server/node-flags.json')),
    }),
  }),
};

/** The tree from which an image is built. */
export interface BuildTree {
  readonly files: readonly string[];
  readonly dockerignore: string;
  /** Version of the product's Node. */
  readonly node: string;
  /** Flags with which the server's Node must be started. */
  readonly nodeFlags: readonly string[];
}

/** Lists the problems of a Dockerfile. */
export function checkDockerfile(text: string, tree: BuildTree): string[] {
  const stages = parseDockerfile(text);
  return [
    ...stages.flatMap((stage, index) => stageProblems(stage, stages.slice(0, index), tree)),
    ...imageProblems(stages.at(-1), tree),
  ];
}

function stageProblems({ base, instructions }: Stage, earlier: readonly Stage[], tree: BuildTree): string[] {
  const names = earlier.map(({ name }) => name);
  const problems: string[] = [];
  if (!names.includes(base) && !base.startsWith(`node:${tree.node}-`))
    problems.push(`Dockerfile: FROM ${base}, but the product's Node is ${tree.node}`);
  for (const { line } of instructions.filter(installsWithScripts))
    problems.push(`Dockerfile:${line}: would run install scripts: only “npm ci --ignore-scripts” is allowed`);
  for (const instruction of instructions.filter(({ name }) => name === 'COPY')) {
    const { from, sources } = parseCopy(instruction);
    const location = `Dockerfile:${instruction.line}`;
    if (from !== undefined && !names.includes(from))
      problems.push(`${location}: no earlier stage is named ${from}`);
    if (from !== undefined) continue;
    const exists = (source: string) =>
      tree.files.some(
        (file) => (file === source || file.startsWith(`${source}/`)) && !isIgnored(file, tree.dockerignore),
      );
    for (const source of sources.filter((each) => !exists(each)))
      problems.push(`${location}: ${source} does not exist`);
  }
  return problems;
}

/** Also rejects “npm install” and other package managers, which would ignore the lock file. */
function installsWithScripts({ name, rest }: Instruction): boolean {
  if (name !== 'RUN') return false;
  return rest
    .split(/&&|\|\||[;|&]/)
    .map((command) => command.trim())
    .some(
      (command) =>
        /\b(npm|npx|pnpm|yarn|corepack)\b/.test(command) && !/^npm ci --ignore-scripts( |$)/.test(command),
    );
}

function imageProblems(image: Stage | undefined, { nodeFlags }: BuildTree): string[] {
  const last = (name: string) => image?.instructions.findLast((each) => each.name === name)?.rest;
  const user = last('USER');
  return [
    ...nodeFlags
      .filter((flag) => !last('CMD')?.includes(`"${flag}"`))
      .map((flag) => `Dockerfile: CMD without ${flag}`),
    ...(user === undefined || ['root', '0'].includes(user) ? ['Dockerfile: the image runs as root'] : []),
    ...['HEALTHCHECK', 'CMD']
      .filter((name) => last(name) === undefined)
      .map((name) => `Dockerfile: no ${name}`),
  ];
}

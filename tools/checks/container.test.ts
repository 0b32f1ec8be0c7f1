import { expect, it } from 'vitest';
import { checkDockerfile } from './container.ts';

const tree = {
  files: ['package.json', 'server/main.ts', 'server/main.test.ts'],
  dockerignore: '**/*.test.ts\n',
  node: '24.1.0',
  nodeFlags: ['--small'],
};
const good = `FROM node:24-slim AS base
COPY package.json ./
RUN npm ci --ignore-scripts --omit=dev
FROM node:24-slim
COPY --from=base /app/package.json ./
COPY server server
USER node
HEALTHCHECK CMD true
CMD ["node", "--small", "server/main.ts"]
`;

const scriptsWouldRun =
  "Dockerfile:3: packages' scripts would run: only “npm ci --ignore-scripts” installs here";

it('finds nothing in what can be built', () => {
  expect(checkDockerfile(good, tree)).toEqual([]);
});

it.each([
  ['COPY server server', 'COPY servers server', 'Dockerfile:6: there is no servers'],
  ['COPY server server', 'COPY server/main.test.ts server/', 'Dockerfile:6: there is no server/main.test.ts'],
  ['--from=base', '--from=bare', 'Dockerfile:5: there is no earlier stage bare'],
  ['node:24-slim AS', 'node:22-slim AS', "Dockerfile: FROM node:22-slim, and the product's Node is 24.1.0"],
  ['npm ci --ignore-scripts', 'npm ci', scriptsWouldRun],
  ['npm ci --ignore-scripts', 'npm install --ignore-scripts', scriptsWouldRun],
  ['npm ci', 'true && npm rebuild; npm ci', scriptsWouldRun],
  ['USER node\n', '', 'Dockerfile: the image runs as root'],
  ['USER node', 'USER root', 'Dockerfile: the image runs as root'],
  ['HEALTHCHECK CMD true\n', '', 'Dockerfile: no HEALTHCHECK'],
  ['"--small", ', '', 'Dockerfile: CMD without --small'],
])('%s turned into %s is found', (from, to, problem) => {
  expect(checkDockerfile(good.replace(from, to), tree)).toEqual([problem]);
});

import { expect, it } from 'vitest';
import { checkDockerfile } from './container.ts';

const tree = {
  files: ['package.json', 'server/main.ts', 'server/main.test.ts'],
  dockerignore: '**/*.test.ts\n',
  node: '24.1.0',
  nodeFlags: ['--small'],
};
const good = `FROM node:24.1.0-slim AS base
COPY package.json ./
RUN npm ci --ignore-scripts --omit=dev
FROM node:24.1.0-slim
COPY --from=base /app/package.json ./
COPY server server
USER node
HEALTHCHECK CMD true
CMD ["node", "--small", "server/main.ts"]
`;

const scriptsWouldRun = 'Dockerfile:3: would run install scripts: only “npm ci --ignore-scripts” is allowed';

it('accepts a valid Dockerfile', () => {
  expect(checkDockerfile(good, tree)).toEqual([]);
});

it.each([
  ['COPY server server', 'COPY servers server', 'Dockerfile:6: servers does not exist'],
  [
    'COPY server server',
    'COPY server/main.test.ts server/',
    'Dockerfile:6: server/main.test.ts does not exist',
  ],
  ['--from=base', '--from=bare', 'Dockerfile:5: no earlier stage is named bare'],
  [
    'node:24.1.0-slim AS',
    'node:22-slim AS',
    "Dockerfile: FROM node:22-slim, but the product's Node is 24.1.0",
  ],
  ['npm ci --ignore-scripts', 'npm ci', scriptsWouldRun],
  ['npm ci --ignore-scripts', 'npm install --ignore-scripts', scriptsWouldRun],
  ['npm ci', 'true && npm rebuild; npm ci', scriptsWouldRun],
  ['USER node\n', '', 'Dockerfile: the image runs as root'],
  ['USER node', 'USER root', 'Dockerfile: the image runs as root'],
  ['HEALTHCHECK CMD true\n', '', 'Dockerfile: no HEALTHCHECK'],
  ['"--small", ', '', 'Dockerfile: CMD without --small'],
])('rejects %s replaced with %s', (from, to, problem) => {
  expect(checkDockerfile(good.replace(from, to), tree)).toEqual([problem]);
});

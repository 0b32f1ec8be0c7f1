import { expect, it } from 'vitest';
import { checkManifests } from './manifests.ts';

const cluster = `apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata:
  name: database
spec:
  instances: 3
  storage:
    size: 10Gi
  postgresql:
    synchronous:
      method: any
      number: 1
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 1
`;

it('accepts valid manifests', async () => {
  expect(await checkManifests(new Map([['a.yaml', cluster]]))).toEqual([]);
});

it.each([
  [
    'a field that does not exist',
    'instances: 3',
    'instances: 3\n  sinchronous: {}',
    /\(document 1\).*sinchronous/,
  ],
  ['a deeper one', 'number: 1', 'number: 1\n      dataDurabilty: required', /\(document 1\).*dataDurabilty/],
  ['a value that is not allowed', 'method: any', 'method: some', /\(document 1\).*method/],
  ['a value of another type', 'number: 1', 'number: one', /\(document 1\).*number/],
  ['a missing field', 'instances: 3', 'imageName: a', /\(document 1\).*instances/],
  ['a field of Kubernetes’ own', 'minAvailable: 1', 'minAvailble: 1', /\(document 2\).*minAvailble/],
  ['an unknown resource', 'kind: Cluster', 'kind: Custer', /\(document 1\)/],
  ['a document that is not YAML', '  name: web', '  name: "web', /a\.yaml/],
])('refuses %s', async (_, from, to, problem) => {
  const problems = await checkManifests(new Map([['a.yaml', cluster.replace(from, to)]]));
  expect(problems.join('\n')).toMatch(problem);
});

it('refuses to pass without manifests', async () => {
  expect(await checkManifests(new Map())).toEqual(['there are no manifests']);
});

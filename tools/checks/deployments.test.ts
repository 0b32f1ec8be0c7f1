import { statementLimits } from '@hengfu/contract/staff/statement-days';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readSource } from '../sources.ts';

interface Service {
  profiles?: string[];
  ports?: string[];
  environment: Readonly<Record<string, string | number>>;
}
const { services }: { services: Record<string, Service> } = parse(readSource('compose.yaml'), {
  merge: true,
});
const kubernetes = readSource('deploy/kubernetes/staff.yaml');

const resources = parseAllDocuments(kubernetes, { merge: true }).map((document) => document.toJS());
const resourceOf = (kind: string) => resources.find((resource) => resource.kind === kind);

it('compose starts the back office only if its profile is named, on the machine itself', () => {
  const { staff } = services;
  expect(staff).toMatchObject({ profiles: ['staff'], ports: ['127.0.0.1:8090:8090'] });
  expect(staff?.environment).toMatchObject({ PROCESS: 'staff', STAFF_PORT: 8090, STAFF_HOST: '0.0.0.0' });
  // Commands in the other containers ask for a second person from the same amount on.
  for (const name of ['web', 'worker', 'staff'])
    expect(services[name]?.environment.FOUR_EYES_FROM, name).toBe(staff?.environment.FOUR_EYES_FROM);
});

it('no other process serves the back office', () => {
  for (const [name, { environment }] of Object.entries(services))
    if (name !== 'staff') expect([name, environment?.STAFF_URL]).toEqual([name, undefined]);
  expect(readSource('deploy/kubernetes/web.yaml')).not.toContain('STAFF');
  expect(readSource('deploy/kubernetes/settings.yaml')).not.toContain('STAFF_URL');
});

it('Kubernetes reaches the back office where it listens', () => {
  const [deployment, service] = resources;
  const ingress = resourceOf('Ingress');
  const [container] = deployment.spec.template.spec.containers;
  const value = (wanted: string) =>
    container.env.find(({ name }: { name: string }) => name === wanted)?.value;
  expect([value('PROCESS'), value('STAFF_PORT')]).toEqual([
    'staff',
    String(container.ports[0].containerPort),
  ]);
  expect(service.spec.selector).toEqual(deployment.spec.selector.matchLabels);
  const [rule] = ingress.spec.rules;
  expect(value('STAFF_URL')).toBe(`https://${rule.host}`);
  expect(rule.http.paths[0].backend.service.name).toBe(service.metadata.name);
});

it('Kubernetes lets only chosen addresses and the ingress controller reach the back office, with statements as large as it takes', () => {
  const { annotations } = resourceOf('Ingress').metadata;
  const ranges: string = annotations['nginx.ingress.kubernetes.io/whitelist-source-range'];
  expect(ranges).toMatch(/^[\d.]+\/([89]|[12]\d|3[0-2])$/);
  expect(annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toBe(
    `${statementLimits.uploadBytes / 1024 ** 2}m`,
  );
  const { spec } = resourceOf('NetworkPolicy');
  expect(spec.podSelector.matchLabels).toEqual(resourceOf('Deployment').spec.selector.matchLabels);
  expect(spec.ingress).toEqual([
    { from: [{ namespaceSelector: expect.anything() }], ports: [{ port: 'http' }] },
  ]);
});

it('two people have to agree from the same amount on in every process', () => {
  const { data } = parse(readSource('deploy/kubernetes/settings.yaml'));
  expect(data.FOUR_EYES_FROM).toBe('1000');
  expect(kubernetes).not.toContain('FOUR_EYES_FROM');
});

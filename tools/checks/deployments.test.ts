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
  const [deployment, service, , ingress] = parseAllDocuments(kubernetes, { merge: true }).map((document) =>
    document.toJS(),
  );
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

import { expect, test } from 'vitest';
import { readSource } from '../sources.ts';
import { runtimePackage } from './runtime.mjs';

test('each platform’s Node is the pinned one, and this platform is among them', () => {
  const { version, optionalDependencies } = JSON.parse(readSource('tools/runtime/package.json'));
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
  expect(optionalDependencies).toHaveProperty(runtimePackage());
});

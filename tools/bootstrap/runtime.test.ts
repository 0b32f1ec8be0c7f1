import { expect, test } from 'vitest';
import { readSource } from '../sources.ts';
import { runtimePackage } from './runtime.mjs';

test('pins the same version of Node for every platform, including this one', () => {
  const { version, optionalDependencies } = JSON.parse(readSource('tools/runtime/package.json'));
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
  expect(optionalDependencies).toHaveProperty(runtimePackage());
});

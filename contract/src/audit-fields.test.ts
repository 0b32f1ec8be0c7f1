import { expect, test } from 'vitest';
import { auditField } from './audit-fields.ts';
import { statementMapping } from './staff/statement-mapping.ts';

test('each part of a saved column mapping has a name', () => {
  const { shape } = statementMapping.shape.csv.unwrap();
  const parts = Object.keys(shape);
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.filter((part) => auditField(`csv.${part}`) === undefined)).toEqual([]);
});

test('a name of every object is no field', () => {
  expect(['constructor', 'toString', '__proto__'].map(auditField)).toEqual([undefined, undefined, undefined]);
});

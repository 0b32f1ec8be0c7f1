import { perms } from '@hengfu/contract/permissions';
import { expect, it } from 'vitest';
import { areas } from './role-areas.ts';

it('every permission belongs to one area', () => {
  expect(Object.values(areas).flat().toSorted()).toEqual(perms.toSorted());
});

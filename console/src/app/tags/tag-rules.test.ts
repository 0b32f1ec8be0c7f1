import { describe, expect, test } from 'vitest';
import type { PagePath } from '../menu.ts';
import { actionsOn, neighborOf, pinnedTag, readTags, type Tag, tagsAfter, withTag } from './tag-rules.ts';

const payments: Tag = { path: '/collection/payments', search: { status: 'paid' } };
const funds: Tag = { path: '/fund/fundWater', search: {} };
const exports: Tag = { path: '/lineExport', search: {} };
const tags = [pinnedTag, payments, funds, exports];
const pathsOf = (list: readonly Tag[]) => list.map(({ path }) => path);

describe('opening a page', () => {
  test('adds a tag at the end', () => {
    expect(withTag([pinnedTag], payments)).toEqual([pinnedTag, payments]);
  });

  test('updates the address of an existing tag in place', () => {
    const next = withTag(tags, { ...payments, search: { status: 'failed' } });
    expect(pathsOf(next)).toEqual(pathsOf(tags));
    expect(next[1]?.search).toEqual({ status: 'failed' });
  });

  test('returns the same array if the address is unchanged', () => {
    expect(withTag(tags, { ...payments, search: { status: 'paid' } })).toBe(tags);
  });
});

describe('tag menu', () => {
  test.each([
    ['/dashboard', ['refresh', 'closeOthers', 'closeRight', 'closeAll']],
    ['/collection/payments', ['refresh', 'close', 'closeOthers', 'closeRight', 'closeAll']],
    ['/fund/fundWater', ['refresh', 'close', 'closeOthers', 'closeLeft', 'closeRight', 'closeAll']],
    ['/lineExport', ['refresh', 'close', 'closeOthers', 'closeLeft', 'closeAll']],
  ] as const)('of %s offers only actions that would change something', (path, actions) => {
    expect(actionsOn(tags, path)).toEqual(actions);
  });

  test('of the dashboard alone offers only a refresh', () => {
    expect(actionsOn([pinnedTag], '/dashboard')).toEqual(['refresh']);
  });

  test.each([
    ['close', ['/dashboard', '/collection/payments', '/lineExport']],
    ['closeOthers', ['/dashboard', '/fund/fundWater']],
    ['closeLeft', ['/dashboard', '/fund/fundWater', '/lineExport']],
    ['closeRight', ['/dashboard', '/collection/payments', '/fund/fundWater']],
    ['closeAll', ['/dashboard']],
  ] as const)('%s keeps the dashboard and the right tags', (action, left) => {
    expect(pathsOf(tagsAfter(tags, '/fund/fundWater', action))).toEqual(left);
  });
});

test('closing a tag opens its right neighbor, or the left one if there is none', () => {
  const without = (path: PagePath) => tagsAfter(tags, path, 'close');
  expect(neighborOf(tags, without('/fund/fundWater'), '/fund/fundWater')).toBe(exports);
  expect(neighborOf(tags, without('/lineExport'), '/lineExport')).toBe(funds);
  expect(neighborOf(tags, [pinnedTag], '/lineExport')).toBe(pinnedTag);
});

describe('stored tags', () => {
  const isKnown = (path: string): path is PagePath => path === '/lineExport' || path === '/dashboard';

  test.each([undefined, '', '{', 'null', '7', '"x"', '{"path":"/lineExport"}', '[null,7,{"path":7},{}]'])(
    '%j yields no tags',
    (text) => {
      expect(readTags(text, isKnown)).toEqual([]);
    },
  );

  test('drop unpermitted and pinned pages, and values that are not text', () => {
    const text = JSON.stringify([pinnedTag, payments, { ...exports, search: { status: 'failed', x: 7 } }]);
    expect(readTags(text, isKnown)).toEqual([{ path: '/lineExport', search: { status: 'failed' } }]);
  });
});

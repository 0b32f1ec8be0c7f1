import { describe, expect, test } from 'vitest';
import type { PagePath } from '../menu.ts';
import { actionsOn, neighbourOf, pinnedTag, readTags, type Tag, tagsAfter, withTag } from './tag-rules.ts';

const payments: Tag = { path: '/collection/payments', search: { status: 'paid' } };
const funds: Tag = { path: '/fund/fundWater', search: {} };
const exports: Tag = { path: '/lineExport', search: {} };
const tags = [pinnedTag, payments, funds, exports];
const pathsOf = (list: readonly Tag[]) => list.map(({ path }) => path);

describe('a page that is opened', () => {
  test('gets a tag at the end', () => {
    expect(withTag([pinnedTag], payments)).toEqual([pinnedTag, payments]);
  });

  test('keeps its place and takes its new address', () => {
    const next = withTag(tags, { ...payments, search: { status: 'failed' } });
    expect(pathsOf(next)).toEqual(pathsOf(tags));
    expect(next[1]?.search).toEqual({ status: 'failed' });
  });

  test('changes nothing where its address is the same', () => {
    expect(withTag(tags, { ...payments, search: { status: 'paid' } })).toBe(tags);
  });
});

describe('the menu of a tag', () => {
  test.each([
    ['/dashboard', ['refresh', 'closeOthers', 'closeRight', 'closeAll']],
    ['/collection/payments', ['refresh', 'close', 'closeOthers', 'closeRight', 'closeAll']],
    ['/fund/fundWater', ['refresh', 'close', 'closeOthers', 'closeLeft', 'closeRight', 'closeAll']],
    ['/lineExport', ['refresh', 'close', 'closeOthers', 'closeLeft', 'closeAll']],
  ] as const)('of %s has what would do something', (path, actions) => {
    expect(actionsOn(tags, path)).toEqual(actions);
  });

  test('of a dashboard that stands alone has its refresh only', () => {
    expect(actionsOn([pinnedTag], '/dashboard')).toEqual(['refresh']);
  });

  test.each([
    ['close', ['/dashboard', '/collection/payments', '/lineExport']],
    ['closeOthers', ['/dashboard', '/fund/fundWater']],
    ['closeLeft', ['/dashboard', '/fund/fundWater', '/lineExport']],
    ['closeRight', ['/dashboard', '/collection/payments', '/fund/fundWater']],
    ['closeAll', ['/dashboard']],
  ] as const)('%s leaves the dashboard and what it should', (action, left) => {
    expect(pathsOf(tagsAfter(tags, '/fund/fundWater', action))).toEqual(left);
  });
});

test('the right neighbour comes after a closed tag, the left one where there is none', () => {
  const without = (path: PagePath) => tagsAfter(tags, path, 'close');
  expect(neighbourOf(tags, without('/fund/fundWater'), '/fund/fundWater')).toBe(exports);
  expect(neighbourOf(tags, without('/lineExport'), '/lineExport')).toBe(funds);
  expect(neighbourOf(tags, [pinnedTag], '/lineExport')).toBe(pinnedTag);
});

describe('tags that were kept', () => {
  const isKnown = (path: string): path is PagePath => path === '/lineExport' || path === '/dashboard';

  test.each([undefined, '', '{', 'null', '7', '"x"', '{"path":"/lineExport"}', '[null,7,{"path":7},{}]'])(
    'of %j are none',
    (text) => {
      expect(readTags(text, isKnown)).toEqual([]);
    },
  );

  test('come without what is not permitted, pinned, or no text', () => {
    const text = JSON.stringify([pinnedTag, payments, { ...exports, search: { status: 'failed', x: 7 } }]);
    expect(readTags(text, isKnown)).toEqual([{ path: '/lineExport', search: { status: 'failed' } }]);
  });
});

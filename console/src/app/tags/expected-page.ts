import type { AnyRouter } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { type PointerEvent, useRef } from 'react';
import { create } from 'zustand';
import { whenIdle } from '../../platform/when-idle.ts';
import { dataHasArrived } from '../../platform/when-settled.ts';
import { menu, type PagePath } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';
import { componentOf, type KeptPage } from './active-page.ts';

/** The page that the user will probably open next. It is rendered while it is hidden, so a click only has to show it. */
export const useExpectedPage = create<{ page: KeptPage | undefined }>(() => ({ page: undefined }));

/** A pointer on its way to another entry is gone by then. */
const restMs = 120;

/** Returns handlers for a menu entry: a mouse that rests on it has its page rendered ahead. */
export function useExpectation(path: PagePath) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    onPointerEnter({ pointerType }: PointerEvent) {
      if (pointerType !== 'mouse') return;
      timer.current = setTimeout(() => void prepare(router, path), restMs);
    },
    onPointerLeave() {
      clearTimeout(timer.current);
    },
  };
}

async function prepare(router: AnyRouter, path: PagePath): Promise<void> {
  if (placeOf(menu, path)?.page.isFresh || placeOf(menu, router.state.location.pathname)?.page.path === path)
    return;
  const matches = await router.preloadRoute({ to: path, search: {} }).catch(() => undefined);
  const match = matches?.at(-1);
  const Component = match && componentOf(router, match.routeId);
  // Without permission, the guard leads to another page.
  if (!Component || placeOf(menu, match.pathname)?.page.path !== path) return;
  // Without its data, the page is rendered once it is opened.
  if (!(await dataHasArrived())) return;
  whenIdle(() => useExpectedPage.setState({ page: { path, Component, search: match.search } }));
}

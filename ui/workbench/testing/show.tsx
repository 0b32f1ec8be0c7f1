import type { ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { setLanguage } from '../../src/language/i18n.ts';
import { Frame } from '../frame.tsx';
import styles from '../workbench.module.css';

/** How a test shows a scene. */
interface ShowOptions {
  theme?: 'light' | 'dark';
  size?: 'default' | 'large' | 'small';
  direction?: 'ltr' | 'rtl';
  language?: 'en' | 'zh-cn' | 'vi';
  /** CSS pixels; a phone has 390. */
  width?: number;
}

let shown: { root: Root; element: HTMLElement } | undefined;

/** Shows a scene as the workbench does, in place of the last one. */
export async function show(scene: ReactElement, options: ShowOptions = {}): Promise<void> {
  const { theme = 'light', size = 'default', direction = 'ltr', language = 'en', width = 1280 } = options;
  await removeShown();
  const document_ = document.documentElement;
  document_.dataset.theme = theme;
  document_.dataset.size = size;
  document_.dir = direction;
  await setLanguage(language);
  await page.viewport(width, 800);
  await settleColors();
  const element = document.body.appendChild(document.createElement('main'));
  element.className = styles.scene ?? '';
  const root = createRoot(element);
  root.render(<Frame>{scene}</Frame>);
  shown = { root, element };
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Removes the scene, and what it stored. */
export function removeShown(): void {
  shown?.root.unmount();
  shown?.element.remove();
  shown = undefined;
  localStorage.clear();
}

/**
 * Ends the transitions of colors, which begin with a frame: with reduced motion, every element has one for an instant. An element
 * added later begins in its own color.
 */
async function settleColors(): Promise<void> {
  for (let frame = 0; frame < 3; frame++) {
    await new Promise(requestAnimationFrame);
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish();
  }
}

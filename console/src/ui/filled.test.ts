import { zhCn } from '@hengfu/phrases/zh-cn';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Filled } from './filled.tsx';

const strong = createElement('strong', null, '¥1.00');

const filled = (phrase: (value: string) => string) =>
  createElement(() => Filled({ phrase, children: strong }));

test('an element takes the place of a placeholder, with the text on both sides', () => {
  const phrase = (value: string) => `Next: ${value}.`;
  expect(renderToStaticMarkup(filled(phrase))).toBe('Next: <strong>¥1.00</strong>.');
});

test('a Chinese sum has no gap behind its full-width colon', () => {
  const phrase = (value: string) =>
    zhCn.ui.colonLabelled.replace('{{label}}', zhCn.collections.sum).replace('{{value}}', value);
  expect(renderToStaticMarkup(filled(phrase))).toBe('金额合计：<strong>¥1.00</strong>');
});

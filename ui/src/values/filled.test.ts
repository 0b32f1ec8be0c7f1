import { zhCn } from '@hengfu/phrases/zh-cn';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Filled } from './filled.tsx';

const strong = createElement('strong', null, '¥1.00');

const filled = (phrase: (value: string) => string) =>
  createElement(() => Filled({ phrase, children: strong }));

test('puts an element in place of a placeholder, between the text on both sides', () => {
  const phrase = (value: string) => `Next: ${value}.`;
  expect(renderToStaticMarkup(filled(phrase))).toBe('Next: <strong>¥1.00</strong>.');
});

test('has no gap after the full-width colon of a Chinese sum', () => {
  const phrase = (value: string) =>
    zhCn.ui.colonLabelled.replace('{{label}}', zhCn.collections.sum).replace('{{value}}', value);
  expect(renderToStaticMarkup(filled(phrase))).toBe('金额合计：<strong>¥1.00</strong>');
});

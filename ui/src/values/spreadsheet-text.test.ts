import { expect, test } from 'vitest';
import { spreadsheetText } from './spreadsheet-text.ts';

test.each(['=1+1', '+cmd|calc', '-cmd', '@SUM(A1)', '\t=1', '-1+1'])('%j cannot run', (text) => {
  expect(spreadsheetText(text)).toBe(`'${text}`);
});

test.each(['-5.00', '-1,234.50 CNY', '+7', '−', '王芳', 'a=b', ''])('%j stays as it is', (text) => {
  expect(spreadsheetText(text)).toBe(text);
});
